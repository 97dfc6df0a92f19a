/** The settings of this package, and which source of a setting wins. Programs, provider processes and commands follow these rules. */

import * as z from "zod/mini";
import { defaultBaseUrl, parseBaseUrl } from "../api/baseUrl";
import { formed, object, text } from "../definitions/schemas";
import { outputTexts } from "../inputs/outputText";
import { closest } from "../inputs/validate";
import { unknownValue } from "../inputs/values";
import { LifecycleError, type Message, messages, prepend } from "../messages";
import { packageName, stackSettingKey } from "../typeTokens";

/** Where a setting comes from: the arguments of a `videograph.Provider`, the environment, or the stack's configuration. */
export type Source = "provider" | "environment" | "stack";

export interface ResolvedSettings extends Settings {
    readonly sources: { readonly [name in SettingName]?: Source };
}

/** The settings that a program or a configuration may have. Spaces at both ends are allowed, and dropped: a key is often read from a file with a line end. */
export const settingsSchema = object({
    // Basic auth sends `id:key`. With a colon in the id, the service would read another id and another key.
    accessTokenId: z.optional(formed(/^\s*[^:\r\n]*\s*$/, "one line without a colon")),
    secretKey: z.optional(formed(/^\s*.*\s*$/, "one line")),
    baseUrl: z.optional(text()),
    region: z.optional(text()),
    trustNotFound: z.optional(formed(/^\s*(true|false|)\s*$/, "true or false")),
});
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;
export const settingNames = Object.keys(settingsSchema.shape) as SettingName[];

/** Names that the engine adds to the inputs of a provider. They are no settings of the user. */
export const engineKeys = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization"]);

/**
 * Whether a key below `videograph:` is meant for this package. A project that is itself named `videograph` has the program's own keys below the same
 * prefix.
 */
export function isMeantAsSetting(key: string, project: string | undefined): boolean {
    return !engineKeys.has(key) && (project !== packageName || isSettingOrTypo(key));
}

/**
 * Whether the key is a setting, or a mistyped one. Only a long name can be known as mistyped: a project may well have a key such as `regions` or
 * `baseUri`.
 */
function isSettingOrTypo(key: string): boolean {
    const letters = key.replace(/[^a-z]/gi, "").toLowerCase();
    const names = settingNames.map((name) => name.toLowerCase());
    const long = names.filter((name) => name.length >= 9 && !letters.startsWith(name));
    return names.includes(letters) || closest(letters, long) !== undefined;
}

export const variables: Record<SettingName, string> = {
    accessTokenId: "VIDEOGRAPH_ACCESS_TOKEN_ID",
    secretKey: "VIDEOGRAPH_SECRET_KEY",
    baseUrl: "VIDEOGRAPH_BASE_URL",
    region: "VIDEOGRAPH_REGION",
    trustNotFound: "VIDEOGRAPH_TRUST_NOT_FOUND",
};

/**
 * The value and the source of each setting. The environment wins over the stack's configuration, because a plain `refresh` or `destroy` gets the
 * configuration of the last `up`: otherwise it could not use a key that was changed since then.
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

/** The problems of a base URL. `name`: what the messages call the setting. */
export function baseUrlProblems(text: string, name: string): Message[] {
    try {
        parseBaseUrl(text);
        return [];
    } catch (error) {
        if (error instanceof LifecycleError) return [prepend(`${name}:`, error.message)];
        throw error;
    }
}

/**
 * The problems of the settings that are set. Missing credentials are no problem here, because a preview without requests needs none
 * (`missingCredentials`).
 */
export function problemsIn(settings: Settings & Partial<ResolvedSettings>): Message[] {
    const texts = outputTexts(settings).map(({ problem }) => problem);
    if (texts.length > 0) return texts;
    const { baseUrl = defaultBaseUrl, trustNotFound = "false", sources } = settings;
    const property = `${variables.trustNotFound} or videograph:trustNotFound`;
    const isBoolean = /^(true|false)$/.test(trustNotFound);
    const names = { provider: "baseUrl", environment: variables.baseUrl, stack: stackSettingKey("baseUrl") };
    return [
        ...(isBoolean ? [] : [messages.badInput({ property, expected: "true or false" })]),
        ...baseUrlProblems(baseUrl, names[sources?.baseUrl ?? "stack"]),
    ];
}

/** The settings that a client of the service needs. @throws {LifecycleError} when a setting is missing or wrong. */
export function credentialsOf(settings: Settings & Partial<ResolvedSettings>) {
    const problem = problemsIn(settings)[0] ?? missingCredentials(settings);
    if (problem !== undefined) throw new LifecycleError(problem);
    const { accessTokenId = "", secretKey = "", baseUrl = defaultBaseUrl, trustNotFound } = settings;
    return { accessTokenId, secretKey, baseUrl, trustNotFound: trustNotFound === "true" };
}

/** The message that names missing credentials, and both ways to set them; `undefined` when none is missing. */
export function missingCredentials(settings: Settings): Message | undefined {
    const missing = (["accessTokenId", "secretKey"] as const).filter((name) => settings[name] === undefined);
    if (missing.length === 0) return undefined;
    const list = (textOf: (name: SettingName) => string) => missing.map(textOf).join(" and ");
    return messages.missingCredentials({
        missing: list((name) => name),
        variables: list((name) => variables[name]),
        // Without `--secret` the CLI refuses the id, because it looks like a secret.
        commands: list((name) => `\`pulumi config set --secret videograph:${name}\``),
    });
}

/**
 * The value as a text; `undefined` where it is blank, or unknown in a preview. A number becomes its digits, because a program may give an Output of a
 * number.
 */
function nonBlankText(value: unknown): string | undefined {
    const text = String(value ?? "").trim();
    return text === "" || text === unknownValue ? undefined : text;
}
