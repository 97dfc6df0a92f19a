/** The provider's settings as the engine hands them over: those of the stack for the default provider, else a resource's own. */

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../api/json";
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

/** Whether the program declares the provider. No request says so, and a program may use the names of the engine's default providers. */
export function isExplicit(urn: string, inputs: Properties, { PULUMI_CONFIG }: NodeJS.ProcessEnv): boolean {
    if (fromStackKey in inputs || !isDefaultProviderName(parseUrn(urn)?.name ?? "", inputs.version)) return true;
    // The engine leaves PULUMI_CONFIG out where it has no stack: there the name decides.
    if (PULUMI_CONFIG === undefined) return false;
    const given = Object.entries(inputs).filter(([name]) => !engineKeys.has(name));
    return !isDeepStrictEqual(Object.fromEntries(given), JSON.parse(PULUMI_CONFIG));
}

/** The engine names its default providers `default`, followed by the version and the download address of the plugin where it has them. */
function isDefaultProviderName(name: string, version: unknown): boolean {
    const defaultName = typeof version === "string" ? `default_${version.replace(/[.+-]/g, "_")}` : "default";
    return `${name}_`.startsWith(`${defaultName}_`);
}

/** The problems of the settings, as far as they can be known without a request. None quotes a value. */
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

/** The settings that are set, as text. Generated SDKs send booleans, and JSON text for them. */
function settingsIn(inputs: Properties): Settings {
    return Object.fromEntries(settingNames.map((name) => [name, textOf(inputs[name])]));
}

/** An explicit provider's own settings win over the environment, which wins over the stack's. The check has marked explicit ones. */
export function splitSettings(inputs: Properties): { own: Settings; stack: Settings } {
    const { [fromStackKey]: stack } = inputs;
    return isObject(stack)
        ? { own: settingsIn(inputs), stack: settingsIn(stack) }
        : { own: {}, stack: settingsIn(inputs) };
}

function textOf(value: unknown): string | undefined {
    return ["string", "boolean"].includes(typeof value) ? String(value) : undefined;
}
