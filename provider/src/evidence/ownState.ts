/** The facts about the state in which a create will be recorded: its own stack's, and no other. */
import type { Row } from "../messages";

/** The state's facts about one resource that is being created. */
export interface OwnState {
    /** When the state's root resource was recorded, to the nanosecond. No other state, of whatever name, has the same. */
    birth: string | undefined;
    /** Earlier creates of the resource that never ended in the state (m). */
    pending: number;
    /** How many of them a recorded create of the resource had seen, and so has taken care of: its k. */
    resolved: number;
    /** Their titles, where they are not secret. */
    titles: string[];
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /**
     * Of a library's state: the same of one of its entries, whose creates are those of the library that may have declared its key.
     * `isExplained` says of such a create, by its k, that the journal of this machine has all that it did.
     */
    entry?(urn: string, key: string, isExplained: (k: number) => boolean): OwnState;
}

export interface OwnStateReader {
    /** `undefined` if it cannot be read, or may be another stack's: then nothing is known. */
    of(urn: string, kind: string, row: Pick<Row, "progress">): Promise<OwnState | undefined>;
}
