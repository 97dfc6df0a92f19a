/** The facts about the state in which a create will be recorded: its own stack's, and no other. `session/ownState.ts` reads it. */
import type { Row } from "../messages";
import type { Listed } from "./lists";

/** The state's facts about one resource that is being created. */
export interface OwnState {
    /** When the state's root resource was recorded, to the nanosecond; "" before it is. No other state, of whatever name, has the same. */
    birth: string;
    /** The earlier creates of the resource that never ended, and that no recorded one has taken care of: the stems of their nonces. */
    lost: readonly string[];
    /** The others that never ended. The next record of the resource names them again: an earlier one may leave the state. */
    settled: readonly string[];
    /** The objects of the lost creates, where one reading has shown them for many resources. */
    created?: readonly Listed[] | undefined;
    /** Their titles, where they are not secret. */
    titles: string[];
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** Of a library's state: the same of one of its entries. The library's lost creates may have created it, `lost` in the same order. */
    entry?(urn: string): OwnState;
}

/** A create of the engine's, and the row that shows what is waited for. */
export interface Attempt extends Pick<Row, "progress"> {
    /** Random text that the engine records with the operation: a create that never ends keeps it in the state. */
    attempt?: string | undefined;
}

export interface OwnStateReader {
    /** `undefined` if it cannot be read, or may be another stack's: then nothing is known. */
    of(urn: string, kind: string, create: Attempt): Promise<OwnState | undefined>;
}
