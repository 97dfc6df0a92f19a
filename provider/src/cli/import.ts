/** `import`: takes over what an account has, as an import file for the state and a program that declares the same. */
import { basename, resolve } from "node:path";
import type { VideographApi } from "../api";
import { markedOwner, markIn } from "../lifecycle/mark";
import { isFailed, isLeaving } from "../lifecycle/status";
import { type Kind, type Listed, list, read, type Unreadable, type Whole } from "./account";
import { type Command, exitCodes, oneOf, readOptions, UsageError } from "./commandLine";
import { withApi } from "./connection";
import { type Described, describe } from "./entry";
import { refuseExisting, writeNew } from "./files";
import { keyOf, namesFor } from "./names";
import { programText } from "./programText";
import { counted, quoted, type Shell } from "./shell";
import { managedBy, type StackState, stateAtHand } from "./stackState";

/** How many objects are read before it is looked whether there are enough. */
const batch = 64;

interface Selection {
    readonly kinds: readonly Kind[];
    readonly title: string | undefined;
    readonly tags: readonly string[];
    readonly status: string | undefined;
    /** Any of these; all objects when there are none. */
    readonly ids: readonly string[];
    readonly limit: number;
    readonly includeManaged: boolean;
    readonly state: StackState;
}

/** An object that is left out, and why. */
interface Skipped {
    readonly kind: Kind;
    readonly id: string;
    readonly title: string | undefined;
    readonly reason: string;
}

export const importCommand: Command = {
    async run(args, shell) {
        const options = readOptions(args, {
            only: { type: "string" },
            title: { type: "string" },
            tag: { type: "string", multiple: true },
            status: { type: "string" },
            id: { type: "string", multiple: true },
            limit: { type: "string" },
            "include-managed": { type: "boolean" },
            file: { type: "string" },
            program: { type: "string" },
            force: { type: "boolean" },
            stack: { type: "string" },
            json: { type: "boolean" },
        });
        const { only, stack, force = false } = options;
        const kinds = kindsOf(only);
        const limit = limitOf(options.limit);
        const files = {
            entries: resolve(shell.cwd, options.file ?? "videograph-import.json"),
            program: resolve(shell.cwd, options.program ?? "videograph-import.ts"),
        };
        if (files.entries === files.program) throw new UsageError("--file and --program must be two files.");
        if (!force) await refuseExisting(files.entries, files.program);

        const state = await stateAtHand(shell, stack);
        const gathered = await withApi(shell, stack, (api) =>
            gather(shell, api, {
                kinds,
                title: options.title,
                tags: options.tag ?? [],
                status: options.status,
                ids: options.id ?? [],
                limit,
                includeManaged: options["include-managed"] === true,
                state,
            }),
        );
        const { taken } = gathered;
        if (taken.length > 0) {
            const entries = { resources: taken.map(({ entry }) => entry) };
            await writeNew(files.entries, `${JSON.stringify(entries, undefined, 4)}\n`, force);
            await writeNew(files.program, programText(taken, basename(files.entries)), force);
        }
        tell(shell, gathered, files, options.json === true);
        return exitCodes.done;
    },
};

interface Gathered {
    readonly taken: Described[];
    readonly skipped: Skipped[];
    /** What the stack has already: left out without much ado. */
    readonly known: Skipped[];
}

async function gather(shell: Shell, api: VideographApi, selection: Selection): Promise<Gathered> {
    const { items } = await list(api, selection.kinds, shell.talk);
    // From everything, so that a filter changes no name.
    const { resources } = selection.state;
    const managed = managedBy(resources);
    const names = namesFor(
        items,
        resources.map(({ name }) => name),
    );
    for (const id of selection.ids) {
        if (!items.some((item) => item.id === id)) shell.talk.warn(`No object has the id ${quoted(id)}.`);
    }
    const known: Skipped[] = [];
    const likely = items.filter((item) => {
        if (!isLikely(item, selection)) return false;
        const resource = managed.get(keyOf(item));
        if (resource !== undefined) known.push(leftOut(item, `the stack's state has it already, as ${resource}`));
        return resource === undefined;
    });
    const taken: Described[] = [];
    const skipped: Skipped[] = [];
    let done = 0;
    for (let start = 0; start < likely.length && taken.length < selection.limit; start += batch) {
        const wholes = await read(api, likely.slice(start, start + batch), () => {
            done++;
            shell.talk.progress(`Reading: ${done} of ${counted(likely.length, "object")}`);
        });
        for (const whole of wholes) {
            if (taken.length === selection.limit) break;
            if (!("problem" in whole) && !isWanted(whole, selection)) continue;
            const result = judge(whole, names.get(keyOf(whole)) ?? "", api.fingerprint, selection);
            if (typeof result !== "string") taken.push(result);
            else skipped.push(leftOut(whole, result));
        }
    }
    return { taken, skipped, known };
}

function leftOut({ kind, id, title }: Listed, reason: string): Skipped {
    return { kind, id, title, reason };
}

/** By what lists tell; they may not tell everything. */
function isLikely({ id, title, status }: Listed, selection: Selection): boolean {
    return (
        (selection.ids.length === 0 || selection.ids.includes(id)) &&
        (title === undefined || hasTitle(title, selection)) &&
        (status === undefined || hasStatus(status, selection))
    );
}

function isWanted({ title = "", status = "", object }: Whole, selection: Selection): boolean {
    return (
        hasTitle(title, selection) &&
        hasStatus(status, selection) &&
        selection.tags.every((tag) => object.tags?.includes(tag))
    );
}

function hasTitle(title: string, selection: Selection): boolean {
    return title.toLowerCase().includes((selection.title ?? "").toLowerCase());
}

function hasStatus(status: string, selection: Selection): boolean {
    return selection.status === undefined || selection.status.toLowerCase() === status.toLowerCase();
}

/** The object's entry, or why it is left out. */
function judge(
    whole: Whole | Unreadable,
    name: string,
    fingerprint: string,
    { includeManaged }: Selection,
): Described | string {
    if ("problem" in whole) return whole.problem;
    const { status, object } = whole;
    if (isFailed(status)) return `its status is ${status}: delete it, or create it anew with a program`;
    if (isLeaving(status)) return "it is being deleted";
    const owner = markedOwner(markIn(object.metadata));
    if (owner !== undefined && !includeManaged) {
        return `it is managed as ${owner} (project/stack/name), says its mark; --include-managed takes it nevertheless`;
    }
    const described = describe(whole, name, fingerprint);
    return "problem" in described ? described.problem : described;
}

function tell(
    shell: Shell,
    { taken, skipped, known }: Gathered,
    files: { entries: string; program: string },
    json: boolean,
): void {
    const { talk } = shell;
    const written = taken.length > 0 ? files : { entries: null, program: null };
    if (json) {
        const imported = taken.map(({ kind, entry, undeclared }) => ({
            kind,
            id: entry.id,
            name: entry.name,
            undeclared,
        }));
        talk.printJson({ file: written.entries, program: written.program, imported, skipped: [...known, ...skipped] });
        return;
    }
    if (known.length > 0) talk.say(`Left out: ${counted(known.length, "object")} that the stack's state has already.`);
    for (const { kind, id, title, reason } of skipped) talk.say(`Left out: ${kind} ${id} ${quoted(title)}: ${reason}.`);
    for (const { kind, entry, undeclared } of taken) {
        if (undeclared.length > 0)
            talk.say(
                `Not managed of ${kind} ${entry.id}: ${undeclared.join(", ")}, because a program cannot declare it.`,
            );
    }
    if (taken.length === 0) {
        talk.print("There is nothing to take over.");
        return;
    }
    const count = (kind: Kind) => taken.filter((one) => one.kind === kind).length;
    talk.print(
        `${counted(count("Content"), "content")} and ${counted(count("Livestream"), "livestream")} to take over, ${known.length + skipped.length} left out.\n` +
            `  ${files.entries}\n  ${files.program}\n\n` +
            "Next:\n" +
            `  pulumi import --file ${basename(files.entries)} --yes --generate-code=false --protect=false\n` +
            "  pulumi refresh --yes\n" +
            `and then, with ${basename(files.program)} as the program or a part of it:\n` +
            "  pulumi preview --diff --expect-no-changes",
    );
}

function kindsOf(only: string | undefined): Kind[] {
    if (only === undefined) return ["Content", "Livestream"];
    return oneOf("--only", ["contents", "livestreams"], only) === "contents" ? ["Content"] : ["Livestream"];
}

function limitOf(text: string | undefined): number {
    if (text === undefined) return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit must be a whole number of 1 or more.");
    return Number(text);
}
