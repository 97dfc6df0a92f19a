/**
 * The settings that the engine sends: for the default provider those of the stack's configuration, for an explicit provider those of `new Provider`.
 */

import { isDeepStrictEqual } from "node:util";
import { isObject, parseJson } from "../api/json";
import { problemsOf } from "../inputs/validate";
import { normalizeUnknowns, type Properties, unknownValue } from "../inputs/values";
import type { Message } from "../messages";
import {
    baseUrlProblems,
    engineKeys,
    isMeantAsSetting,
    type Settings,
    settingNames,
    settingsSchema,
} from "../session/settings";
import { fromStackKey } from "../typeTokens";
import { parseUrn } from "../urn";

/**
 * Whether the program declares the provider. The engine does not say so, and a program may call its own provider `default`. So a provider of that
 * name counts as the engine's own only if its inputs are exactly the stack's configuration.
 */
export function isExplicit(urn: string, inputs: Properties, { PULUMI_CONFIG }: NodeJS.ProcessEnv): boolean {
    if (fromStackKey in inputs || !isDefaultProviderName(parseUrn(urn)?.name ?? "", inputs.version)) return true;
    // Without a stack, the engine sets no PULUMI_CONFIG. Then the name alone decides.
    if (PULUMI_CONFIG === undefined) return false;
    const given = Object.entries(inputs).filter(([name]) => !engineKeys.has(name));
    return !isDeepStrictEqual(Object.fromEntries(given), parseJson(PULUMI_CONFIG));
}

/** Whether the engine gives this name to its own providers: `default`, `default_1_0_0`, or `default_1_0_0_` and the address of the plugin. */
function isDefaultProviderName(name: string, version: unknown): boolean {
    const defaultName = typeof version === "string" ? `default_${version.replace(/[.+-]/g, "_")}` : "default";
    return `${name}_`.startsWith(`${defaultName}_`);
}

/** The problems that can be found without a request. No message quotes a value: it may be the secret key. */
export function settingProblems(urn: string, inputs: Properties, env: NodeJS.ProcessEnv): Message[] {
    const project = isExplicit(urn, inputs, env) ? undefined : parseUrn(urn)?.project;
    const given = Object.entries(normalizeUnknowns(inputs) as Properties)
        .filter(([key, value]) => !key.startsWith("__") && value !== null && isMeantAsSetting(key, project))
        .map(([key, value]) => [key, textOf(value) ?? value]);
    const settings: Properties = Object.fromEntries(given);
    const { baseUrl = "" } = settings;
    const isKnown = typeof baseUrl === "string" && baseUrl.trim() !== "" && baseUrl !== unknownValue;
    return [...problemsOf(settingsSchema, settings), ...(isKnown ? baseUrlProblems(baseUrl, "baseUrl") : [])];
}

/** The settings as texts. Generated SDKs send `trustNotFound` as a boolean, or as the text `true`. */
function settingsIn(inputs: Properties): Settings {
    return Object.fromEntries(settingNames.map((name) => [name, textOf(inputs[name])]));
}

/**
 * Splits the settings by their source: those of an explicit provider (`own`) override the environment, which overrides those of the stack.
 * `checkConfig` has put `__fromStack` into the inputs of an explicit provider.
 */
export function splitSettings(inputs: Properties): { own: Settings; stack: Settings } {
    const { [fromStackKey]: stack } = inputs;
    return isObject(stack)
        ? { own: settingsIn(inputs), stack: settingsIn(stack) }
        : { own: {}, stack: settingsIn(inputs) };
}

function textOf(value: unknown): string | undefined {
    return ["string", "boolean"].includes(typeof value) ? String(value) : undefined;
}
