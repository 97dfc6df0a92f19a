/** The provider's settings as the engine hands them over: those of the stack for the default provider, else a resource's own. */

import * as z from "zod";
import { normalizeUnknowns, unknownValue } from "../inputs/unknown";
import { problemsOf } from "../inputs/validate";
import type { Properties } from "../lifecycle";
import type { Message } from "../messages";
import { baseUrlProblems, fromStackKey, type SettingName, type Settings, settingNames } from "../session/settings";

/** Other names that the engine may add to a provider's inputs. */
const enginesOwn = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization"]);

const oneOfForm = (form: RegExp, expected: string) =>
    z
        .string()
        .refine((text) => form.test(text.trim()), expected)
        .optional();
const schema = z.strictObject({
    // Id and key are the two halves of a Basic authentication.
    accessTokenId: oneOfForm(/^[^:\r\n]*$/, "one line without a colon"),
    secretKey: oneOfForm(/^.*$/, "one line"),
    baseUrl: z.string().optional(),
    region: z.string().optional(),
    trustNotFound: oneOfForm(/^(true|false|)$/, "true or false"),
} satisfies Record<SettingName, z.ZodType>);

/** Everything that is wrong with the settings, as far as it can be known without a request. Quotes no value. */
export function settingProblems(inputs: Properties): Message[] {
    const given = Object.entries(normalizeUnknowns(inputs) as Properties)
        .filter(([name, value]) => !name.startsWith("__") && !enginesOwn.has(name) && value !== null)
        .map(([name, value]) => [name, textOf(value) ?? value]);
    const settings: Properties = Object.fromEntries(given);
    const { baseUrl = "" } = settings;
    const isKnown = typeof baseUrl === "string" && baseUrl.trim() !== "" && baseUrl !== unknownValue;
    return [...problemsOf(schema, settings), ...(isKnown ? baseUrlProblems(baseUrl, "baseUrl") : [])];
}

/** The settings that are set, as text. Generated SDKs send booleans, and JSON text for them. */
function settingsIn(inputs: Properties): Settings {
    return Object.fromEntries(settingNames.map((name) => [name, textOf(inputs[name])]));
}

/**
 * The settings in two parts: an explicit provider's own, which win over the environment, and the stack's, over which the
 * environment wins. The engine names default providers `default` or `default_<version>`, and treats all of that name as such.
 */
export function splitSettings(name: string | undefined, inputs: Properties): { own: Settings; stack: Settings } {
    const settings = settingsIn(inputs);
    if (name === undefined || /^default(_|$)/.test(name)) return { own: {}, stack: settings };
    const fromStack = String(inputs[fromStackKey] ?? "").split(",");
    const part = (ofStack: boolean) =>
        Object.fromEntries(Object.entries(settings).filter(([key]) => fromStack.includes(key) === ofStack));
    return { own: part(false), stack: part(true) };
}

function textOf(value: unknown): string | undefined {
    return ["string", "boolean"].includes(typeof value) ? String(value) : undefined;
}
