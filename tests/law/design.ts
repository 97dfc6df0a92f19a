/** The one law as the code has it (law.ts), and what the driver does beside the table: each part can be changed, to show what it is for. */
import type { Row } from "../../provider/dist/lifecycle/create/law.js";
import { law } from "../../provider/dist/lifecycle/create/law.js";

export interface Design {
    table: readonly Row[];
    /** Every adoption writes a new marker with k = m; else only one without an own entry. */
    remarksAll: boolean;
    /** Where a machine was lost and nothing is found, the create waits and looks again. */
    lostWaits: boolean;
    /** A lost machine is looked for only where m is more than the k of every recorded row of this lineage. */
    beyondRecorded: boolean;
    /** The object of a lost machine is adopted only where m, less the open entries, is more than its k. */
    lostUnexplained: boolean;
    /** A refusal closes no entry. */
    refusalKeeps: boolean;
    /** Entries of which nothing was sent explain an operation. */
    unsentExplains: boolean;
    /** A found object that a row has by its id is recorded, whatever its marker. */
    foundRecorded: boolean;
    /** An adoption notes the object's id with the new marker, before its PUT. */
    notesFirst: boolean;
    /** The object of a lost machine needs k < m. */
    counts: boolean;
    /** A told entry is acted on only where the object still has its marker. */
    markerFits: boolean;
}

export const design: Design = {
    ...{
        table: law,
        remarksAll: true,
        lostWaits: true,
        beyondRecorded: true,
        lostUnexplained: true,
        refusalKeeps: true,
    },
    ...{ unsentExplains: true, foundRecorded: true, notesFirst: true, counts: true, markerFits: true },
};

/** The table with some rows changed, or (`null`) taken out. */
export function changed(rows: Record<string, Partial<Row> | null>): Design {
    const table = law.flatMap((row) => (rows[row.name] === null ? [] : [{ ...row, ...rows[row.name] }]));
    return { ...design, table };
}
