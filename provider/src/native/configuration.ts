/** The provider's settings as the engine hands them over: those of the stack for the default provider, else a resource's own. */

import { correction } from "../inputs/nearest";
import { hasUnknown, normalizeUnknowns } from "../inputs/unknown";
import type { Properties } from "../lifecycle";
import { type Message, messages } from "../messages";
import { baseUrlProblems, fromStackKey, type SettingName, type Settings, settingNames } from "../session/settings";

/** Other names that the engine may add to a provider's inputs. */
const enginesOwn = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization"]);

/** The form of a setting that not every text has: id and key are the two halves of a Basic authentication. */
const rules: { readonly [name in SettingName]?: { form: RegExp; what: string } } = {
    accessTokenId: { form: /^[^:\r\n]*$/, what: "one line without a colon" },
    secretKey: { form: /^.*$/, what: "one line" },
    trustNotFound: { form: /^(true|false)$/, what: "true or false" },
};

/** Everything that is wrong with the settings, as far as it can be known without a request. Quotes no value. */
export function settingProblems(inputs: Properties): Message[] {
    return Object.entries(normalizeUnknowns(inputs) as Properties).flatMap(([name, value]) => {
        if (name.startsWith("__") || enginesOwn.has(name) || value === null) return [];
        if (!isSetting(name)) {
            return [messages.unknownInput({ property: name, correction: correction(name, settingNames) })];
        }
        if (hasUnknown(value)) return [];
        const text = textOf(value);
        if (text === undefined) return [messages.badInput({ property: name, expected: "a string" })];
        if (text.trim() === "") return [];
        if (name === "baseUrl") return baseUrlProblems(text, "baseUrl");
        const rule = rules[name];
        return rule === undefined || rule.form.test(text.trim())
            ? []
            : [messages.badInput({ property: name, expected: rule.what })];
    });
}

/** The settings that are set, as text. Generated SDKs send booleans, and JSON text for them. */
export function settingsIn(inputs: Properties): Settings {
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

/** The names of the settings that differ. Unknown ones may, so they do. */
export function changedSettings(olds: Properties, news: Properties): SettingName[] {
    const before = settingsIn(olds);
    const now = settingsIn(news);
    return settingNames.filter((name) => before[name] !== now[name]);
}

function isSetting(name: string): name is SettingName {
    return (settingNames as readonly string[]).includes(name);
}

function textOf(value: unknown): string | undefined {
    return ["string", "boolean"].includes(typeof value) ? String(value) : undefined;
}
