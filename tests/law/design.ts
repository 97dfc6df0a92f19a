/** What the driver does beside the table of the code (law.ts). Each part can be left out, to show what it is for. */
export interface Design {
    /** Every adoption writes a new marker; else only one without an own open entry. */
    remarksAll: boolean;
    /** An adoption notes the object's id with the new marker, before its PUT. */
    notesFirst: boolean;
}

export const design: Design = { remarksAll: true, notesFirst: true };
