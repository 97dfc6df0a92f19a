/** The example as a repository of its own, with GitHub's part played on this machine, an emulator and a folder for the state. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../../tools/pulumiCli/index.ts";
import { startsFaster } from "../exampleStack.ts";
import { Hub } from "./hub.ts";
import type { World } from "./workflow.ts";

const repository = join(import.meta.dirname, "..", "..", "..");
export const example = join(repository, "examples", "gitops");

export class Rehearsal implements AsyncDisposable {
    readonly emulator: Emulator;
    readonly world: World;
    readonly #folder: string;
    readonly #desk: string;
    #pulls = 0;

    private constructor(emulator: Emulator, world: World, folder: string) {
        this.emulator = emulator;
        this.world = world;
        this.#folder = folder;
        this.#desk = join(folder, "desk");
    }

    static async start(faults: NonNullable<EmulatorOptions["faults"]>): Promise<Rehearsal> {
        const folder = await mkdtemp(join(tmpdir(), "videograph-gitops-"));
        const emulator = await startEmulator({
            tokens: [{ id: "rehearsal-token", secret: "rehearsal-secret-key", environmentId: 1 }],
            fetchSources: false,
            processingTimeMs: 200,
            deletingTimeMs: 200,
            faults,
        });
        const { VIDEOGRAPH_BASE_URL, ...credentials } = emulator.env;
        const state = join(folder, "state");
        await mkdir(state);
        const world: World = {
            hub: await Hub.start(folder),
            folder,
            origin: join(folder, "origin.git"),
            env: { ...(await runnerEnvironment()), VIDEOGRAPH_BASE_URL },
            secrets: { ...credentials, PULUMI_CONFIG_PASSPHRASE: "rehearsal-passphrase" },
            vars: { PULUMI_BACKEND_URL: pathToFileURL(state).href },
            modules: join(repository, "node_modules"),
        };
        const rehearsal = new Rehearsal(emulator, world, folder);
        try {
            await rehearsal.#createRepository();
            return rehearsal;
        } catch (error) {
            await rehearsal[Symbol.asyncDispose]();
            throw error;
        }
    }

    async [Symbol.asyncDispose](): Promise<void> {
        this.world.hub.close();
        await this.emulator.close();
        await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    }

    /** The titles of what the service holds. */
    titles(): string[] {
        return [...this.emulator.contents(), ...this.emulator.livestreams()].map(({ title }) => title).sort();
    }

    /** A pull request with edited files; its number. */
    async pullRequest(files: Readonly<Record<string, (text: string) => string>>): Promise<number> {
        const number = ++this.#pulls;
        this.#git("checkout", "--quiet", "-B", `pull-${number}`, "main");
        for (const [file, change] of Object.entries(files)) {
            const path = join(this.#desk, file);
            const text = await readFile(path, "utf8");
            if (change(text) === text) throw new Error(`${file} has nothing to edit`);
            await writeFile(path, change(text));
        }
        this.#commit(`Pull request ${number}`);
        this.#git("push", "--quiet", "origin", `HEAD:refs/pull/${number}/merge`);
        return number;
    }

    merge(number: number): void {
        this.#git("checkout", "--quiet", "main");
        this.#git("merge", "--quiet", "--ff-only", `pull-${number}`);
        this.#git("push", "--quiet", "origin", "main");
    }

    commitToMain(message: string): void {
        this.#git("checkout", "--quiet", "main");
        this.#commit(message);
        this.#git("push", "--quiet", "origin", "main");
    }

    /** A command at the desk of somebody who has all that the workflows have. It must succeed. */
    async byHand(...args: string[]): Promise<void> {
        const { env, secrets, vars } = this.world;
        const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
            cwd: this.#desk,
            env: { ...env, ...secrets, ...vars, HOME: join(this.#folder, "home") },
            stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => {
                output += text;
            });
        }
        const [code] = await once(child, "close");
        if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with code ${code}:\n${output}`);
    }

    async #createRepository(): Promise<void> {
        const own = (path: string) => ![".state", ".git", "node_modules"].includes(basename(path));
        await cp(example, this.#desk, { recursive: true, filter: own });
        await symlink(this.world.modules, join(this.#desk, "node_modules"));
        this.#git("init", "--quiet", "--initial-branch", "main");
        this.#commit("The channel");
        this.#git("clone", "--quiet", "--bare", ".", this.world.origin);
        this.#git("remote", "add", "origin", this.world.origin);
    }

    #commit(message: string): void {
        this.#git("add", "--all");
        this.#git("commit", "--quiet", "--no-gpg-sign", "--message", message);
    }

    #git(...args: string[]): void {
        const identity = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.com"];
        execFileSync("git", [...identity, ...args], { cwd: this.#desk, env: this.world.env, stdio: "pipe" });
    }
}

/** The caller's variables, without those that steer git, Pulumi, npm or the provider; the tests' CLI and Node come first. */
async function runnerEnvironment(): Promise<Record<string, string>> {
    const isolated = isolatedEnvironment(await obtainPulumiCli(), { backend: "/", home: "", passphrase: "" });
    const ofTheWorkflow = /^(GIT_|PULUMI_(BACKEND_URL|HOME|CONFIG_PASSPHRASE)$)/;
    const kept = Object.entries(isolated).filter(([name]) => !ofTheWorkflow.test(name));
    return { ...Object.fromEntries(kept), ...startsFaster };
}
