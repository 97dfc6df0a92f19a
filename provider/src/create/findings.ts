/** What is known of the earlier creates of one resource, after searching for their objects, and what the law says of each. */
import { earlierRunMs, earlierRunStepMs, IncompleteListError } from "../api";
import { inputsDigest, titleDigest } from "../evidence/digest";
import { isTold, type JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { type Marker, stemIn } from "../evidence/marker";
import { isSameProcess } from "../evidence/owner";
import type { OwnState } from "../evidence/ownState";
import { LifecycleError } from "../messages";
import type { Operation } from "../operation/operation";
import { isSameStack } from "../urn";
import type { Create } from "./create";
import { type Known, type Row, rowFor } from "./law";
import { bears, type Found, type Query, theOnly } from "./search";

/** The result of one row. */
export interface Finding<T> {
    row: Row;
    entry?: JournalEntry;
    objects: Found<T>[];
    /** The object that the create may adopt. */
    adoptable?: Found<T> | undefined;
    /** Whether an object that was not found may still appear. */
    isLate: boolean;
    /** Why the search could not show it. */
    doubt?: Error | undefined;
}

/** The entries of the resource's URN, and those of its state under another name, once no other process works on them. */
export async function earlierOf<T extends Listed>({ operation, entry, state }: Create<T>): Promise<JournalEntry[]> {
    const { clock, journal } = operation.environment;
    const isEarlier = (one: JournalEntry) => {
        const isOfState = Boolean(one.birth) && one.birth === state?.birth;
        // A run of another stack with the same names, on the same machine.
        if (one.birth && state?.birth && !isOfState && journal.isOwnedElsewhere(one)) return false;
        return one.nonce !== entry.nonce && (isOfState || isSameStack(one.urn, entry.urn));
    };
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const earlier = (await journal.entriesOf(entry.resource)).filter(isEarlier);
        const isBusy = earlier.some((one) => journal.isOwnedElsewhere(one));
        // A process of a run that was killed ends with the request under way. One that is still alive may be another one of this run.
        if (!isBusy || waitedMs >= earlierRunMs) {
            if (waitedMs > 0 && !isBusy) operation.progress("the earlier run has ended");
            return earlier;
        }
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}

/** Searches for the objects of the entries, and for those of creates that only the state knows. */
export async function findingsOf<T extends Listed>(
    create: Create<T>,
    earlier: readonly JournalEntry[],
): Promise<Finding<T>[]> {
    const ofEntries = await Promise.all(earlier.map((entry) => ofEntry(create, entry)));
    return [...ofEntries, await ofState(create, earlier)].filter(({ row }) => row.act !== "ignore");
}

async function ofEntry<T extends Listed>(create: Create<T>, entry: JournalEntry): Promise<Finding<T>> {
    const { operation, identity, state, search } = create;
    const { journal, trust } = operation.environment;
    const known: Known = {
        entry: isTold(entry) ? "told" : "open",
        repeated: isSameProcess(entry.owner, journal.owner),
        sent: entry.marker !== undefined,
        adopts: entry.adopts !== undefined,
        recorded: state?.has(entry) === true,
        ours: Boolean(entry.birth) && entry.birth === state?.birth,
        reachable: trust.reaches(entry.fingerprint),
        same: hasSameInputs(entry, identity),
        exists: true,
        unended: state?.lost.includes(stemIn(entry.nonce)) === true,
    };
    let objects: Found<T>[] = [];
    let doubt: Error | undefined;
    if (["resume", "supersede", "adopt", "ask", "refuse"].includes(rowFor(known).act) && known.reachable) {
        ({ objects, doubt } = await orDoubt(search.of(entry), operation.signal));
        known.exists = objects.length > 0;
        // By whatever it was found: an adoption that was killed may have put an old marker on it.
        known.recorded ||= objects.some(({ id }) => isManaged(id, operation, state));
        known.same &&= objects.every((one) => bears(one, entry));
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

/** Creates that never ended in the state, of which this machine knows nothing. Only their objects have their stems. */
async function ofState<T extends Listed>(create: Create<T>, earlier: readonly JournalEntry[]): Promise<Finding<T>> {
    const { operation, entry, identity, state, search } = create;
    const known = new Set(earlier.map(({ nonce }) => stemIn(nonce)));
    const lost = state?.lost.filter((one) => !known.has(one)) ?? [];
    const row = rowFor({ entry: "none", unended: lost.length > 0 });
    if (row.act !== "findUnrecorded" || state === undefined) return { row, objects: [], isLate: false };
    const shown = (state.created as readonly T[] | undefined)?.map((object) => search.found(object));
    const query: Query = {
        titles: [entry.title, ...state.titles.map(titleDigest)],
        since: Date.parse(state.birth),
        isIt: ({ nonce }) => lost.includes(stemIn(nonce)),
    };
    const { objects, doubt } = shown ? { objects: shown } : await orDoubt(search.look(query), operation.signal);
    const unrecorded = objects.filter(({ id }) => !isManaged(id, operation, state));
    const object = theOnly(unrecorded);
    const isSame = object?.marker !== undefined && hasSameInputs(object.marker, identity);
    const isLate = shown === undefined && unrecorded.length === 0;
    return { row, objects: unrecorded, adoptable: isSame ? object : undefined, isLate, doubt };
}

/** A list that cannot be read completely, or an object that cannot be read, does not fail the search: it leaves a doubt. */
async function orDoubt<T>(search: Promise<T[]>, signal: AbortSignal): Promise<{ objects: T[]; doubt?: Error }> {
    try {
        return { objects: await search };
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LifecycleError || error instanceof IncompleteListError)
            return { objects: [], doubt: error };
        throw error;
    }
}

/** The state has the object, or another resource of this run does. */
export function isManaged(id: string, { environment, urn }: Operation, state: OwnState | undefined): boolean {
    const manager = environment.managers.by(id, urn);
    return state?.has({ id }) === true || (manager !== undefined && manager !== urn);
}

/** Whether an entry or a marker is of a create with these create-only inputs. */
export function hasSameInputs({ inputs, nonce }: Pick<Marker, "inputs" | "nonce">, identity: unknown): boolean {
    return inputs === inputsDigest(identity, nonce);
}
