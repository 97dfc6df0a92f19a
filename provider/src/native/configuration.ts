/** The provider's settings as the engine hands them over: those of the stack for the default provider, else a resource's own. */

import type { Properties } from "../lifecycle";
import { fromStackKey, type Settings, settingNames } from "../session/settings";

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
