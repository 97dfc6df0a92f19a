/** What tests of the one law share: runs that are killed at a create, refusals with their ways out, and CLIs that are not found. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Fault } from "videograph-emulator";
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import { openEntriesIn } from "./memoryFiles.ts";
import { killAll, providersIn } from "./processes.ts";
import { declare } from "./program.ts";
import type { PulumiRun, RunResult } from "./pulumiRun.ts";
import { sentBy } from "./requests.ts";
import type { Testbed } from "./testbed.ts";
import type { TestStack } from "./testStack.ts";
import { waitFor } from "./waitFor.ts";

/** Declares a content with this title whose source has this name. */
export function video(name: string, more: Readonly<Record<string, unknown>> = {}, options?: string): string {
    return declare("Content", name, { title: name, content: source("a"), ...more }, options);
}

export function stream(name: string, more: Readonly<Record<string, unknown>> = {}, options?: string): string {
    return declare("Livestream", name, { title: name, region: "us-east-1", ...more }, options);
}

/** Sources are not fetched. */
export function source(name: string): { url: string }[] {
    return [{ url: `https://media.example.com/${name}.mp4` }];
}

/** The ids of all objects, of contents and livestreams. */
export function objects({ emulator }: Testbed, isMeant: (one: { title: string }) => boolean = () => true): string[] {
    const contents = emulator.contents().filter(isMeant);
    const streams = emulator.livestreams().filter(isMeant);
    return [...contents.map(({ contentId }) => contentId), ...streams.map(({ streamUUID }) => streamUUID)];
}

/** The objects with this title. */
export const titled = (testbed: Testbed, title: string) => objects(testbed, (one) => one.title === title);

/** The only object with this title. */
export function theOne(testbed: Testbed, title: string): string {
    const [id, ...more] = titled(testbed, title);
    assert.deepEqual(more, [], `There is more than one object with the title ${title}`);
    return id ?? assert.fail(`There is no object with the title ${title}`);
}

/**
 * Creates with such a title are carried out, and not answered until what it returns is called: `when` is "after". Or they are
 * carried out only then, too late for an answer: "before".
 */
export function heldCreates(
    { emulator }: Testbed,
    when: "before" | "after" = "after",
    isHeld: (title: unknown) => boolean = () => true,
): () => void {
    const { begin } = emulator;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    emulator.begin = (request, options) => {
        if (request.method !== "POST" || !isHeld(JSON.parse(request.text).title))
            return begin.call(emulator, request, options);
        if (when === "after") {
            const exchange = begin.call(emulator, request, options);
            return { ...exchange, answer: released.then(() => exchange.answer) };
        }
        released.then(() => begin.call(emulator, request, options).finish());
        return begin.call(emulator, request, { faults: [{ kind: "hang" }] });
    };
    return release;
}

/** The answers of these creates never come; they were carried out. */
export const unanswered: Fault = { kind: "hang", when: "after", method: "POST" };

/** An `up` that is killed, with its provider, as soon as so many creates were accepted. */
export async function killedUp(testbed: Testbed, stack: TestStack, accepted: number): Promise<void> {
    testbed.emulator.clearRequests();
    const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "50");
    const posts = () => sentBy(testbed.emulator, "POST").filter((request) => request.accepted);
    await waitFor("the creates", () => posts().length >= accepted);
    await killed(stack, up);
    testbed.emulator.clearFaults();
    testbed.emulator.clearRequests();
}

/** `kill -9` of the CLI and its provider, at once. The engine's lock outlives it, and goes as by `pulumi cancel`. */
export async function killed(stack: TestStack, run: PulumiRun): Promise<void> {
    const providers = providersIn(stack.folder);
    assert.notDeepEqual(providers, []);
    run.kill();
    killAll(providers);
    await run.result;
    await waitFor("the provider to end", () => providersIn(stack.folder).length === 0);
    await unlock(stack);
}

/** What `pulumi cancel` does to a backend that is a folder. */
export async function unlock({ folder }: TestStack): Promise<void> {
    await rm(join(folder, "state", ".pulumi", "locks"), { recursive: true, force: true });
}

/** The open entries of the stack's journal: what creates are pending. */
export async function journalOf({ environment }: TestStack): Promise<string[]> {
    const folder = environment.VIDEOGRAPH_JOURNAL_DIR ?? assert.fail("The test has no journal of its own");
    const names = existsSync(folder) ? await readdir(folder) : [];
    // A file goes when the last answer leaves.
    const gone = (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? "" : Promise.reject(error));
    const texts = names.map((name) => readFile(join(folder, name), "utf8").catch(gone));
    return openEntriesIn(await Promise.all(texts)).map((entry) => JSON.stringify(entry));
}

/** For creates that wait until nothing can be accepted any more: they wait together. */
const atOnce = ["--parallel", "50"];

/** An `up` that refuses because of these objects: it names them and the ways out. */
export async function refused(stack: TestStack, ...ids: string[]): Promise<RunResult> {
    const result = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error", ...atOnce);
    assert.notEqual(result.code, 0, `It should have refused:\n${result.output}`);
    for (const text of [...ids, "VIDEOGRAPH_UNRECORDED"])
        assert.ok(result.output.includes(text), `The refusal does not say ${text}:\n${result.output}`);
    return result;
}

/** An `up` of a user who has decided: the objects with these ids are the program's, or new ones are to be created. */
export async function decided(stack: TestStack, decision: string): Promise<void> {
    stack.env.VIDEOGRAPH_UNRECORDED = decision;
    try {
        await stack.up(...atOnce);
    } finally {
        stack.env.VIDEOGRAPH_UNRECORDED = undefined;
    }
}

/** Nothing else exists than these objects, and the state has those that are recorded. */
export async function holds(testbed: Testbed, stack: TestStack, recorded: string[], released: string[] = []) {
    const ids = (await stack.resources()).map(({ id = "" }) => id);
    assert.deepEqual(ids.sort(), [...recorded].sort(), "the state's objects");
    assert.deepEqual(objects(testbed).sort(), [...recorded, ...released].sort(), "the service's objects");
}

/** The CLI that has started a provider, as the provider finds it; it is not on the PATH. */
type Cli =
    /** Started by its path. */
    | "absolute"
    /** Started by its path, which ends with a name that no Pulumi CLI has. */
    | "renamed"
    /** One that fails whatever a run asks it. */
    | "hidden"
    /** A script: the CLI's file is replaced while it runs, as by an upgrade. `$pulumi` is the CLI itself. */
    | { script: string };

/** Makes the stack's runs those of such a CLI. */
export async function useCli({ cli }: Testbed, stack: TestStack, how: Cli): Promise<void> {
    const tools = join(stack.folder, "tools");
    await mkdir(tools);
    for (const name of await readdir(cli.folder))
        if (name !== "pulumi") await symlink(join(cli.folder, name), join(tools, name));
    const path = (stack.environment.PATH ?? "").split(delimiter);
    const others = path.filter((folder) => !existsSync(join(folder, "pulumi")));
    stack.env.PATH = [tools, nodeFolder, ...others].join(delimiter);
    const pulumi = join(cli.folder, "pulumi");
    stack.executable = pulumi;
    if (how === "absolute") return;
    const engine = join(tools, "engine");
    stack.executable = engine;
    // Another name of the same file, where the disk allows that.
    await link(pulumi, engine).catch(() => copyFile(pulumi, engine));
    if (how === "renamed") return;
    const script = how === "hidden" ? "exit 255" : how.script;
    await writeFile(`${engine}.new`, `#!/bin/sh\npulumi="${pulumi}"\n${script}\n`, { mode: 0o755 });
    // Each run begins with the CLI itself; `preload.cjs` replaces the file.
    stack.executable = join(tools, "start");
    const start = `ln -f "${pulumi}" "${engine}" 2>/dev/null || cp "${pulumi}" "${engine}"\nexec "${engine}" "$@"`;
    await writeFile(stack.executable, `#!/bin/sh\n${start}\n`, { mode: 0o755 });
    stack.env.TEST_REPLACED = engine;
}
