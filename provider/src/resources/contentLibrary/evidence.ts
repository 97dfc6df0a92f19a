/**
 * The facts about earlier operations of a library, read once for all its entries: its own entry in the journal, the stack's
 * state, and the service's list where an operation was lost. Each create then asks the one law as that of any other object does.
 */
import { acceptanceMs, type ContentObject, maxSearchPages } from "../../api";
import { countDown, openEntry } from "../../create/createOnce";
import { titleDigest } from "../../evidence/digest";
import type { JournalEntry } from "../../evidence/journal";
import { libraryKind } from "../../evidence/library";
import { type Listed, Lists, type ObjectList, type Reading } from "../../evidence/lists";
import { lineageOf, markerIn, newMarker, parseMarker, resourceDigest, stemIn } from "../../evidence/marker";
import type { OwnState } from "../../evidence/ownState";
import type { Properties } from "../../inputs/values";
import { unlessMissing } from "../../operation/notFound";
import type { Environment, Operation } from "../../operation/operation";

/** An object that is to be created. */
export interface NewEntry {
    key: string;
    urn: string;
    title: string;
}

export interface Scope {
    wanted: readonly NewEntry[];
    /** How many contents the library has or wants. */
    size: number;
    /** Of an update: when the library was last recorded. The state does not keep updates that were lost. */
    since: number | undefined;
}

export interface Evidence {
    /** Of this operation. Recorded with the library, it closes the journal's entry. */
    marker: string;
    /** The context of the create of one entry. */
    environmentOf(wanted: NewEntry): Environment;
    /** By key: what this stack has created for it, although no state, no journal and no lost create accounts for it. */
    unaccounted: ReadonlyMap<string, string[]>;
}

interface Search {
    operation: Operation;
    lists: Lists;
    state: OwnState | undefined;
}

export async function evidenceFor(operation: Operation, inputs: Properties, scope: Scope): Promise<Evidence> {
    const { environment, urn = "" } = operation;
    // Before anything is created: the next run knows that this one's creates are all in the journal.
    const own = await openEntry(operation, { kind: libraryKind, title: "", identity: inputs });
    const state = await environment.ownState.of(urn, libraryKind, operation);
    await environment.journal.note(own.nonce, { birth: state?.birth });
    const accounted = await accountedFor(operation, own, state);
    // The contents of a whole library may be newer than what is looked for.
    const lists = new Lists(environment.clock, maxSearchPages + Math.ceil(scope.size / 25));
    const search = { operation, lists, state };
    const stateOf = ({ urn, key }: NewEntry) => state?.entry?.(urn, key, (one) => accounted.has(one));
    const isLost = scope.wanted.some((one) => isDoubtful(stateOf(one)));
    const why = "waiting until nothing can be accepted that an earlier run has sent";
    if (isLost) await countDown(operation, acceptanceMs, why);
    const lost = isLost ? await listed(search, Date.parse(state?.birth ?? "")) : undefined;
    return {
        marker: newMarker(own, state),
        unaccounted: scope.since === undefined ? new Map() : await unaccountedFor(search, scope.wanted, scope.since),
        environmentOf(wanted) {
            const known = stateOf(wanted);
            const found = isDoubtful(known) ? lost?.of(wanted, known?.titles ?? []) : undefined;
            // All that a lost create has made would be in the list by now.
            const isClear = lost?.complete === true && found?.length === 0;
            const its = known && isClear ? { ...known, isKnown: true } : known;
            const shown = found === undefined ? lists : (lost?.among(found) ?? lists);
            return { ...environment, ownState: { of: async () => its }, lists: shown };
        },
    };
}

function isDoubtful(state: OwnState | undefined): boolean {
    return state !== undefined && state.lost.length > 0 && !state.isKnown;
}

/** Which of the state's lost creates were this machine's, by their stems. */
async function accountedFor({ environment, urn = "" }: Operation, own: JournalEntry, state: OwnState | undefined) {
    const { journal } = environment;
    const entries = state === undefined ? [] : await journal.entriesLike(urn, libraryKind).catch(() => []);
    const ours = entries.filter(({ nonce, birth }) => nonce !== own.nonce && birth === state?.birth);
    for (const one of ours) {
        // The state has forgotten it, or the user has.
        const isOver = state?.lost.includes(stemIn(one.nonce)) === false && !journal.isOwnedElsewhere(one);
        if (isOver) await journal.close(one.nonce).catch(() => undefined);
    }
    return new Set(ours.map(({ nonce }) => stemIn(nonce)));
}

/** The contents that are not older than `since`, in one reading for all entries. */
async function listed({ operation, lists }: Search, since: number) {
    const { api } = operation.environment;
    const list: ObjectList<ContentObject> = { name: "contents", pages: (options) => api.contents(options) };
    const { items, complete } = await lists.read(list, since, operation.signal);
    const byTitle = grouped(items, ({ title }) => titleDigest(title ?? ""));
    const byResource = grouped(items, ({ metadata }) => parseMarker(markerIn(metadata))?.resource ?? "");
    return {
        complete,
        /** Those that may have been created for an entry. */
        of({ urn, title }: NewEntry, titles: readonly string[]): ContentObject[] {
            const found = [title, ...titles].flatMap((one) => byTitle.get(titleDigest(one)) ?? []);
            const unmarked = found.filter(({ metadata }) => markerIn(metadata) === undefined);
            return [...new Set([...unmarked, ...(byResource.get(resourceDigest(urn, "Content")) ?? [])])];
        },
        /** A search for something as old reads no list again. */
        among: (found: ContentObject[]): Environment["lists"] => ({
            reach: (list, options) => lists.reach(list, options),
            read: async <T extends Listed>(list: ObjectList<T>, from: number, signal: AbortSignal) =>
                from <= since ? ({ items: found, complete } as unknown as Reading<T>) : lists.read(list, from, signal),
        }),
    };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    for (const item of items) {
        const group = groups.get(keyOf(item));
        if (group === undefined) groups.set(keyOf(item), [item]);
        else group.push(item);
    }
    return groups;
}

/**
 * An update that was lost with its machine leaves no trace in the state. Its objects are not older than the state's record of the
 * library, have this stack's marker, and are in no journal. Another copy of this state may have created them, so they are only
 * adopted by their ids.
 */
async function unaccountedFor(search: Search, wanted: readonly NewEntry[], since: number) {
    const { operation, state } = search;
    const { api, journal } = operation.environment;
    const unaccounted = new Map<string, string[]>();
    if (wanted.length === 0 || !state?.birth) return unaccounted;
    const lineage = lineageOf(state.birth);
    const { of } = await listed(search, since);
    const isOurs = async ({ contentId, metadata }: ContentObject, { urn, key }: NewEntry) => {
        const marker = parseMarker(markerIn(metadata));
        if (marker?.lineage !== lineage || marker.resource !== resourceDigest(urn, "Content")) return false;
        const isRecorded = state.entry?.(urn, key, () => true).has({ id: contentId, nonce: marker.nonce });
        return isRecorded !== true && (await journal.find(marker.nonce)) === undefined;
    };
    const look = async (one: NewEntry) => {
        for (const item of of(one, [])) {
            const get = () => api.getContent(item.contentId, { signal: operation.signal });
            const object = item.metadata === undefined ? await unlessMissing(get) : item;
            if (object === undefined || !(await isOurs(object, one))) continue;
            unaccounted.set(one.key, [...(unaccounted.get(one.key) ?? []), object.contentId]);
        }
    };
    await Promise.all(wanted.map(look));
    return unaccounted;
}
