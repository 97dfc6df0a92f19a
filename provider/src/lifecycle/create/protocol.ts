/**
 * The create protocol (S1): exactly one object per create, although the service knows no idempotency key and an answer can
 * be lost. A pure table: which event in which state leads to which state and action. `createOnce` performs the actions.
 */

import { messages } from "../../messages";
import { LifecycleError } from "../resource";

export type StateName =
    /** Nothing was written or sent. */
    | "fresh"
    /** An earlier process left an entry, and the program still wants that object. */
    | "resumed"
    /** An earlier process left an entry, and the program wants another object by now. */
    | "outdated"
    | "opening"
    | "sent"
    /** Nobody knows whether the last POST was processed. */
    | "ambiguous"
    /** The last POST was refused, but an earlier one may have been processed. */
    | "refused"
    | "known"
    /** The create is complete. A second object may exist. */
    | "settling"
    | "settled"
    /** Complete, but a second object may exist that a later run has to look for. */
    | "unsettled"
    | "failed";

export type EventName =
    | "begin"
    | "opened"
    | "openFailed"
    /** 2xx with an object. */
    | "created"
    /** The service or the network says that this POST had no effect. */
    | "rejected"
    /** It may have had an effect, or will have one. */
    | "lost"
    | "found"
    | "notFound"
    /** No search was complete: it failed, or the process has to end. */
    | "searchFailed"
    /** What an outdated entry left was deleted. */
    | "removed"
    | "complete"
    | "swept"
    /** The process has to end, and the POST was not sent. */
    | "interrupted";

export type ActionName =
    /** Write the journal entry, with one more POST. */
    | "open"
    /** Write the entry of an earlier process again, as this one's. */
    | "claim"
    | "post"
    | "search"
    /** Delete what was found, and close its entry. */
    | "remove"
    /** Close the entry and fail. */
    | "closeAndFail"
    /** Fail; the entry stays for the next run. */
    | "fail"
    /** Hand over the object. */
    | "keep"
    /** Begin again with an entry and a marker of its own; the old entry is closed where that is safe. */
    | "startOver"
    /** Look for a second object with the marker and delete it. */
    | "sweep"
    | "none";

export interface State {
    name: StateName;
    /** POSTs of this run, and one for those of an earlier run. */
    posts: number;
    /** Some POST may have had an effect that nobody has seen. */
    doubt: boolean;
    /** "Not found" proves something: the entry was written with the credentials in use. */
    sameCredentials: boolean;
}

export interface Step {
    state: State;
    action: ActionName;
}

type Row = readonly [StateName, ActionName];
type Choice = Row | ((state: State) => Row);

export const maxPosts = 3;

const nothingCreated: Choice = ({ doubt }) => (doubt ? ["refused", "search"] : ["failed", "closeAndFail"]);
const sendAgain: Choice = ({ posts, sameCredentials }) => {
    if (!sameCredentials) return ["fresh", "startOver"];
    return posts < maxPosts ? ["opening", "open"] : ["failed", "fail"];
};
const settle: Choice = ({ doubt }) => (doubt ? ["settling", "sweep"] : ["settled", "none"]);

const keepEntry: Row = ["failed", "fail"];

// biome-ignore format: a table
export const table: { readonly [name in StateName]: { readonly [event in EventName]?: Choice } } = {
    fresh:     { begin: ["opening", "open"] },
    resumed:   { begin: ["resumed", "claim"],          opened: ["ambiguous", "search"],   openFailed: keepEntry },
    outdated:  { begin: ["outdated", "search"],
                 found: ["outdated", "remove"],        removed: ["fresh", "startOver"],
                 notFound: ["fresh", "startOver"],     searchFailed: keepEntry },
    opening:   { opened: ["sent", "post"],             openFailed: keepEntry },
    sent:      { created: ["known", "keep"],           lost: ["ambiguous", "search"],
                 rejected: nothingCreated,             interrupted: ({ doubt }) => ["failed", doubt ? "fail" : "closeAndFail"] },
    ambiguous: { found: ["known", "keep"],             notFound: sendAgain,              searchFailed: keepEntry },
    refused:   { found: ["known", "keep"],             notFound: keepEntry,              searchFailed: keepEntry },
    known:     { complete: settle },
    settling:  { swept: ["settled", "none"],           searchFailed: ["unsettled", "none"] },
    settled:   {},
    unsettled: {},
    failed:    {},
};

/** Where a create begins. */
export function initial(name: "fresh" | "resumed" | "outdated", sameCredentials = true): State {
    // What an earlier process sent counts as one POST without an answer.
    const earlier = name === "resumed";
    return { name, posts: earlier ? 1 : 0, doubt: earlier, sameCredentials };
}

export function next(before: State, event: EventName): Step {
    const state = { ...before, doubt: before.doubt || event === "lost" };
    const choice = table[state.name][event];
    if (choice === undefined)
        throw new LifecycleError(messages.noProtocolRow({ problem: `has no row for ${event} in state ${state.name}` }));
    const [name, action] = typeof choice === "function" ? choice(state) : choice;
    return { state: { ...state, name, posts: state.posts + (action === "post" ? 1 : 0) }, action };
}
