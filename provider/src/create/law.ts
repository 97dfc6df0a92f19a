/**
 * The one law: a create adopts or deletes only objects that are not in the state and are proven to be this resource's, and deletes only
 * those that no state ever had. A pure table: the first rule that fits an earlier create counts; `decision.ts` applies it. An object that is
 * found without that proof is refused. If neither the state nor the journal knows an earlier create, no rule applies, and the create POSTs.
 */
import type { UnfinishedCreate } from "../operation/ownState";

/** `sent`, `ours` and `neverRecorded`: see `UnfinishedCreate`. */
export interface CreateFacts extends Pick<UnfinishedCreate, "sent" | "ours" | "neverRecorded"> {
    /** The stack's state has the object of the earlier create, by its id or marker. */
    recorded: boolean;
    /** The credentials in use are known to reach the environment of the earlier create. */
    reachable: boolean;
    /** The create-only inputs of the earlier create are the same, as far as they are known. */
    same: boolean;
}

export type Act =
    /** The earlier create has ended: no later create has to know it. */
    | "forget"
    /** Fail, and name the object and the ways out. */
    | "refuse"
    /** Search; not found: wait until no request can be accepted any more, and search again. Found: adopt it. */
    | "adopt"
    /** Search as `adopt` does. Found: delete it, then POST. */
    | "delete"
    /** Search as `adopt` does. Found: fail as `refuse` does. */
    | "refuseIfFound";

export interface Rule {
    name: string;
    when(facts: CreateFacts): boolean;
    act: Act;
}

// biome-ignore format: a table
export const law: readonly Rule[] = [
    // The object is in the state, although its create did not end: `--replace`, a tainted resource, a first Ctrl-C.
    { name: "recorded",    when: (k) => k.recorded,                act: "forget" },
    { name: "unsent",      when: (k) => !k.sent,                   act: "forget" },
    { name: "credentials", when: (k) => !k.reachable,              act: "refuse" },
    { name: "resumed",     when: (k) => k.ours && k.same,          act: "adopt" },
    { name: "superseded",  when: (k) => k.ours && k.neverRecorded, act: "delete" },
    // The create is another stack's; or a state may have had its object since, and the user may have released it.
    { name: "undecided",   when: () => true,                       act: "refuseIfFound" },
];

export function actFor(facts: CreateFacts): Act {
    return (law.find(({ when }) => when(facts)) as Rule).act;
}

/** Whether the act depends on the object. */
export function searches(act: Act): boolean {
    return act === "adopt" || act === "delete" || act === "refuseIfFound";
}
