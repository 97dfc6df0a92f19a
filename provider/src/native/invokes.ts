/** The lookups as functions of the plugin: arguments checked, results as the schema has them. */
import type { VideographApi } from "../api";
import { problemsOf, schemaOf } from "../inputs/validate";
import type { Properties } from "../lifecycle";
import { type LookupName, lookups } from "../lookups/definitions";
import type { Message } from "../messages";
import { secret, withSecrets } from "../session/secretValues";
import { lookupToken } from "./tokens";

export interface Invoke {
    /** The problems of the arguments. */
    problems(args: Properties): Message[];
    run(api: VideographApi, args: Properties): Promise<Properties>;
}

/** The lookup that a token names. */
export function lookupOf(token: string): Invoke | undefined {
    const name = (Object.keys(lookups) as LookupName[]).find((candidate) => lookupToken(candidate) === token);
    if (name === undefined) return undefined;
    const { args, result, find } = lookups[name];
    const set = (given: Properties) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    return {
        problems: (given) => problemsOf(schemaOf(args), set(given)),
        run: async (api, given) =>
            withSecrets({ ...(await find(api, set(given))) }, result, (value) => value && secret(value)),
    };
}
