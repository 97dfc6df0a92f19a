/** The table of the code (law.ts), and what the driver does beside it: each part can be left out, to show what it is for. */
import type { Row } from "../../provider/dist/create/law.js";
import { law } from "../../provider/dist/create/law.js";

export interface Design {
    table: readonly Row[];
    /** Every adoption writes a new marker; else only one without an own open entry. */
    remarksAll: boolean;
    /** An adoption notes the object's id with the new marker, before its PUT. */
    notesFirst: boolean;
}

export const design: Design = { table: law, remarksAll: true, notesFirst: true };

/** The table with some rows changed. */
export function changed(rows: Record<string, Partial<Row>>): Design {
    return { ...design, table: law.map((row) => ({ ...row, ...rows[row.name] })) };
}
