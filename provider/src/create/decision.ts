/** One decision for all earlier creates of a resource: what follows from the findings, and from what the user says for this run. */
import { isSameId } from "../api";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { LifecycleError, type Message, messages } from "../messages";
import type { Operation } from "../operation/operation";
import type { Create } from "./create";
import { type Finding, hasSameInputs } from "./findings";
import { type Found, theOnly } from "./search";

export interface Decision<T> {
    /** The object to adopt; `undefined` when the create has to send its own. */
    adopt: Found<T> | undefined;
    remove: Found<T>[];
    /** The entries that are no longer needed. */
    close: JournalEntry[];
}

/** Refusals win; then what has to be deleted, what can be adopted, and what may still appear: then the create waits. */
export async function decide<T extends Listed>(
    create: Create<T>,
    findings: readonly Finding<T>[],
    waited: boolean,
): Promise<Decision<T> | "wait"> {
    const { trust, unrecorded } = create.operation.environment;
    const entries = findings.flatMap(({ entry }) => entry ?? []);
    const found = findings.flatMap((one) => one.adoptable ?? []);
    const [adoptable] = found;
    // Only one object can be adopted. Two entries may have it: that of its create, and that of an adoption that was killed.
    const isOne = new Set(found.map(({ id }) => id)).size <= 1;
    // The user may have changed the decision since an adoption was killed.
    const isLeft = ({ entry }: Finding<T>) => entry?.adopts !== undefined && unrecorded === "create";
    const refused = findings.filter((one) => (one.adoptable === undefined ? isRefused(one) : !isOne || isLeft(one)));
    const chosen = refused.length > 0 ? await chosenByUser(create, refused) : undefined;
    if (chosen !== undefined) return { adopt: chosen, remove: [], close: ofObject(entries, chosen) };
    const adopt = refused.length > 0 ? undefined : adoptable;
    if (!waited && adopt === undefined && findings.some((one) => one.isLate)) return "wait";
    const remove = findings.filter(({ row }) => row.act === "supersede").flatMap(({ objects }) => objects);
    if (adopt === undefined) return { adopt, remove, close: entries };
    // The object of an earlier create of this stack exists, so these credentials reach the stack's objects.
    trust.seen(create.entry.fingerprint);
    const closed = findings.flatMap(({ row, entry }) => (row.act === "close" && entry ? [entry] : []));
    return { adopt, remove, close: [...closed, ...ofObject(entries, adopt)] };
}

function isRefused<T>({ row, objects, doubt }: Finding<T>): boolean {
    if (doubt !== undefined || row.act === "refuse") return true;
    return objects.length > 0 && row.act !== "supersede" && row.act !== "close";
}

/** The entries of an object that is adopted under a new one. */
function ofObject<T>(entries: readonly JournalEntry[], { id, marker }: Found<T>): JournalEntry[] {
    return entries.filter((one) => one.nonce === marker?.nonce || (one.id !== undefined && isSameId(one.id, id)));
}

/** The user's decision for this run; throws the refusal if there is none. */
async function chosenByUser<T extends Listed>(
    { operation, entry, identity, search }: Create<T>,
    refused: readonly Finding<T>[],
): Promise<Found<T> | undefined> {
    const { unrecorded } = operation.environment;
    const ids = [...new Set(refused.flatMap(idsOf))];
    if (unrecorded === "create") {
        operation.warn(messages.leftAlone({ objects: ids.join(", ") }));
        return undefined;
    }
    // The user may know what the search could not show, for this resource and for others.
    const isDoubted = refused.some(({ doubt }) => doubt !== undefined);
    const named = isDoubted ? unrecorded : ids.filter((id) => unrecorded.some((one) => isSameId(one, id)));
    const objects = await Promise.all(named.map((id) => search.at(id)));
    const isOfResource = ({ marker }: Found<T>) => marker === undefined || marker.resource === entry.resource;
    const chosen = theOnly(objects.flat().filter(isOfResource));
    if (chosen === undefined) throw new LifecycleError(refusal(entry.kind, refused, ids));
    warnOfOtherInputs(operation, entry.kind, chosen, identity);
    return chosen;
}

/** The user adopts an object that an earlier create of this resource has made, perhaps with other create-only inputs. */
export function warnOfOtherInputs({ warn }: Operation, kind: string, found: Found<unknown>, identity: unknown): void {
    const { id, marker } = found;
    if (marker !== undefined && !hasSameInputs(marker, identity))
        warn(messages.adoptedAsItIs({ object: `${kind} ${id}` }));
}

function refusal<T>(kind: string, refused: readonly Finding<T>[], ids: readonly string[]): Message {
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
function idsOf<T>({ objects, entry }: Finding<T>): string[] {
    if (objects.length > 0) return objects.map(({ id }) => id);
    return [entry?.id ?? `with the marker ${entry?.marker ?? entry?.nonce}`];
}
