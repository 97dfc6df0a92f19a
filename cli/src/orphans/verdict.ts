/**
 * Decides whose an object with a stack's marker is, as `create/law.ts` decides it for runs. Only an orphan may be deleted without being named:
 * an object that is not surely this stack's counts as somebody else's.
 */

import type { JournalEntry } from "#provider/evidence/journalFile";
import { type Marker, noncePrefixOf, prefixOf, readMarker } from "#provider/evidence/marker";
import { somePart } from "#provider/inputs/values";
import { signatureKey } from "#provider/secretValues/marks";
import { keyOf, type ReadObject } from "../account";
import { hasNamesOf, isOfStack, type StackState } from "../state";

export type MarkedObject = ReadObject & { readonly marker: Marker };

/** The verdicts, in the order of the report. Each text follows a number: `3 objects …`. */
export const verdicts = {
    orphan: "from creates that never ended in the state",
    pending:
        "from creates that are open in the journal or unconfirmed in the state; the next create of the resource continues with them; if there is none, delete them",
    copy: "of creates whose object the state has: a proxy may have repeated the request",
    released:
        "that this stack created and may have released (retainOnDelete, `pulumi state delete`) or moved: the state has no unfinished create of them",
    foreign:
        "that may belong to another stack: of this name, in another backend or an earlier one, or with a copy of this state",
};
export type Verdict = keyof typeof verdicts;

/** The object with its marker, if the marker has the lineage of the state or the names of the stack. */
export function markedObject(read: ReadObject, state: StackState): MarkedObject | undefined {
    const marker = readMarker(read.object.metadata);
    return marker !== undefined && isOfStack(marker, state) ? { ...read, marker } : undefined;
}

/** Whether the state has the object. Two environments may use one id: with another marker, a record of other credentials is about another object. */
export function isInState(object: MarkedObject, { resources }: StackState, fingerprint: string): boolean {
    return resources.some(
        (recorded) =>
            keyOf(recorded) === keyOf(object) &&
            (recorded.fingerprint === fingerprint ||
                recorded.nonce === undefined ||
                recorded.nonce === object.marker.nonce),
    );
}

/** The verdict on an object that the state does not have. */
export function verdictOf({ marker }: MarkedObject, state: StackState, journal: readonly JournalEntry[]): Verdict {
    const { lineage, nonce } = marker;
    const entry = journal.find((one) => one.nonce === nonce);
    // The state of a destroyed stack has no birth any more. Only the journal knows that this stack began the create.
    if (entry !== undefined && state.lineage === undefined) return "pending";
    if (lineage === undefined || lineage !== state.lineage) return "foreign";
    if (entry !== undefined || state.unconfirmed.has(nonce)) return "pending";
    if (state.resources.some((recorded) => recorded.nonce === nonce)) return "copy";
    const isUnended = createOf({ marker }, state) !== undefined;
    if (isUnended && !state.handled.has(prefixOf(nonce))) return "orphan";
    return hasNamesOf(marker, state.identity) ? "released" : "foreign";
}

/** The create in the state that made the object: the marker begins with digits that the engine has recorded for this create alone. */
export function createOf({ marker }: Pick<MarkedObject, "marker">, { creates }: StackState) {
    return creates.find(({ attempt, isUpdate }) => {
        const prefix = attempt && noncePrefixOf(attempt, marker.resourceDigest);
        return !isUpdate && prefix === prefixOf(marker.nonce);
    });
}

/** The names of inputs that the state has encrypted, so that an import file cannot have their values. */
export function secretInputsOf(object: MarkedObject, state: StackState): string[] {
    const inputs = Object.entries(createOf(object, state)?.inputs ?? {});
    return inputs.flatMap(([name, value]) => (isEncrypted(value) ? name : []));
}

/** Whether the value is encrypted in the export of a state, or has a part that is. */
function isEncrypted(value: unknown): boolean {
    return somePart(value, (part, name) => name === signatureKey || isEncrypted(part));
}
