/** What was done about orphans. */
import type { Marked } from "./verdict";

export interface Kept {
    readonly object: Marked;
    readonly reason: string;
}

export interface Done {
    readonly deleted: readonly Marked[];
    readonly kept: readonly Kept[];
    readonly importFile: string | undefined;
}

export const nothingDone: Done = { deleted: [], kept: [], importFile: undefined };
