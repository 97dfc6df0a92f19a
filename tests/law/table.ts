/** The table of the one law, row by row, as provider/src/lifecycle/create/law.ts has it. Each entry takes the first row that fits. */

export interface Known {
    /** What the journal has: nothing (the row of the resource itself), an entry, or one whose answer left for the engine. */
    entry: "none" | "open" | "told";
    /** The entry is that of this very create, which the engine repeats. */
    repeated: boolean;
    /** A row of the own state has its object. */
    recorded: boolean;
    sent: boolean;
    /** Its birth is that of this state. */
    ours: boolean;
    credentials: boolean;
    /** Equal create-only inputs. */
    same: boolean;
    exists: boolean;
    /** Its object still carries its marker: no other machine adopted it. */
    fits: boolean;
    /** m > k, less one for each other open entry. */
    unexplained: boolean;
    /** Earlier operations of this resource that never ended. */
    m: number;
}

export type Verdict = "close" | "ignore" | "refuse" | "resume" | "supersede" | "adopt" | "search" | "lost" | "post";

export interface LawRow {
    name: string;
    when: (known: Known) => boolean;
    then: Verdict;
}

const open = (known: Known) => known.entry === "open";
const told = (known: Known) => known.entry === "told";

export const table: LawRow[] = [
    { name: "repeat", when: (known) => known.repeated, then: "resume" },
    { name: "recorded", when: (known) => known.entry !== "none" && known.recorded, then: "close" },
    { name: "unsent", when: (known) => open(known) && !known.sent, then: "close" },
    { name: "elsewhere", when: (known) => told(known) && !known.ours, then: "ignore" },
    { name: "credentials", when: (known) => known.entry !== "none" && !known.credentials, then: "refuse" },
    { name: "resume", when: (known) => open(known) && known.ours && known.same, then: "resume" },
    { name: "supersede", when: (known) => open(known) && known.ours, then: "supersede" },
    { name: "gone", when: (known) => told(known) && !known.exists, then: "close" },
    {
        name: "lostRecord",
        when: (known) => told(known) && known.unexplained && known.same && known.fits,
        then: "adopt",
    },
    { name: "released", when: told, then: "refuse" },
    { name: "foreign", when: open, then: "search" },
    { name: "lostMachine", when: (known) => known.m >= 1, then: "lost" },
    { name: "post", when: () => true, then: "post" },
];

/** What the driver does beside the table. Each can be changed, to show what it is for. */
export interface Design {
    table: LawRow[];
    /** Which adoptions write a new marker with k = m. */
    remark: "all" | "lostMachine";
    /** Whether `lostMachine` waits and searches again before a POST. */
    lostWait: "always" | "more than open entries" | "never";
    /** Whether it applies only where m is more than the k of every recorded row of this lineage. */
    beyondRecorded: boolean;
    /** Whether an adoption needs m less the open entries > k (else m > k). */
    lostExplained: boolean;
    /** Whether a single candidate of `lostMachine` with the same inputs is adopted (else refused). */
    lostAdopts: boolean;
    /** Whether an unsent entry is closed even where the create refuses. */
    closesAtOnce: boolean;
    /** Whether unsent entries explain an operation. */
    unsentExplains: boolean;
    /** Whether an object that is found, and that a row has by its id, counts as recorded. */
    foundRecorded: boolean;
    /** Whether an adoption notes the id with its marker, before the PUT. */
    notesFirst: boolean;
    /** Whether a candidate needs k < m. */
    counts: boolean;
}

export const design: Design = {
    ...{ table, remark: "all", lostWait: "more than open entries", beyondRecorded: false, lostExplained: true },
    ...{
        lostAdopts: true,
        closesAtOnce: false,
        unsentExplains: true,
        counts: true,
        foundRecorded: true,
        notesFirst: true,
    },
};

/** The table with some rows changed, or taken out. */
export function changed(rows: Record<string, Partial<LawRow> | null>): LawRow[] {
    return table.flatMap((row) => {
        const change = rows[row.name];
        return change === null ? [] : [{ ...row, ...change }];
    });
}
