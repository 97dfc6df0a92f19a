// The life of the channel, rehearsed on this machine by `node rehearsal/rehearse.mts`. The jobs of the workflows are played from
// their own files by the real Pulumi CLI, against an emulator instead of the service and a folder instead of the state's bucket:
// nothing to sign up for, nothing is left. Needs git and a Pulumi CLI on the PATH.
//
//     --fault <JSON>    make requests fail, as `videograph-emulator --fault` does; repeatable
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { type Played, packagesAbove, play, type Surroundings } from "./runner.mts";

const example = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { fault: { type: "string", multiple: true } } });
// The emulator checks them.
const faults = (values.fault ?? []).map((fault) => JSON.parse(fault)) as NonNullable<EmulatorOptions["faults"]>;

const folder = await mkdtemp(join(tmpdir(), "videograph-gitops-"));
const emulator = await startEmulator({ fetchSources: false, processingTimeMs: 200, deletingTimeMs: 200, faults });
try {
    await rehearse(emulator);
    console.log("\n== The rehearsal went well");
} catch (error) {
    console.error(`\n== The rehearsal failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
} finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
}

async function rehearse(emulator: Emulator): Promise<void> {
    const { VIDEOGRAPH_BASE_URL, ...credentials } = emulator.env;
    const state = join(folder, "state");
    await mkdir(state);
    const repository = await createRepository();
    const production: Surroundings = {
        folder,
        origin: repository.origin,
        env: { ...cleanEnvironment(), VIDEOGRAPH_BASE_URL },
        secrets: { ...credentials, PULUMI_CONFIG_PASSPHRASE: "rehearsal" },
        vars: { PULUMI_BACKEND_URL: pathToFileURL(state).href },
        // Where the example is part of a workspace, the lock file is the workspace's.
        modules: existsSync(join(example, "package-lock.json")) ? undefined : packagesAbove(example),
    };
    const fork: Surroundings = { ...production, secrets: {}, vars: {} };
    const holds = (what: string, ...expected: string[]) => {
        const titles = [...emulator.contents(), ...emulator.livestreams()].map(({ title }) => title).sort();
        if (titles.join() !== expected.join()) {
            throw new Error(
                `After ${what} the service should hold ${expected.join(", ")}, and holds ${titles.join(", ")}`,
            );
        }
    };

    // Once, by hand, as README.md has it.
    const byHand = (...args: string[]) => pulumi(production, repository.clone, ...args);
    await byHand("stack", "init", "production");
    repository.commit("main", "Configuration of the stack");

    succeeded(await play(production, "apply.yml", "apply"));
    holds("the first apply", "How the tides work", "Live from the quay", "Welcome to the harbour");

    await repository.edit("videos.ts", (text) => text.replace("How the tides work", "Tides"));
    repository.commit("shorter-title", "A shorter title");
    await quietly(emulator, async () => {
        const seen = succeeded(await play(fork, "preview.yml", "fork", "shorter-title"));
        if (!/\+ 4 to create/.test(seen)) throw new Error("The preview of a fork should see everything as new");
        const planned = succeeded(await play(production, "preview.yml", "preview", "shorter-title"));
        if (!/"How the tides work" => "Tides"/.test(planned)) throw new Error("The preview should show the new title");
    });
    repository.merge("shorter-title");
    succeeded(await play(production, "apply.yml", "apply"));
    const merged = ["Live from the quay", "Tides", "Welcome to the harbour"];
    holds("the merge", ...merged);

    // Somebody works in the dashboard.
    const content = (title: string) => emulator.contents().find((content) => content.title === title)?.contentId ?? "";
    emulator.updateContent(content("Tides"), { title: "TIDES!!!" });
    emulator.deleteContent(content("Welcome to the harbour"));
    // The check itself must not make the drift the new truth: so it fails as often as one asks.
    for (const _twice of [1, 2]) {
        const drift = failed(await play(production, "drift.yml", "drift"));
        if (!/no changes were expected/.test(drift))
            throw new Error("The check should fail for the drift, not otherwise");
    }
    succeeded(await play(production, "apply.yml", "apply"));
    holds("the mending", ...merged);
    succeeded(await play(production, "drift.yml", "drift"));

    await byHand("destroy", "--stack", "production", "--yes", "--skip-preview");
    await byHand("stack", "rm", "production", "--yes");
    holds("the destroy");
}

/** The example as a repository of its own, and the clone of somebody who works on it. */
async function createRepository() {
    const origin = join(folder, "origin.git");
    const clone = join(folder, "desk");
    const own = (path: string) => ![".journal", ".git", "node_modules"].includes(basename(path));
    await cp(example, clone, { recursive: true, filter: own });
    const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.com", ...args], {
            cwd: clone,
            stdio: ["ignore", "ignore", "inherit"],
            // A repository of the caller, as in a hook of git, is not meant here.
            env: cleanEnvironment(),
        });
    git("init", "--quiet", "--initial-branch", "main");
    git("add", "--all");
    git("commit", "--quiet", "--no-gpg-sign", "--message", "The channel");
    git("clone", "--quiet", "--bare", ".", origin);
    git("remote", "add", "origin", origin);
    return {
        origin,
        clone,
        edit: async (file: string, change: (text: string) => string) => {
            const path = join(clone, file);
            const text = await readFile(path, "utf8");
            if (change(text) === text) throw new Error(`${file} has nothing to edit`);
            await writeFile(path, change(text));
        },
        /** Everything that changed becomes a commit of the branch, and is pushed. */
        commit: (branch: string, message: string) => {
            git("checkout", "--quiet", "-B", branch);
            git("add", "--all");
            git("commit", "--quiet", "--no-gpg-sign", "--message", message);
            git("push", "--quiet", "origin", branch);
        },
        merge: (branch: string) => {
            git("checkout", "--quiet", "main");
            git("merge", "--quiet", "--ff-only", branch);
            git("push", "--quiet", "origin", "main");
        },
    };
}

/** The caller's variables without those that steer git, Pulumi, npm or the provider. */
function cleanEnvironment(): Record<string, string> {
    return Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) =>
            value === undefined || /^(GIT|PULUMI(?!_NODEJS)|VIDEOGRAPH|NODE|TS_NODE|npm)_/i.test(name)
                ? []
                : [[name, value]],
        ),
    );
}

/** A command at the desk of somebody who has all that the workflows have. */
async function pulumi({ env, secrets, vars, modules }: Surroundings, cwd: string, ...args: string[]): Promise<void> {
    console.log(`\n== By hand\n$ pulumi ${args.join(" ")}`);
    const packages = join(cwd, "node_modules");
    if (!existsSync(packages)) {
        if (modules === undefined) await run("npm", ["ci"], cwd, env);
        else await symlink(modules, packages);
    }
    await run("pulumi", [...args, "--non-interactive", "--color", "never"], cwd, {
        ...env,
        ...secrets,
        ...vars,
        PULUMI_HOME: join(folder, "home"),
    });
}

// Not `execFileSync`: the emulator answers from this process.
async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<void> {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with code ${code}`);
}

function succeeded({ code, output }: Played): string {
    if (code !== 0) throw new Error(`The job should have succeeded, and ended with code ${code}`);
    return output;
}

function failed({ code, output }: Played): string {
    if (code === 0) throw new Error("The job should have failed");
    return output;
}

/** What is done must not be noticed by the service. */
async function quietly(emulator: Emulator, doing: () => Promise<void>): Promise<void> {
    const before = emulator.requests.length;
    await doing();
    const sent = emulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    if (sent.length > 0) throw new Error(`A preview should send nothing, and sent ${sent.join(", ")}`);
}
