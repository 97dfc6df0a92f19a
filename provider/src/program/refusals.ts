/** Errors that end the program at the line with the mistake. The provider's check reports all other problems, those of all resources together. */

import * as pulumi from "@pulumi/pulumi";
import type * as z from "zod/mini";
import { isObject } from "../api/json";
import type { Shape } from "../definitions/definition";
import { parseDuration } from "../inputs/duration";
import { closest, correction, problemsOf } from "../inputs/validate";
import { pathText, somePart, unknownValue, visitTexts } from "../inputs/values";
import { type LookupName, lookups } from "../lookups/definitions";
import { type Message, messages, prepend } from "../messages";
import { isMeantAsSetting, settingsSchema } from "../session/settings";
import { stackSettingKey } from "../typeTokens";

/** Whether the whole value is known now: no part of it is an Output or a promise. */
export function isPlain(value: unknown): boolean {
    if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
    return !somePart(value, (part) => !isPlain(part));
}

/** Ends the program with the problem. `what`: the resource or the function, at the beginning of the message. */
export function refuse(what: string, problem: Message): never {
    throw new pulumi.RunError(prepend(`${what}:`, problem));
}

/** Refuses wrong arguments. Values of Outputs are not known yet, and pass. */
export function refuseWrong(what: string, schema: z.ZodMiniObject<Shape>, args: object): void {
    if (!isObject(args)) {
        const expected = `an object, such as { ${Object.keys(schema.shape)[0]}: … }`;
        throw new pulumi.RunError(messages.badInput({ property: what, expected }));
    }
    const given = Object.entries(args).filter(([, value]) => (value ?? undefined) !== undefined);
    const values = given.map(([name, value]) => [name, isPlain(value) ? value : unknownValue]);
    const [problem] = problemsOf(schema, Object.fromEntries(values));
    if (problem !== undefined) refuse(what, problem);
}

/** Makes a lookup that refuses wrong arguments and options when it is called. `form`: the end of the lookup's name, as in `getContentOutput`. */
export function checkedLookup<F>(
    name: LookupName,
    form: "" | "Output",
    call: (args: object, opts: never) => unknown,
): F {
    const checked = (args: object = {}, opts: object = {}) => {
        refuseWrong(`The arguments of ${name}${form}`, lookups[name].args, args);
        refuseWrongOptions(`The options of ${name}${form}`, opts);
        return call(args, opts as never);
    };
    return checked as F;
}

const lookupOptions = ["provider", "providers", "parent", "dependsOn"];

/**
 * Refuses mistyped options: with `providr` for `provider`, a lookup would read the default environment. Other unknown options are allowed, because a
 * component may pass all its own options to a lookup.
 */
function refuseWrongOptions(what: string, opts: object): void {
    const expected = "an object, such as { provider: … }";
    if (pulumi.Resource.isInstance(opts)) throw new pulumi.RunError(messages.badInput({ property: what, expected }));
    const property = Object.keys(opts).find((name) => !lookupOptions.includes(name) && closest(name, lookupOptions));
    if (property === undefined) return;
    refuse(what, messages.unknownInput({ property, correction: correction(property, lookupOptions) }));
}

/** Refuses mistyped keys of the stack's configuration. The provider process cannot see them: it can only ask the SDK for a key by its right name. */
export function refuseWrongConfiguration(): void {
    const keys = Object.keys(pulumi.runtime.allConfig())
        .filter((key) => key.startsWith(stackSettingKey("")))
        .map((key) => key.slice(stackSettingKey("").length))
        .filter((key) => isMeantAsSetting(key, pulumi.getProject()));
    const names = Object.fromEntries(keys.map((key) => [key, unknownValue]));
    refuseWrong("The videograph configuration", settingsSchema, names);
}

/** Refuses a wrong `customTimeouts`. The engine would end the program too, but name neither the resource nor the right form. */
export function refuseUnreadableTimeouts(what: string, timeouts: unknown): void {
    const expected = 'an object such as { create: "5m" }';
    if (!isObject(timeouts) || pulumi.Output.isInstance(timeouts))
        refuse(what, messages.badInput({ property: "customTimeouts", expected }));
    for (const [operation, text] of Object.entries(timeouts)) {
        const property = `customTimeouts.${operation}`;
        if (!["create", "update", "delete", "read"].includes(operation))
            refuse(what, messages.unknownInput({ property, correction: " to create, update or delete" }));
        if (text !== undefined && parseDuration(String(text)) === undefined)
            refuse(what, messages.badInput({ property, expected: 'a duration such as "5m" or "1h30m"' }));
    }
}

/**
 * Refuses values that cannot reach the provider. The SDK drops a key `__proto__`. For half an emoji, as in a title that was cut, the engine refuses
 * the whole call without naming the input.
 */
export function refuseLost(args: object): void {
    for (const [input, value] of Object.entries(args)) {
        if (isPlain(value))
            visitTexts(value, (text, path) => {
                if (text.isWellFormed()) return;
                throw new pulumi.RunError(messages.halfCharacter({ property: pathText([input, ...path]) }));
            });
        if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
            throw new pulumi.RunError(messages.keyLost({ input }));
    }
}
