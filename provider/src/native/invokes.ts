/** The lookups as functions of the plugin: arguments checked, results as the schema has them. */

import * as z from "zod";
import type { VideographApi } from "../api";
import { problemsOf, someText } from "../inputs/validate";
import type { Properties } from "../lifecycle";
import { type Argument, type LookupName, lookups } from "../lookups/definitions";
import type { Message } from "../messages";
import { withSecrets } from "../session/secretValues";
import { lookupToken } from "./tokens";
import { secret } from "./wire";

export interface Invoke {
    /** What is wrong with the arguments. */
    problems(args: Properties): Message[];
    run(api: VideographApi, args: Properties): Promise<Properties>;
}

/** The lookup that a token names. */
export function lookupOf(token: string): Invoke | undefined {
    const names = Object.keys(lookups) as LookupName[];
    const name = names.find((candidate) => lookupToken(candidate) === token);
    if (name === undefined) return undefined;
    const { args, result, find } = lookups[name];
    const schema = z.strictObject(Object.fromEntries(Object.entries(args).map(([key, arg]) => [key, typeOf(arg)])));
    const set = (given: Properties) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    return {
        problems: (given) => problemsOf(schema, set(given)),
        run: async (api, given) =>
            withSecrets({ ...(await find(api, set(given))) }, result, (value) => value && secret(value)),
    };
}

function typeOf({ type, required }: Argument): z.ZodType {
    if (required) return someText();
    const types = { string: z.string(), boolean: z.boolean(), integer: z.number(), strings: z.array(z.string()) };
    return types[type].optional();
}
