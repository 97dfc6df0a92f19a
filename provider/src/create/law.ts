/**
 * The one law: a create adopts or deletes only objects that are not in the state and are proven to be this resource's, and deletes only
 * those that no state ever had. A pure table: the first rule that fits an earlier create counts; `decision.ts` applies it. An object that is
 * found without that proof is refused. What neither the state nor the journal knows is not in the table: then the create POSTs.
 */
import type { UnfinishedCreate } from "../evidence/ownState";

export interface Facts extends Pick<UnfinishedCreate, "sent" | "ours" | "neverRecorded"> {
    /** The state of this stack has its object, by the id or the marker. */
    recorded: boolean;
    /** The credentials in use are known to reach what its credentials reached. */
    reachable: boolean;
    /** Its create-only inputs are the same, as far as they are known. */
    same: boolean;
}

export type Act =
    /** It has ended: no later create has to know it. */
    | "forget"
    /** Name the object, and the ways out. */
    | "refuse"
    /** The next three search; not found: wait until no request can be accepted any more, and search again. Found: adopt it. */
    | "adopt"
    /** Found: delete it, then POST. */
    | "delete"
    /** Found: as `refuse`. */
    | "refuseIfFound";

export interface Rule {
    name: string;
    when(facts: Facts): boolean;
    act: Act;
}

// biome-ignore format: a table
export const law: readonly Rule[] = [
    // Its object is in the state, although the create did not end: `--replace`, a tainted resource, a first Ctrl-C.
    { name: "recorded",    when: (k) => k.recorded,                act: "forget" },
    { name: "unsent",      when: (k) => !k.sent,                   act: "forget" },
    { name: "credentials", when: (k) => !k.reachable,              act: "refuse" },
    { name: "resumed",     when: (k) => k.ours && k.same,          act: "adopt" },
    { name: "superseded",  when: (k) => k.ours && k.neverRecorded, act: "delete" },
    // Another stack's; or a state may have had the object since, and the user may have released it.
    { name: "undecided",   when: () => true,                       act: "refuseIfFound" },
];

export function ruleFor(facts: Facts): Rule {
    return law.find(({ when }) => when(facts)) as Rule;
}

/** Whether the rule has to know if the object exists. */
export function searches({ act }: Rule): boolean {
    return act === "adopt" || act === "delete" || act === "refuseIfFound";
}
