/** Applies the law to the earlier creates of one resource, after searching for their objects: one decision for all of them. */
import { IncompleteListError, isSameId } from "../api";
import { inputsDigest, titleDigest } from "../evidence/digest";
import { isTold, type JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { markerOf, stemIn } from "../evidence/marker";
import { isSameProcess } from "../evidence/owner";
import { LifecycleError, type Message, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { type Create, queryFor } from "./create";
import { type Known, type Row, rowFor } from "./law";
import { look, lookAt, type Query } from "./search";

export type Decision<T> =
    /** An object that was not found may still appear. */
    | { kind: "wait" }
    | {
          kind: "go";
          /** The object to adopt; `undefined` when the create has to send its own. */
          adopt: T | undefined;
          remove: T[];
          /** The entries that are no longer needed. */
          close: JournalEntry[];
      };

/** The result of one row. */
interface Finding<T> {
    row: Row;
    entry?: JournalEntry;
    objects: T[];
    /** The object that the create may adopt. */
    adoptable?: T | undefined;
    /** Whether an object that was not found may still appear. */
    isLate: boolean;
    /** Why the search could not show it. */
    doubt?: Error | undefined;
}

/** Refusals win; then what has to be deleted, what can be adopted, and what may still appear. */
export async function decide<T extends Listed>(
    create: Create<T>,
    earlier: readonly JournalEntry[],
    waited: boolean,
): Promise<Decision<T>> {
    const ofEntries = await Promise.all(earlier.map((entry) => judge(create, entry)));
    const findings = [...ofEntries, await judgeState(create, earlier)].filter(({ row }) => row.act !== "ignore");
    const entries = findings.flatMap(({ entry }) => entry ?? []);
    const found = findings.flatMap((one) => one.adoptable ?? []);
    const [adoptable] = found;
    // Only one object can be adopted. Two entries may have it: that of its create, and that of an adoption that was killed.
    const isOne = new Set(found.map(create.request.kind.idOf)).size <= 1;
    // The user may have changed the decision since an adoption was killed.
    const isLeft = ({ entry }: Finding<T>) =>
        entry?.adopts !== undefined && create.operation.environment.unrecorded === "create";
    const refused = findings.filter((one) => (one.adoptable === undefined ? isRefused(one) : !isOne || isLeft(one)));
    const chosen = refused.length > 0 ? await chosenByUser(create, refused) : undefined;
    if (chosen !== undefined)
        return { kind: "go", adopt: chosen, remove: [], close: ofObject(entries, create, chosen) };
    const adopt = refused.length > 0 ? undefined : adoptable;
    if (!waited && adopt === undefined && findings.some((one) => one.isLate)) return { kind: "wait" };
    const remove = findings.filter(({ row }) => row.act === "supersede").flatMap(({ objects }) => objects);
    if (adopt === undefined) return { kind: "go", adopt, remove, close: entries };
    // The object of an earlier create of this stack exists, so these credentials reach the stack's objects.
    create.operation.environment.trust.seen(create.entry.fingerprint);
    const closed = findings.flatMap(({ row, entry }) => (row.act === "close" && entry ? [entry] : []));
    return { kind: "go", adopt, remove, close: [...closed, ...ofObject(entries, create, adopt)] };
}

async function judge<T extends Listed>(create: Create<T>, entry: JournalEntry): Promise<Finding<T>> {
    const { operation, state } = create;
    const { journal, trust } = operation.environment;
    const known: Known = {
        entry: isTold(entry) ? "told" : "open",
        repeated: isSameProcess(entry.owner, journal.owner),
        sent: entry.marker !== undefined,
        adopts: entry.adopts !== undefined,
        recorded: state?.has(entry) === true,
        ours: Boolean(entry.birth) && entry.birth === state?.birth,
        reachable: trust.reaches(entry.fingerprint),
        same: entry.inputs === inputsDigest(create.request.identity, entry.nonce),
        exists: true,
        unended: state?.lost.includes(stemIn(entry.nonce)) === true,
    };
    const query = queryFor(create.request, entry);
    let objects: T[] = [];
    let doubt: Error | undefined;
    if (["resume", "supersede", "adopt", "ask", "refuse"].includes(rowFor(known).act) && known.reachable) {
        ({ objects, doubt } = await orDoubt(operation, objectsOf(create, entry, query)));
        known.exists = objects.length > 0;
        // By whatever it was found: an adoption that was killed may have put an old marker on it.
        known.recorded ||= objects.some((object) => isManaged(create, create.request.kind.idOf(object)));
        known.same &&= objects.every((object) => bears(object, query));
    }
    const row = rowFor(known);
    // An object that returns 404 right after its create may exist nevertheless.
    const mayShow = ["resume", "supersede", "ask"].includes(row.act) || row.name === "gone";
    return {
        row,
        entry,
        objects,
        doubt,
        adoptable: row.act === "resume" || row.act === "adopt" ? theOnly(objects) : undefined,
        isLate: known.sent && mayShow && objects.length === 0,
    };
}

/** A list that cannot be read completely, or an object that cannot be read, does not fail the search: it leaves a doubt. */
async function orDoubt<T>(
    { signal }: Operation,
    search: Promise<T[]> | readonly T[],
): Promise<{ objects: T[]; doubt?: Error }> {
    try {
        return { objects: [...(await search)] };
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LifecycleError || error instanceof IncompleteListError)
            return { objects: [], doubt: error };
        throw error;
    }
}

async function objectsOf<T extends Listed>(
    { operation }: Create<T>,
    entry: JournalEntry,
    query: Query<T>,
): Promise<T[]> {
    if (entry.id === undefined) return look(operation, query);
    const objects = await lookAt(entry.id, query);
    // The object that the engine was given exists, although another stack may have adopted it since, under its own marker.
    return isTold(entry) ? objects : objects.filter((object) => bears(object, query));
}

/** Creates that never ended in the state, of which this machine knows nothing. Only their objects have their stems. */
async function judgeState<T extends Listed>(create: Create<T>, earlier: readonly JournalEntry[]): Promise<Finding<T>> {
    const { request, state } = create;
    const known = new Set(earlier.map(({ nonce }) => stemIn(nonce)));
    const lost = state?.lost.filter((one) => !known.has(one)) ?? [];
    const row = rowFor({ entry: "none", unended: lost.length > 0 });
    if (row.act !== "findUnrecorded" || state === undefined) return { row, objects: [], isLate: false };
    const shown = state.created as readonly T[] | undefined;
    const query: Query<T> = {
        kind: request.kind,
        titles: [request.title, ...state.titles].map(titleDigest),
        since: Date.parse(state.birth),
        isIt: ({ nonce }) => lost.includes(stemIn(nonce)),
        options: request.options,
    };
    const { objects, doubt } = await orDoubt(create.operation, shown ?? look(create.operation, query));
    const unrecorded = objects.filter((object) => !isManaged(create, request.kind.idOf(object)));
    const object = theOnly(unrecorded);
    const { inputs, nonce = "" } = markerOf(object?.metadata) ?? {};
    const isSame = inputs === inputsDigest(request.identity, nonce);
    const isLate = shown === undefined && unrecorded.length === 0;
    return { row, objects: unrecorded, adoptable: isSame ? object : undefined, isLate, doubt };
}

export function theOnly<T>(objects: readonly T[]): T | undefined {
    return objects.length === 1 ? objects[0] : undefined;
}

/** The state has the object, or another resource of this run does. */
function isManaged<T extends Listed>({ operation, state }: Create<T>, id: string): boolean {
    const manager = operation.environment.managers.by(id, operation.urn);
    return state?.has({ id }) === true || (manager !== undefined && manager !== operation.urn);
}

/** A service may not show metadata at all; then the id says enough. */
function bears<T extends Listed>({ metadata }: T, { isIt }: Query<T>): boolean {
    const marker = markerOf(metadata);
    return metadata === undefined || (marker !== undefined && isIt(marker));
}

function isRefused<T>({ row, objects, doubt }: Finding<T>): boolean {
    if (doubt !== undefined || row.act === "refuse") return true;
    return objects.length > 0 && row.act !== "supersede" && row.act !== "close";
}

/** The user's decision for this run; throws the refusal if there is none. */
async function chosenByUser<T extends Listed>(
    create: Create<T>,
    refused: readonly Finding<T>[],
): Promise<T | undefined> {
    const { operation, request } = create;
    const { unrecorded } = operation.environment;
    const ids = [...new Set(refused.flatMap((one) => idsOf(create, one)))];
    if (unrecorded === "create") {
        operation.warn(messages.leftAlone({ objects: ids.join(", ") }));
        return undefined;
    }
    // The user may know what the search could not show, for this resource and for others.
    const isDoubted = refused.some(({ doubt }) => doubt !== undefined);
    const named = isDoubted ? unrecorded : ids.filter((id) => unrecorded.some((one) => isSameId(one, id)));
    const objects = await Promise.all(named.map((id) => unlessMissing(() => request.kind.get(id, request.options))));
    const chosen = theOnly(
        objects.filter((one) => one !== undefined && !isLeaving(one.status) && isOfResource(create, one)),
    );
    if (chosen === undefined) throw new LifecycleError(refusal(create, refused, ids));
    warnOfOtherInputs(operation, `${request.kind.name} ${request.kind.idOf(chosen)}`, chosen, request.identity);
    return chosen;
}

/** The user adopts an object that an earlier create of this resource has made, perhaps with other create-only inputs. */
export function warnOfOtherInputs({ warn }: Operation, what: string, { metadata }: Listed, identity: unknown): void {
    const { inputs, nonce } = markerOf(metadata) ?? {};
    if (nonce !== undefined && inputs !== inputsDigest(identity, nonce)) warn(messages.adoptedAsItIs({ object: what }));
}

function isOfResource<T extends Listed>({ entry }: Create<T>, { metadata }: T): boolean {
    const resource = markerOf(metadata)?.resource;
    return resource === undefined || resource === entry.resource;
}

function refusal<T extends Listed>(create: Create<T>, refused: readonly Finding<T>[], ids: readonly string[]): Message {
    const kind = create.request.kind.name;
    const objects = `${kind} ${ids.join(", ")}`;
    const nonces = refused.flatMap(({ entry }) => entry?.nonce ?? []);
    const forget = nonces.length === 0 ? "" : messages.forgetEntries({ entries: nonces.join(" ") });
    const waysOut = { ids: ids.join(","), forget };
    const [doubted] = refused.flatMap(({ doubt }) => doubt ?? []);
    if (doubted !== undefined)
        return messages.createUnknown({ object: kind.toLowerCase(), error: doubted.message, forget });
    const [first] = refused.map(({ row }) => row.name);
    if (first === "credentials") return messages.refusedCredentials({ objects, forget });
    if (first === "lostMachine") return messages.refusedLostMachine({ objects, ...waysOut });
    if (first === "released" || first === "adoption") return messages.refusedReleased({ objects, ...waysOut });
    return messages.refusedForeign({ objects, ...waysOut });
}

/** An object that was never seen is named by its marker. */
function idsOf<T extends Listed>({ request }: Create<T>, { objects, entry }: Finding<T>): string[] {
    if (objects.length > 0) return objects.map((object) => request.kind.idOf(object));
    return [entry?.id ?? `with the marker ${entry?.marker ?? entry?.nonce}`];
}

/** The entries of an object that is adopted under a new one. */
function ofObject<T extends Listed>(
    entries: readonly JournalEntry[],
    { request }: Create<T>,
    object: T,
): JournalEntry[] {
    const id = request.kind.idOf(object);
    const nonce = markerOf(object.metadata)?.nonce;
    return entries.filter((entry) => entry.nonce === nonce || (entry.id !== undefined && isSameId(entry.id, id)));
}
