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
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { nodeFolder } from "../../pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../pulumiCli/index.ts";
import { obtainLanguages } from "../../pulumiCli/languages.ts";
import { GitHub } from "./github.ts";
import { startPypiserver, startVerdaccio } from "./registries.ts";
import { exportsIn, go, lives, type Market, python, typescript } from "./users.ts";
import { bash, clear, jobsOf, play, type Stage, tooEarly } from "./workflow.ts";

const root = join(import.meta.dirname, "..", "..", "..");
/** Go modules of a major version from 2 on have it in their path. */
const version = "0.99.0";
const tag = `v${version}`;
const home = "rehearsal/pulumi-videograph";
const runner = { linux: "ubuntu-24.04", darwin: "macos-15", win32: "windows-2025" }[process.platform as string];

const folder = mkdtempSync(join(tmpdir(), "videograph-rehearsal-"));
const github = new GitHub();
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => github.stop()];
try {
    await rehearse();
    console.log("The rehearsal succeeded");
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
} finally {
    for (const stop of stops.reverse()) await stop();
}

async function rehearse(): Promise<void> {
    const early = tooEarly(jobsOf(join(root, ".github", "workflows", "release.yml")));
    if (early.length > 0) throw new Error(early.join("\n"));
    const languages = await obtainLanguages(console.log);
    if (typeof languages === "string") throw new Error(languages);
    const { folder: cli } = await obtainPulumiCli();
    await github.start();
    const npm = await startVerdaccio(join(folder, "npm"));
    stops.push(npm.stop);
    const pypi = await startPypiserver(join(folder, "pypi"));
    stops.push(pypi.stop);

    const env = variables([cli, nodeFolder, ...languages.path], npm.url, pypi.url);
    const clone = await tagged(env);
    github.tested.add((await bash("git rev-parse HEAD", clone, env)).trim());
    const attested = new Set<string>();
    // The packages of this checkout, which `npm ci` has put there.
    const linked = `for at in node_modules provider/node_modules; do cp -al ${root}/$at $at || cp -a ${root}/$at $at; done`;
    const stage: Stage = {
        clone,
        env,
        folder: join(folder, "runs"),
        contexts: { github: { token: "of-the-rehearsal" }, vars: {} },
        leavesOut: (job, { language, runner: other }) =>
            job === "test" || (other !== undefined && other !== runner) || /^(dotnet|java)$/.test(String(language)),
        attest(files) {
            for (const file of files) attested.add(digestOf(file));
        },
        async script(job, text) {
            if (/^publish/.test(job) && github.published(tag) === undefined)
                throw new Error(`${job} would publish before the plugin is public`);
            if (job === "publish") return `export npm_config_registry=${npm.url}\n${text}`;
            if (/^npm ci\b/.test(text)) return `[ -d node_modules ] || ${linked}`;
            if (!/^pulumi package gen-sdk\b/.test(text)) return text;
            // The same generators, from their Go modules: the hosts of this CLI are older than `gen-sdk` needs.
            await languages.generate(
                join(clone, "provider", "plugin", "schema.json"),
                join(clone, "sdk"),
                "python",
                "go",
            );
            return "true";
        },
    };

    console.log(`The release of ${tag}`);
    await release(stage);
    const first = published();
    const files = [...(github.published(tag)?.assets ?? [])];
    for (const { name, digest } of files) {
        console.log(`  ${name} ${digest}`);
        if (!attested.has(digest)) throw new Error(`${name} is not attested`);
    }
    console.log("The same release again, from the first step");
    await release(stage);
    if (first !== published()) throw new Error("The second run has changed what was public");

    console.log("Users");
    await use({ version, home, npm: npm.url, pypi: pypi.url, clone, env });
}

async function release(stage: Stage): Promise<void> {
    await clear(stage);
    await play(stage, ".github/workflows/release.yml");
}

/** All that is public, as one text. */
function published(): string {
    const assets = github.published(tag)?.assets.map(({ id, name, digest }) => `${id} ${name} ${digest}`) ?? [];
    const files = globSync("{npm/storage/{pulumi-videograph,videograph-emulator}/*.tgz,pypi/packages/*}", {
        cwd: folder,
    }).sort();
    if (assets.length < 6 || files.length !== 3) throw new Error(`Only this was published: ${[...assets, ...files]}`);
    return [...assets, ...files.map((file) => `${file} ${digestOf(join(folder, file))}`)].join("\n");
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
    await bash(`node tools/release/set.ts ${version} ${home}`, clone, env);
    const changelog = join(clone, "CHANGELOG.md");
    writeFileSync(
        changelog,
        readFileSync(changelog, "utf8").replace("## [Unreleased]", `## [${version}] - 2026-01-01`),
    );
    const commit = `git commit --quiet --all --message ${tag} && git tag ${tag} && git push --quiet origin main ${tag}`;
    await bash(commit, clone, env);
    return clone;
}

function variables(path: readonly string[], npm: string, pypi: string): Record<string, string> {
    const own = join(folder, "home");
    const { HOME = "", PATH = "" } = process.env;
    const kept = Object.entries(process.env).filter(([name]) =>
        /^(LANG|SSL_|NODE_EXTRA|PIP_|GOPROXY|https?_proxy|no_proxy)/i.test(name),
    );
    return {
        ...(Object.fromEntries(kept) as Record<string, string>),
        PATH: [...path, PATH].join(delimiter),
        HOME: own,
        GOCACHE: join(HOME, ".cache", "go-build"),
        GOMODCACHE: process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(HOME, "go"), "pkg", "mod"),
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

async function use(market: Market): Promise<void> {
    const users = join(folder, "users");
    mkdirSync(users);
    await typescript(join(users, "typescript"), market);
    const emulator = spawn(process.execPath, ["node_modules/.bin/videograph-emulator", "--port", "0"], {
        cwd: join(users, "typescript"),
        env: market.env,
        stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    for await (const line of createInterface(emulator.stdout)) {
        printed += `${line}\n`;
        if (/sample\.mp4$/.test(line)) break;
    }
    stops.push(() => {
        emulator.kill();
        return emulator.exitCode ?? once(emulator, "exit");
    });
    const [source] = /\S+\/sample\.mp4/.exec(printed) ?? [];
    if (source === undefined) throw new Error(`The emulator of the published package says ${printed || "nothing"}`);
    const settled = { ...market, env: { ...market.env, ...exportsIn(printed) } };
    console.log("- TypeScript, from npm");
    await lives(join(users, "typescript"), source, settled);
    console.log("- Python, from PyPI");
    await python(join(users, "python"), settled);
    await lives(join(users, "python"), source, settled);
    console.log("- Go, from the repository's tag");
    await go(join(users, "go"), settled);
    await lives(join(users, "go"), source, settled);
}
