/** Finds the objects to adopt, and says of all others why they are skipped. */
import type { VideographApi } from "../../api";
import { markerIn, ownerInMarker } from "../../lifecycle/create/marker";
import { isFailed, isLeaving } from "../../lifecycle/wait/status";
import { type Kind, type Listed, list, read, type Unreadable, type Whole } from "../account";
import { type Described, describe } from "../entry";
import { keyOf, namesFor } from "../names";
import type { PartialResult } from "../partial";
import { counted, quoted, type Shell } from "../shell";
import { managedBy, type StackIdentity, type StackState } from "../stackState";

/** Which objects are wanted: all conditions must hold. */
export interface Selection {
    readonly kinds: readonly Kind[];
    readonly title: string | undefined;
    readonly tags: readonly string[];
    readonly status: string | undefined;
    /** Any of these; all objects when there are none. */
    readonly ids: readonly string[];
    readonly limit: number;
    readonly includeManaged: boolean;
    /** For the read of one object, in ms. */
    readonly timeoutMs: number;
    readonly state: StackState;
    /** The stack that adopts them, where it is known. */
    readonly identity: StackIdentity | undefined;
}

/** An object that is skipped, and why. */
export interface Skipped {
    readonly kind: Kind;
    readonly id: string;
    readonly title: string | undefined;
    readonly reason: string;
    /** The stack that its marker names, as project/stack, where that is why. */
    readonly stack?: string;
    /** Set when it could not be read. */
    readonly unread?: true;
}

/** An adopted object, without what its files say of it. */
export interface Adopted {
    readonly kind: Kind;
    readonly id: string;
    readonly name: string;
    readonly undeclared: readonly string[];
}

export interface Gathered {
    readonly adopted: Adopted[];
    readonly skipped: Skipped[];
    /** What the stack has already. */
    readonly known: Skipped[];
}

/** What is to be adopted goes into `partial`, so that an interrupted run continues and memory stays small. */
export async function gather(
    shell: Shell,
    api: VideographApi,
    selection: Selection,
    partial: PartialResult<Described>,
): Promise<Gathered> {
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
        if (resource !== undefined) known.push(skip(item, `the stack's state has it already, as ${resource}`));
        return resource === undefined;
    });
    const adopted: Adopted[] = [];
    const skipped: Skipped[] = [];
    for await (const before of partial.begin()) adopted.push(summaryOf(before));
    if (adopted.length > 0)
        shell.talk.say(`Continuing after ${counted(adopted.length, "object")} of an interrupted run.`);
    const finished = new Set(adopted.map(keyOf));
    const left = likely.filter((item) => !finished.has(keyOf(item)));
    let done = adopted.length;
    for await (const whole of read(api, left, selection.timeoutMs)) {
        if (adopted.length >= selection.limit) break;
        shell.talk.progress(`Reading: ${++done} of ${counted(likely.length, "object")}`);
        if (!("problem" in whole) && !isWanted(whole, selection)) continue;
        const result = judge(whole, names.get(keyOf(whole)) ?? "", api.fingerprint, selection);
        if ("entry" in result) {
            adopted.push(summaryOf(result));
            await partial.add(result);
        } else skipped.push(result);
    }
    return { adopted, skipped, known };
}

function summaryOf({ kind, entry: { id, name }, undeclared }: Described): Adopted {
    return { kind, id, name, undeclared };
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

/** The object's entry, or why it is skipped. */
function judge(
    whole: Whole | Unreadable,
    name: string,
    fingerprint: string,
    { includeManaged, identity }: Selection,
): Described | Skipped {
    if ("problem" in whole) return { ...skip(whole, whole.problem), ...(!whole.deleted && { unread: true }) };
    const { status, object } = whole;
    if (isFailed(status)) return skip(whole, `its status is ${status}: delete it, or create a new one with a program`);
    if (isLeaving(status)) return skip(whole, "it is being deleted");
    const owner = ownerInMarker(markerIn(object.metadata));
    if (owner !== undefined && !includeManaged) {
        const stack = owner.split("/").slice(0, 2).join("/");
        const isOwn = identity !== undefined && stack === `${identity.project}/${identity.stack}`;
        const advice = isOwn ? "see `npx pulumi-videograph orphans`" : "--include-managed adopts it nevertheless";
        return { ...skip(whole, `its marker says that ${owner} (project/stack/name) created it: ${advice}`), stack };
    }
    const described = describe(whole, name, { fingerprint, identity });
    return "problem" in described ? skip(whole, described.problem) : described;
}

function skip({ kind, id, title }: Listed, reason: string): Skipped {
    return { kind, id, title, reason };
}
