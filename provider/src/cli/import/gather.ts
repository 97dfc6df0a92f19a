/** Finds the objects to take over, and says of all others why they are left out. */
import type { VideographApi } from "../../api";
import { markedOwner, markIn } from "../../lifecycle/create/marker";
import { isFailed, isLeaving } from "../../lifecycle/wait/status";
import { type Kind, type Listed, list, read, type Unreadable, type Whole } from "../account";
import { type Described, describe } from "../entry";
import { keyOf, namesFor } from "../names";
import { counted, quoted, type Shell } from "../shell";
import { managedBy, type StackState } from "../stackState";

/** How many objects are read before it is looked whether there are enough. */
const batch = 64;

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
    readonly state: StackState;
}

/** An object that is left out, and why. */
export interface Skipped {
    readonly kind: Kind;
    readonly id: string;
    readonly title: string | undefined;
    readonly reason: string;
    /** The stack whose mark it bears, as project/stack, where that is why. */
    readonly stack?: string;
}

export interface Gathered {
    readonly taken: Described[];
    readonly skipped: Skipped[];
    /** What the stack has already. */
    readonly known: Skipped[];
}

export async function gather(shell: Shell, api: VideographApi, selection: Selection): Promise<Gathered> {
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
            if ("entry" in result) taken.push(result);
            else skipped.push(result);
        }
    }
    return { taken, skipped, known };
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
    { includeManaged, state: { identity } }: Selection,
): Described | Skipped {
    if ("problem" in whole) return leftOut(whole, whole.problem);
    const { status, object } = whole;
    if (isFailed(status)) return leftOut(whole, `its status is ${status}: delete it, or create it anew with a program`);
    if (isLeaving(status)) return leftOut(whole, "it is being deleted");
    const owner = markedOwner(markIn(object.metadata));
    if (owner !== undefined && !includeManaged) {
        const stack = owner.split("/").slice(0, 2).join("/");
        const isOwn = identity !== undefined && stack === `${identity.project}/${identity.stack}`;
        const advice = isOwn ? "see `npx pulumi-videograph orphans`" : "--include-managed takes it nevertheless";
        return { ...leftOut(whole, `it was made as ${owner} (project/stack/name), says its mark: ${advice}`), stack };
    }
    const described = describe(whole, name, fingerprint);
    return "problem" in described ? leftOut(whole, described.problem) : described;
}

function leftOut({ kind, id, title }: Listed, reason: string): Skipped {
    return { kind, id, title, reason };
}
