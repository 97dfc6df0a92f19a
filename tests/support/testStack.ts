/**
 * Runs of the real CLI in a project, a stack and a home of their own, and what each run has to show. The output of each is checked for secrets, whatever
 * the test is about (S3).
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseDocument } from "yaml";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../../tools/pulumiCli/index.ts";
import { cheaper, programModules } from "./environment.ts";
import { secretsProvider } from "./keyService.ts";
import { killAll, processesIn } from "./processes.ts";
import { configFile, type Face, ProjectFolder, stackName, stateFile } from "./projectFolder.ts";
import { describe, PulumiRun, type RunResult } from "./pulumiRun.ts";
import { waitFor } from "./waitFor.ts";

/** What `preview --json` plans for one resource. */
interface PlannedStep {
    op: string;
    urn: string;
    replaceReasons?: string[];
}

/** A line on a row. */
interface Said {
    urn?: string;
    message: string;
}

interface TestStackOptions {
    cli: PulumiCli;
    /** Default: dynamic. */
    face?: Face | undefined;
    /** Variables of the provider, e.g. an emulator's. */
    env: Readonly<Record<string, string>>;
    /** Texts that must appear in no output and no state, ever. */
    secrets: () => readonly string[];
}

const repository = join(import.meta.dirname, "..", "..");
/** All stacks share the plugin, so that V8 compiles it once; a test of its installation removes the link. */
const plugins = join(repository, "node_modules", ".cache", "plugins");
const project = "name: e2e\nruntime: nodejs\n";
/** What `pulumi stack init` writes, by the CLI's folder: each run takes 0.4 s of CPU time, so there is one per process. */
const emptyStacks = new Map<string, Promise<[file: string, text: string][]>>();

/** In a folder of its own, as of a program that is part of an application, or in the project's. */
const inlineProgram = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { workDir, file, projectSettings } = JSON.parse(process.argv[2]);
const program = async () => require(file);
LocalWorkspace.createOrSelectStack({ stackName: "${stackName}", projectName: "e2e", program }, { workDir, projectSettings })
    .then((stack) => {
        // What the API asks afterwards are more runs of the CLI, and no test reads the answers.
        Object.assign(stack, { outputs: async () => ({}), info: async () => undefined });
        return stack.up({ onOutput: (text) => process.stdout.write(text) });
    })
    .catch((error) => {
        console.error(error.message);
        process.exitCode = 1;
    });
`;

export class TestStack extends ProjectFolder {
    /** Set to undefined to take a variable out. */
    readonly env: Record<string, string | undefined>;
    /** More texts that must appear nowhere: those of one test. */
    readonly secrets: string[] = [];
    readonly #secrets: () => readonly string[];
    readonly #base: Record<string, string>;
    readonly #runs: PulumiRun[] = [];

    /** What the CLI is started as: a name on the PATH, or a path. */
    executable = "pulumi";

    private constructor(folder: string, base: Record<string, string>, options: TestStackOptions) {
        super(folder, options.face ?? "dynamic");
        this.#base = base;
        this.env = { ...options.env };
        this.#secrets = options.secrets;
    }

    static async create(options: TestStackOptions): Promise<TestStack> {
        // The CLI names the selected stack by the project's real path.
        const folder = await mkdtemp(join(await realpath(tmpdir()), "videograph-e2e-"));
        const backend = join(folder, "state");
        const home = join(folder, "home");
        for (const path of [backend, home]) await mkdir(path);
        await symlink(await programModules(), join(folder, "node_modules"));
        if (process.platform !== "win32") {
            await mkdir(plugins, { recursive: true });
            await symlink(plugins, join(home, "plugins"));
        }
        await writeFile(join(folder, "package.json"), '{ "private": true }\n');
        await writeFile(join(folder, "Pulumi.yaml"), project);
        // What the package or a tool keeps in the user's folders stays in the test's.
        const isolated = isolatedEnvironment(options.cli, { backend, home, passphrase: "" });
        const base: Record<string, string> = {
            ...(await cheaper(isolated)),
            HOME: home,
            XDG_CACHE_HOME: join(home, "cache"),
            XDG_STATE_HOME: join(home, "state"),
        };
        const stack = new TestStack(folder, base, options);
        // How the CLI spells paths on Windows is its own affair.
        const empty = process.platform === "win32" ? undefined : emptyStacks.get(options.cli.folder);
        if (empty === undefined) {
            const files = stack.#init();
            emptyStacks.set(options.cli.folder, files);
            await files;
        } else {
            for (const [file, text] of [...(await empty), stack.#selection(backend)]) await stack.write(file, text);
        }
        return stack;
    }

    async #init(): Promise<[file: string, text: string][]> {
        await this.run("stack", "init", stackName, "--secrets-provider", secretsProvider);
        const files = [configFile, stateFile, join("state", ".pulumi", "meta.yaml")];
        return await Promise.all(
            files.map(
                async (file): Promise<[string, string]> => [file, await readFile(join(this.folder, file), "utf8")],
            ),
        );
    }

    /** Where the CLI looks for the stack that is selected in the project. */
    #selection(backend: string): [file: string, text: string] {
        const project = createHash("sha1").update(join(this.folder, "Pulumi.yaml")).digest("hex");
        const stacks = { [pathToFileURL(backend).href]: `organization/e2e/${stackName}` };
        return [join("home", "workspaces", `e2e-${project}-workspace.json`), JSON.stringify({ stacks })];
    }

    /** A stack in a project with other names. */
    async rename(project: string, name = stackName): Promise<void> {
        const settings = parseDocument(await readFile(join(this.folder, "Pulumi.yaml"), "utf8"));
        settings.set("name", project);
        await this.write("Pulumi.yaml", settings.toString());
        await this.run("stack", "init", name, "--secrets-provider", secretsProvider);
        const file = join(this.folder, "state", ".pulumi", "stacks", project, `${name}.json`);
        this.sharedState = () => readFile(file, "utf8");
    }

    protected get isRunning(): boolean {
        return this.#runs.some(({ ended }) => !ended);
    }

    /** Starts the CLI. Most tests use one of the methods below. */
    start(...args: string[]): PulumiRun {
        return this.#start(this.executable, ...args, "--non-interactive", "--color", "never");
    }

    /**
     * `up` by the Automation API, with the program in the same process: then no language host of another version is between
     * the SDK and the engine. Never fails by itself.
     *
     * @param options.early - What runs before there is an engine.
     * @param options.workspace - A folder for the API's own files, below the project's; by default the project's own.
     * @param options.main - The `main` of the project's settings.
     */
    async upInline({
        early = "",
        workspace = ".",
        file = "./index.js",
        main = undefined as string | undefined,
    } = {}): Promise<RunResult> {
        await this.write("inline.cjs", early + inlineProgram);
        const workDir = join(this.folder, workspace);
        await mkdir(workDir, { recursive: true });
        const settings = { workDir, file, projectSettings: main && { name: "e2e", runtime: "nodejs", main } };
        const result = await this.#start("node", join(this.folder, "inline.cjs"), JSON.stringify(settings)).result;
        this.checkForSecrets(describe(result));
        return result;
    }

    #start(command: string, ...args: string[]): PulumiRun {
        const env: Record<string, string> = { ...this.#base };
        for (const [name, value] of Object.entries(this.env)) {
            if (value === undefined) delete env[name];
            else env[name] = value;
        }
        const run = new PulumiRun(command, args, this.folder, env);
        this.#runs.push(run);
        return run;
    }

    /** What every run's environment holds; `env` changes it. */
    get environment(): Readonly<Record<string, string | undefined>> {
        return { ...this.#base, ...this.env };
    }

    /** Runs the CLI to its end, whatever that is. */
    async attempt(...args: string[]): Promise<RunResult> {
        const result = await this.start(...args).result;
        this.checkForSecrets(describe(result));
        this.checkForSecrets(await this.stateText());
        return result;
    }

    /** Runs the CLI, which must succeed. */
    async run(...args: string[]): Promise<RunResult> {
        const result = await this.attempt(...args);
        assert.equal(result.code, 0, describe(result));
        return result;
    }

    up(...args: string[]): Promise<RunResult> {
        return this.run("up", "--yes", "--skip-preview", ...args);
    }

    /** An `up` that must show this before it can end; it can once something has been done then. */
    async upShowing(expected: RegExp, act: () => unknown, ...args: string[]): Promise<RunResult> {
        const run = this.start("up", "--yes", "--skip-preview", ...args);
        await waitFor(`${expected} on the screen`, () => expected.test(run.output));
        act();
        const result = await run.result;
        this.checkForSecrets(describe(result));
        assert.equal(result.code, 0, describe(result));
        return result;
    }

    preview(...args: string[]): Promise<RunResult> {
        return this.run("preview", "--diff", ...args);
    }

    refresh(...args: string[]): Promise<RunResult> {
        return this.run("refresh", "--yes", "--skip-preview", ...args);
    }

    destroy(...args: string[]): Promise<RunResult> {
        return this.run("destroy", "--yes", "--skip-preview", ...args);
    }

    /** An `up` that must fail, and fail well: see {@link fails}. */
    upFails(...expected: RegExp[]): Promise<RunResult> {
        return this.fails(["up", "--yes", "--skip-preview"], ...expected);
    }

    previewFails(...expected: RegExp[]): Promise<RunResult> {
        return this.fails(["preview"], ...expected);
    }

    /** The CLI must fail with a message that says these things, and without a stack trace or panic. */
    async fails(args: readonly string[], ...expected: RegExp[]): Promise<RunResult> {
        const result = await this.attempt(...args);
        assert.notEqual(result.code, 0, `It should have failed:\n${describe(result)}`);
        assert.equal(result.signal, null, describe(result));
        for (const pattern of expected) assert.match(result.output, pattern);
        // Of a program that is still running when a provider's settings are refused, the SDK reports that the engine has gone.
        const ours = result.output
            .replaceAll(/failed to deliver log message\.[\s\S]*?message severity: \w+/g, "")
            .replaceAll(/the client connection is closing(\n\s+at .+)+/g, "");
        assert.doesNotMatch(ours, /^\s+at .+:\d+:\d+\)?$/m, describe(result));
        assert.doesNotMatch(result.output, /panic|UnhandledPromiseRejection/, "Something broke instead of failing");
        return result;
    }

    /** An `up` that must fail and goes on with all else; the SDK then prints a stack trace of its own. */
    async upOfAllFails(...expected: RegExp[]): Promise<RunResult> {
        const result = await this.attempt("up", "--yes", "--skip-preview", "--continue-on-error");
        assert.notEqual(result.code, 0, `It should have failed:\n${describe(result)}`);
        for (const pattern of expected) assert.match(result.output, pattern);
        return result;
    }

    /** What a preview plans and says on each row, but for what stays the same. The order is the engine's. */
    async plan(...args: string[]): Promise<(PlannedStep & { name: string; says: string[] })[]> {
        const result = await this.run("preview", "--json", ...args);
        const { steps, diagnostics } = JSON.parse(result.stdout) as { steps?: PlannedStep[]; diagnostics?: Said[] };
        const says = (urn: string) => (diagnostics ?? []).flatMap((one) => (one.urn === urn ? [one.message] : []));
        return (steps ?? [])
            .filter(
                ({ op, urn }) =>
                    op !== "same" && !urn.includes("::pulumi:providers:") && !/pulumi:pulumi:Stack/.test(urn),
            )
            .map((step) => ({ ...step, name: step.urn.split("::").at(-1) ?? "", says: says(step.urn) }));
    }

    /** The same as "create trailer". */
    async planned(...args: string[]): Promise<string[]> {
        return (await this.plan(...args)).map(({ op, name }) => `${op} ${name}`);
    }

    async config(key: string, value: string, kind: "plain" | "secret" = "plain"): Promise<void> {
        if (kind === "plain") {
            const config = parseDocument(await readFile(join(this.folder, configFile), "utf8"));
            config.setIn(["config", key.includes(":") ? key : `e2e:${key}`], value);
            return await this.write(configFile, config.toString());
        }
        this.secrets.push(value);
        // Not by `attempt`: the failure's message would hold the value.
        const { code, stderr } = await this.start("config", "set", "--secret", key, value).result;
        assert.equal(code, 0, `pulumi config set ${key} failed: ${stderr}`);
    }

    /** What the program exports, secrets in plain text. */
    async outputs(): Promise<Record<string, unknown>> {
        const root = (await this.state()).resources.find(({ type }) => type === "pulumi:pulumi:Stack");
        const outputs = root?.outputs ?? {};
        // The CLI is run only for what is encrypted.
        if (!JSON.stringify(outputs).includes('"ciphertext"')) return outputs;
        // Not by `attempt`: here secrets are what is asked for.
        const result = await this.start("stack", "output", "--json", "--show-secrets").result;
        assert.equal(result.code, 0, describe(result));
        return JSON.parse(result.stdout) as Record<string, unknown>;
    }

    checkForSecrets(text: string): void {
        for (const secret of [...this.#secrets(), ...this.secrets]) {
            for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) {
                // A stream key has six digits, as a part of a time or a size may by chance.
                const its = /^\d+$/.test(form) ? new RegExp(`(?<!\\d)${form}(?!\\d)`) : form;
                assert.ok(text.split(its).length === 1, `A secret (${form}) is in:\n${text}`);
            }
        }
    }

    /** Ends what still runs and removes the folder. */
    async dispose(): Promise<void> {
        for (const run of this.#runs) {
            if (!run.ended) run.kill();
        }
        await Promise.allSettled(this.#runs.map((run) => run.result));
        // A killed CLI leaves its language host behind.
        killAll(processesIn(this.folder));
        if (existsSync(this.folder)) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
