/** Finds the objects to adopt, and the reasons to skip all others. */
import type { VideographApi } from "#provider/api/index";
import { markerIn, ownerInMarker } from "#provider/evidence/marker";
import { findProject } from "#provider/session/project";
import { isFailed, isLeaving } from "#provider/wait/status";
import { type Kind, keyOf, type Listed, list, read, type Unreadable, type Whole } from "../account";
import { managers } from "../backend";
import { CommandError, type PluginSource } from "../commandLine";
import { type Described, describe } from "../entry";
import { namesFor } from "../names";
import { counted, quoted, type Shell } from "../shell";
import type { StackIdentity, StackState } from "../state";
import type { Options } from "./options";

/** Which objects are wanted: all conditions must hold. */
export interface Selection extends Options {
    readonly state: StackState;
    /** The stack that adopts them, if it is known. */
    readonly identity: StackIdentity | undefined;
    /** If its types are native. */
    readonly plugin: PluginSource | undefined;
}

/** An object that is skipped, and why. */
export interface Skipped {
    readonly kind: Kind;
    readonly id: string;
    readonly title: string | undefined;
    readonly reason: string;
    /** The stack that manages it, or that created it by its marker, if that is the reason. */
    readonly stack?: string;
    /** Set when it could not be read. */
    readonly unread?: true;
}

export interface Gathered {
    readonly adopted: Described[];
    readonly skipped: Skipped[];
    /** Those that the stack's state already has. */
    readonly known: Skipped[];
}

export async function gather(shell: Shell, api: VideographApi, selection: Selection): Promise<Gathered> {
    const items = await list(api, selection.kinds, shell.terminal);
    for (const id of selection.ids) {
        if (!items.some((item) => item.id === id)) shell.terminal.warn(`No object has the id ${quoted(id)}.`);
    }
    // From everything, so that a filter changes no name.
    const { resources } = selection.state;
    const names = namesFor(
        items,
        resources.map(({ name }) => name),
    );
    const likely = items.filter((item) => isLikely(item, selection));
    const { free, known, skipped } = await withoutManaged(shell, likely, selection);
    const adopted: Described[] = [];
    let done = 0;
    for await (const whole of read(api, free, { clock: shell.clock, timeoutMs: selection.timeoutMs })) {
        shell.terminal.progress(`Reading: ${++done} of ${counted(free.length, "object")}`);
        if (!("problem" in whole) && !isWanted(whole, selection)) continue;
        const result = judge(whole, names.get(keyOf(whole)) ?? "", api.fingerprint, selection);
        if ("entry" in result) adopted.push(result);
        else skipped.push(result);
    }
    return { adopted, skipped, known };
}

/** Without the objects of this stack, and without those of the backend's other stacks unless the user names them. */
async function withoutManaged(shell: Shell, items: readonly Listed[], { state, ids }: Selection) {
    const own = new Map(
        state.resources.filter(({ external }) => !external).map((recorded) => [keyOf(recorded), recorded.name]),
    );
    const known = items
        .filter((item) => own.has(keyOf(item)))
        .map((item) => skip(item, `the stack's state already has it, as ${own.get(keyOf(item))}`));
    const others = items.filter((item) => !own.has(keyOf(item)));
    const elsewhere = others.length === 0 ? new Map() : await managersOrNone(shell);
    const skipped: Skipped[] = [];
    const free = others.filter((item) => {
        const manager = elsewhere.get(keyOf(item));
        if (manager === undefined) return true;
        const { stack, resource } = manager;
        if (ids.includes(item.id)) {
            shell.terminal.warn(
                `the stack ${stack} already manages ${item.kind} ${item.id}, as ${resource}: a destroy of either stack deletes it.`,
            );
            return true;
        }
        skipped.push({
            ...skip(item, `the stack ${stack} already manages it, as ${resource}: name it with --id to adopt it`),
            stack,
        });
        return false;
    });
    return { free, known, skipped };
}

/** The command continues if they cannot be read. */
async function managersOrNone(shell: Shell): Promise<Awaited<ReturnType<typeof managers>>> {
    if (findProject(shell.cwd) === undefined) return new Map();
    try {
        return await managers(shell);
    } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        shell.terminal.warn(`it is unknown which objects other stacks of this backend manage. ${error.message}`);
        return new Map();
    }
}

/** By the fields of list items, some of which may be missing. */
function isLikely({ id, title }: Listed, selection: Selection): boolean {
    const isNamed = selection.ids.length === 0 || selection.ids.includes(id);
    return isNamed && (title === undefined || hasTitle(title, selection));
}

function isWanted({ title = "", object }: Whole, selection: Selection): boolean {
    return hasTitle(title, selection) && selection.tags.every((tag) => object.tags?.includes(tag));
}

function hasTitle(title: string, selection: Selection): boolean {
    return title.toLowerCase().includes((selection.title ?? "").toLowerCase());
}

/** The object's entry, or why it is skipped. */
function judge(
    whole: Whole | Unreadable,
    name: string,
    fingerprint: string,
    { includeManaged, identity, plugin }: Selection,
): Described | Skipped {
    if ("problem" in whole) return { ...skip(whole, whole.problem), ...(!whole.deleted && { unread: true }) };
    const { status, object } = whole;
    if (isFailed(status)) return skip(whole, `its status is ${status}: delete it, or create a new one with a program`);
    if (isLeaving(status)) return skip(whole, "it is being deleted");
    const owner = ownerInMarker(markerIn(object.metadata));
    if (owner !== undefined && !includeManaged) {
        const stack = owner.split("/").slice(0, 2).join("/");
        const isOwn = identity !== undefined && stack === `${identity.project}/${identity.stack}`;
        const advice = isOwn ? "see `npx pulumi-videograph orphans`" : "--include-managed adopts it anyway";
        return { ...skip(whole, `its marker says that ${owner} (project/stack/name) created it: ${advice}`), stack };
    }
    const described = describe(whole, name, { fingerprint, identity, plugin });
    return "problem" in described ? skip(whole, described.problem) : described;
}

function skip({ kind, id, title }: Listed, reason: string): Skipped {
    return { kind, id, title, reason };
}
