/** The arguments of a lookup, checked: neither JavaScript nor the other languages check names. */
import { problemsOf } from "../inputs/validate";
import type { Properties } from "../inputs/values";
import type { Message } from "../messages";
import { type LookupName, lookups } from "./definitions";

/** Those that are set, and everything that is wrong with them. Programs write `null` for "not set". */
export function checkedArguments(name: LookupName, given: object): { args: Properties; problems: Message[] } {
    const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    return { args, problems: problemsOf(lookups[name].args, args) };
}
