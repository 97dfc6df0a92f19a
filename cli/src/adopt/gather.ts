/** Finds the objects to adopt, and the reasons to skip all others. */
import type { VideographApi } from "#provider/api/index";
import { isBeingDeleted, isFailed } from "#provider/api/status";
import { ownerText, readMarker } from "#provider/evidence/marker";
import {
    type Kind,
    keyOf,
    type ListedObject,
    listObjects,
    type ReadObject,
    readObjects,
    refuseUnknown,
} from "../account";
import { type DeclaredObject, declareObject } from "../entry";
import { messages } from "../messages";
import type { Shell } from "../shell";
import { isOfStack, ownersElsewhere, type StackState } from "../state";
import { namesFor } from "./names";

/** The conditions for wanted objects: all must hold. */
export interface Selection {
    readonly kinds: readonly Kind[];
    /** The kinds that the program can have; by default all. */
    readonly included?: readonly Kind[] | undefined;
    readonly title: string;
    readonly tags: readonly string[];
    readonly ids: readonly string[];
    readonly includeManaged: boolean;
    /** The reason why an object cannot be written into the program. */
    readonly whyUnwritable: (resource: DeclaredObject) => string | undefined;
    /** The state of the stack that adopts the objects. */
    readonly state: StackState;
    /** The version of the plugin, if the stack's types are native. */
    readonly plugin: string | undefined;
}

/** An object that is skipped, and the reason. */
export interface Skipped extends Pick<ListedObject, "kind" | "id" | "title"> {
    readonly reason: string;
    /** Whether the object could not be read. */
    readonly unread?: true;
}

export interface Gathered {
    readonly adopted: DeclaredObject[];
    readonly skipped: Skipped[];
    /** The objects that the stack's state already has. */
    readonly known: Skipped[];
}

export async function gather(shell: Shell, api: VideographApi, selection: Selection): Promise<Gathered> {
    const { kinds, included = kinds, ids, state, plugin } = selection;
    const items = await listObjects(api, kinds, shell.terminal);
    refuseUnknown(ids, items, messages.idsUnknown);
    const taken = state.resources.map(({ name }) => name);
    // A filter must not change names. So all objects get one, and the wanted objects are chosen afterwards.
    const names = namesFor(
        items.filter(({ kind }) => included.includes(kind)),
        taken,
    );
    const ownNames = new Map(state.resources.flatMap((one) => (one.external ? [] : [[keyOf(one), one.name]])));
    const wanted = items.filter((item) => isWanted(item, selection));
    const known = wanted.flatMap((item) => {
        const name = ownNames.get(keyOf(item));
        return name === undefined ? [] : [skippedObject(item, `the stack's state already has it, as ${name}`)];
    });
    const skipped: Skipped[] = [];
    const others = wanted.filter((item) => !ownNames.has(keyOf(item)));
    const elsewhere = others.length === 0 ? undefined : await ownersElsewhere(shell);
    const free: ListedObject[] = [];
    for (const item of others) {
        const other = elsewhere?.get(keyOf(item));
        const reason = whyNotFree(item, selection, other);
        if (reason === undefined) free.push(item);
        else skipped.push(skippedObject(item, reason));
        if (reason === undefined && other !== undefined) shell.terminal.warn(sharedWarning(item, other));
    }
    const how = { fingerprint: api.fingerprint, identity: state.identity, plugin, isAdopted: plugin === undefined };
    const adopted: DeclaredObject[] = [];
    for await (const read of readObjects(shell, api, free)) {
        if ("problem" in read) skipped.push({ ...skippedObject(read, read.problem), unread: true });
        else if (isWanted(read, selection)) {
            const name = names.get(keyOf(read)) ?? "";
            const skip = whySkipped(read, selection);
            const result = skip === undefined ? declareObject(read, name, how) : { reason: skip };
            const reason = "reason" in result ? result.reason : selection.whyUnwritable(result.declared);
            if (reason !== undefined) skipped.push(skippedObject(read, reason));
            else if ("declared" in result) adopted.push(result.declared);
        }
    }
    return { adopted, skipped, known };
}

/** A resource of another stack. */
type Owner = { stack: string; resource: string };

/** The reason why this stack may not adopt the object: some stack has it already. An object of another stack is free for a user who names it. */
function whyNotFree(
    { kind, id }: ListedObject,
    { kinds, included = kinds, ids }: Selection,
    other: Owner | undefined,
): string | undefined {
    if (!included.includes(kind)) return "a library has contents only: run the command again with --only livestreams";
    if (other === undefined || ids.includes(id)) return undefined;
    return `the stack ${other.stack} already manages it, as ${other.resource}: name it with --id to adopt it`;
}

function sharedWarning({ kind, id }: ListedObject, { stack, resource }: Owner): string {
    return `the stack ${stack} already manages ${kind} ${id}, as ${resource}: a destroy of either stack deletes it.`;
}

/** Whether the object is wanted, as far as it is known: list items have no tags, and may lack the title. */
function isWanted(item: ListedObject | ReadObject, { ids, title, tags }: Selection): boolean {
    const isNamed = ids.length === 0 || ids.includes(item.id);
    const hasTitle = (item.title ?? title).toLowerCase().includes(title.toLowerCase());
    return isNamed && hasTitle && (!("object" in item) || tags.every((tag) => item.object.tags?.includes(tag)));
}

/** The reason why the object is not adopted. */
function whySkipped({ status, object }: ReadObject, { includeManaged, state }: Selection): string | undefined {
    if (isFailed(status)) return `its status is ${status}: delete it, or create a new one with a program`;
    if (isBeingDeleted(status)) return "it is being deleted";
    const marker = readMarker(object.metadata);
    if (marker === undefined || includeManaged) return undefined;
    const owner = ownerText(marker);
    const advice = isOfStack(marker, state)
        ? "see `npx pulumi-videograph orphans`"
        : "--include-managed adopts it anyway";
    return `its marker says that ${owner} (project/stack/name) created it: ${advice}`;
}

function skippedObject({ kind, id, title }: ListedObject, reason: string): Skipped {
    return { kind, id, title, reason };
}
