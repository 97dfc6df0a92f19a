/**
 * The one law: a create adopts or deletes an object only if it is proven to be this resource's and is not in the state. It deletes an object only if
 * no state ever had it. An object that is found without that proof is refused: the create fails, and names the object. This is a pure table, which
 * `decision.ts` applies: the first rule that fits an earlier create counts. Where no earlier create is known, no rule applies, and the create sends
 * its POST.
 */
import type { UnfinishedCreate } from "../operation/ownState";

/** `sent`, `ours` and `neverRecorded`: see `UnfinishedCreate`. */
export interface CreateFacts extends Pick<UnfinishedCreate, "sent" | "ours" | "neverRecorded"> {
    /** The stack's state has the object of the earlier create: the same id, or the same marker. */
    recorded: boolean;
    /** The credentials in use reach the environment of the earlier create. With others, a search would find nothing, and prove nothing. */
    reachable: boolean;
    /** The earlier create had the same create-only inputs (those that no PUT can change), as far as is known. */
    same: boolean;
}

export type Act =
    /** Nothing is to be done: the earlier create has ended, or never sent anything. */
    | "forget"
    /** Fail without a search. The message names the ways out. */
    | "refuse"
    /** Search. If the object is not found, wait until no request can be accepted any more, and search again. If it is found, adopt it. */
    | "adopt"
    /** Search as `adopt` does. If the object is found, delete it before the POST. */
    | "delete"
    /** Search as `adopt` does. If the object is found, fail: the message names it and the ways out. */
    | "refuseIfFound";

export interface Rule {
    name: string;
    when(facts: CreateFacts): boolean;
    act: Act;
}

// biome-ignore format: a table
export const law: readonly Rule[] = [
    // The state has the object. A journal entry or a pending operation may still name the create, for instance after a first Ctrl-C.
    { name: "recorded",    when: (k) => k.recorded,                act: "forget" },
    { name: "unsent",      when: (k) => !k.sent,                   act: "forget" },
    { name: "credentials", when: (k) => !k.reachable,              act: "refuse" },
    { name: "resumed",     when: (k) => k.ours && k.same,          act: "adopt" },
    { name: "superseded",  when: (k) => k.ours && k.neverRecorded, act: "delete" },
    // The create may be another stack's. Or a state may have had the object since, and the user may have released it.
    { name: "undecided",   when: () => true,                       act: "refuseIfFound" },
];

export function actFor(facts: CreateFacts): Act {
    return (law.find(({ when }) => when(facts)) as Rule).act;
}

/** Whether the act needs a search for the object. */
export function searches(act: Act): boolean {
    return act === "adopt" || act === "delete" || act === "refuseIfFound";
}
