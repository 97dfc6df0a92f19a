/** The settings of the package, and the source of each. Programs and the provider process follow the same rules. */

import { distance } from "fastest-levenshtein";
import * as z from "zod/mini";
import { defaultBaseUrl, parseBaseUrl } from "../api/baseUrl";
import { formed, object, text } from "../definitions/schemas";
import { outputTexts } from "../inputs/outputText";
import { unknownValue } from "../inputs/values";
import { LifecycleError, type Message, messages, prepend } from "../messages";
import { packageName, stackSettingKey } from "../typeTokens";

/** The source of a setting: the arguments of a `videograph.Provider`, the environment, or the stack's configuration. */
export type Source = "provider" | "environment" | "stack";

export interface ResolvedSettings extends Settings {
    readonly sources: { readonly [name in SettingName]?: Source };
}

/** The settings that a program or a configuration may have. Spaces and line ends at both ends do not count. */
export const settingsSchema = object({
    // A colon in the id would be taken for the one between id and key in the Authorization header.
    accessTokenId: z.optional(formed(/^\s*[^:\r\n]*\s*$/, "one line without a colon")),
    secretKey: z.optional(formed(/^\s*.*\s*$/, "one line")),
    baseUrl: z.optional(text()),
    region: z.optional(text()),
    trustNotFound: z.optional(formed(/^\s*(true|false|)\s*$/, "true or false")),
});
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;
export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];

/** Other names that the engine may add to a provider's inputs. */
export const engineKeys = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization"]);

/** Whether a key of the stack's configuration is for this package. A project with the package's name has its own keys below the same prefix (D3). */
export function isMeantAsSetting(key: string, project: string | undefined): boolean {
    return !engineKeys.has(key) && (project !== packageName || isSettingOrTypo(key));
}

/** A project may have keys that only resemble a setting, such as `regions` or `baseUri`. */
function isSettingOrTypo(key: string): boolean {
    const letters = key.replace(/[^a-z]/gi, "").toLowerCase();
    return settingNames.some((name) => {
        const known = name.toLowerCase();
        const isTypo = known.length >= 9 && !letters.startsWith(known) && distance(letters, known) <= 2;
        return letters === known || isTypo;
    });
}

export const variables: Record<SettingName, string> = {
    accessTokenId: "VIDEOGRAPH_ACCESS_TOKEN_ID",
    secretKey: "VIDEOGRAPH_SECRET_KEY",
    baseUrl: "VIDEOGRAPH_BASE_URL",
    region: "VIDEOGRAPH_REGION",
    trustNotFound: "VIDEOGRAPH_TRUST_NOT_FOUND",
};

/**
 * The values of all settings. The environment wins over the stack's configuration: a plain `refresh` or `destroy` runs with the configuration of
 * the last `up`, and a rotated key must be usable.
 */
export function resolveSettings(ofProvider: Settings, ofStack: Settings, env: NodeJS.ProcessEnv): ResolvedSettings {
    const settings: Settings = {};
    const sources: { [name in SettingName]?: Source } = {};
    for (const name of settingNames) {
        const candidates: [Source, string | undefined][] = [
            ["provider", ofProvider[name]],
            ["environment", env[variables[name]]],
            ["stack", ofStack[name]],
        ];
        const [source, value] = candidates.find(([, text]) => nonBlankText(text) !== undefined) ?? [];
        if (source === undefined) continue;
        settings[name] = nonBlankText(value);
        sources[name] = source;
    }
    return { ...settings, sources };
}

/** The name of a base URL's setting, for messages. */
export function baseUrlName(source: Source | undefined): string {
    return { provider: "baseUrl", environment: variables.baseUrl, stack: stackSettingKey("baseUrl") }[
        source ?? "stack"
    ];
}

/** The problems of a base URL; `name` is that of its setting in the messages. */
export function baseUrlProblems(text: string, name = baseUrlName(undefined)): Message[] {
    try {
        parseBaseUrl(text);
        return [];
    } catch (error) {
        if (error instanceof LifecycleError) return [prepend(`${name}:`, error.message)];
        throw error;
    }
}

/** The problems of the settings that are set. */
export function problemsIn(settings: Settings & Partial<ResolvedSettings>): Message[] {
    const texts = outputTexts(settings).map(({ problem }) => problem);
    if (texts.length > 0) return texts;
    const { baseUrl = defaultBaseUrl, trustNotFound = "false", sources } = settings;
    const property = `${variables.trustNotFound} or videograph:trustNotFound`;
    const isBoolean = /^(true|false)$/.test(trustNotFound);
    return [
        ...(isBoolean ? [] : [messages.badInput({ property, expected: "true or false" })]),
        ...baseUrlProblems(baseUrl, baseUrlName(sources?.baseUrl)),
    ];
}

/** The settings of a client. @throws {LifecycleError} when a setting is missing or wrong. */
export function credentialsOf(settings: Settings & Partial<ResolvedSettings>) {
    const problem = problemsIn(settings)[0] ?? missingCredentials(settings);
    if (problem !== undefined) throw new LifecycleError(problem);
    const { accessTokenId = "", secretKey = "", baseUrl = defaultBaseUrl, trustNotFound } = settings;
    return { accessTokenId, secretKey, baseUrl, trustNotFound: trustNotFound === "true" };
}

/** The missing settings, with both ways to set them; `undefined` when none is missing. */
export function missingCredentials(settings: Settings): Message | undefined {
    const missing = (["accessTokenId", "secretKey"] as const).filter((name) => settings[name] === undefined);
    if (missing.length === 0) return undefined;
    const list = (textOf: (name: SettingName) => string) => missing.map(textOf).join(" and ");
    return messages.missingCredentials({
        missing: list((name) => name),
        variables: list((name) => variables[name]),
        // The CLI refuses an id as plain text: it looks like a secret.
        commands: list((name) => `\`pulumi config set --secret videograph:${name}\``),
    });
}

/** The text; `undefined` if it is blank, or a preview does not know it yet. The Output of a program may have had any value. */
function nonBlankText(value: unknown): string | undefined {
    const text = String(value ?? "").trim();
    return text === "" || text === unknownValue ? undefined : text;
}
