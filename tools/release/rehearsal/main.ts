/**
 * Plays the whole release of the last commit, from the tag to users who install it, on this machine alone:
 *
 *     npm run release:rehearse
 *
 * The workflows are the real ones. Their registries are verdaccio, pypiserver and a git repository in a folder, their GitHub a small
 * server. A second run has to leave everything public as it is, byte by byte. Left out are the tests themselves, other platforms
 * than this one, and C# and Java.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { nodeFolder } from "../../pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../pulumiCli/index.ts";
import { obtainLanguages } from "../../pulumiCli/languages.ts";
import { GitHub } from "./github.ts";
import { startPypiserver, startVerdaccio } from "./registries.ts";
import { installs, lives, usersOf } from "./users.ts";
import { bash, play, type Stage } from "./workflow.ts";

const root = join(import.meta.dirname, "..", "..", "..");
/** Go modules of a major version from 2 on have it in their path. */
const version = "0.99.0";
const tag = `v${version}`;
const home = "rehearsal/pulumi-videograph";
const runner = { linux: "ubuntu-24.04", darwin: "macos-15", win32: "windows-2025" }[process.platform as string];

const folder = mkdtempSync(join(tmpdir(), "videograph-rehearsal-"));
const github = new GitHub();
const stops: (() => unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    () => github.stop(),
];
try {
    await rehearse();
    console.log("The rehearsal succeeded");
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
} finally {
    for (const stop of stops.reverse()) stop();
}

async function rehearse(): Promise<void> {
    const languages = await obtainLanguages();
    if (typeof languages === "string") throw new Error(languages);
    const { folder: cli } = await obtainPulumiCli();
    await github.start();
    const npm = await startVerdaccio(join(folder, "npm"));
    stops.push(npm.stop);
    const pypi = await startPypiserver(join(folder, "pypi"));
    stops.push(pypi.stop);

    const env = variables([cli, nodeFolder, languages.path], npm.url, pypi.url);
    const clone = await tagged(env);
    const attested = new Set<string>();
    const stage: Stage = {
        clone,
        env,
        folder: join(folder, "runs"),
        leavesOut: (job, { language, runner: other }) =>
            job === "test" || (other !== undefined && other !== runner) || /^(dotnet|java)$/.test(String(language)),
        attest(files) {
            for (const file of files) attested.add(digestOf(file));
        },
        async script(text) {
            // The packages of this checkout, which `npm ci` has put there.
            if (/^npm ci\b/.test(text))
                return `for at in node_modules provider/node_modules; do [ -e $at ] || cp -al ${root}/$at $at; done`;
            if (!/^pulumi package gen-sdk\b/.test(text)) return text;
            // The same generators, from their Go module: the hosts of this CLI are older than `gen-sdk` needs.
            const schema = join(clone, "provider", "plugin", "schema.json");
            await languages.generate(schema, join(clone, "sdk"), "python", "go");
            // This generator asks for an older SDK, and Go would take the newest one instead.
            return "go -C sdk/go mod edit -require=github.com/pulumi/pulumi/sdk/v3@v3.259.0";
        },
    };

    console.log(`The release of ${tag}`);
    const first = await release(stage);
    for (const { name, digest } of github.published()) {
        console.log(`  ${name} ${digest}`);
        if (!attested.has(digest)) throw new Error(`${name} is not attested`);
    }
    console.log("The same release again, from the first step");
    if (first !== (await release(stage))) throw new Error("The second run has changed what was public");

    const users = usersOf(version, home, pypi.url);
    let settings: Record<string, string> | undefined;
    for (const user of users) {
        console.log(`A user of ${user.runtime}`);
        const at = join(folder, "users", user.runtime);
        await installs(user, at, join(clone, "examples"), env);
        settings ??= await startEmulator(at, env);
        await lives(at, settings.source ?? "", { ...env, ...settings });
    }
}

/** Plays it. Resolves with all that is public then, as one text. */
async function release(stage: Stage): Promise<string> {
    // The results of earlier plays.
    rmSync(stage.folder, { recursive: true, force: true });
    mkdirSync(join(stage.folder, "artifacts"), { recursive: true });
    await bash("git clean -xdfq -e node_modules", stage.clone, stage.env);
    await play(stage, ".github/workflows/release.yml");
    const assets = github.published().map(({ id, name, digest }) => `${id} ${name} ${digest}`);
    const packages = globSync("{npm/storage/{pulumi-videograph,videograph-emulator}/*.tgz,pypi/packages/*}", {
        cwd: folder,
    });
    if (assets.length < 6 || packages.length !== 3)
        throw new Error(`Only this was published: ${[...assets, ...packages]}`);
    return [...assets, ...packages.sort().map((file) => `${file} ${digestOf(join(folder, file))}`)].join("\n");
}

function digestOf(file: string): string {
    return `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
}

/** A clone whose main branch has the last commit of this repository as version 0.99.0, with its tag, and where it was pushed to. */
async function tagged(env: Record<string, string>): Promise<string> {
    const remote = join(folder, "github", `${home}.git`);
    const clone = join(folder, "clone");
    mkdirSync(join(folder, "home"));
    await bash(`git init --quiet --bare --initial-branch main ${remote}`, folder, env);
    await bash(`git push --quiet ${remote} HEAD:refs/heads/main`, root, env);
    await bash(`git clone --quiet ${remote} ${clone}`, folder, env);
    const script = `node tools/release/set.ts ${version} ${home}
sed -i.old 's/^## \\[Unreleased\\]/## [${version}] - 2026-01-01/' CHANGELOG.md
git commit --quiet --all --message ${tag}
git tag ${tag}
git push --quiet origin main ${tag}`;
    await bash(script, clone, env);
    return clone;
}

function variables(path: readonly string[], npm: string, pypi: string): Record<string, string> {
    const { HOME = "", PATH = "", GOPATH = join(HOME, "go"), ...rest } = process.env;
    const kept = Object.entries(rest).filter(([name]) =>
        /^(LANG|SSL_|NODE_EXTRA|PIP_|GOPROXY|https?_proxy|no_proxy)/i.test(name),
    );
    return {
        ...(Object.fromEntries(kept) as Record<string, string>),
        PATH: [...path, PATH].join(delimiter),
        HOME: join(folder, "home"),
        GOCACHE: join(HOME, ".cache", "go-build"),
        GOMODCACHE: process.env.GOMODCACHE ?? join(GOPATH, "pkg", "mod"),
        GOFLAGS: "-mod=mod",
        GOPRIVATE: `github.com/${home}`,
        GIT_CONFIG_COUNT: "3",
        GIT_CONFIG_KEY_0: `url.file://${join(folder, "github", `${home}.git`)}.insteadOf`,
        GIT_CONFIG_VALUE_0: `https://github.com/${home}`,
        GIT_CONFIG_KEY_1: "user.name",
        GIT_CONFIG_VALUE_1: "Rehearsal",
        GIT_CONFIG_KEY_2: "user.email",
        GIT_CONFIG_VALUE_2: "rehearsal@example.com",
        npm_config_cache: join(HOME, ".npm"),
        npm_config_registry: npm,
        [`npm_config_${npm.replace("http:", "")}:_authToken`]: "of-the-rehearsal",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api.github.com/rehearsal=${github.url}/download`,
        GITHUB_API_URL: github.url,
        GITHUB_SERVER_URL: `file://${join(folder, "github")}`,
        GITHUB_REPOSITORY: home,
        GITHUB_REF_NAME: tag,
        // What only the real registries have.
        PROVENANCE: "false",
        TRUSTED_PUBLISHING: "never",
        UV_PUBLISH_URL: pypi,
        UV_PUBLISH_CHECK_URL: `${pypi}simple/`,
        UV_PUBLISH_USERNAME: "rehearsal",
        UV_PUBLISH_PASSWORD: "rehearsal",
    };
}

/** The emulator of the published package. Resolves with the variables that it prints, and `source`, a video to try. */
async function startEmulator(at: string, env: Record<string, string>): Promise<Record<string, string>> {
    const command = [join(at, "node_modules", ".bin", "videograph-emulator"), "--port", "0"];
    const emulator = spawn(process.execPath, command, { cwd: at, env, stdio: ["ignore", "pipe", "inherit"] });
    stops.push(() => emulator.kill());
    const settings: Record<string, string> = {};
    for await (const line of createInterface(emulator.stdout)) {
        const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
        if (name !== undefined && value !== undefined) settings[name] = value;
        const [source] = /\S+\/sample\.mp4$/.exec(line) ?? [];
        if (source !== undefined) return { ...settings, source };
    }
    throw new Error("The emulator of the published package does not start");
}
