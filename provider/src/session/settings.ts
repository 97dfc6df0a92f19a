/** The package's settings and where they come from. The same rules serve programs and the provider process. */

import { unknownValue } from "../lifecycle/state/unknown";

/** Everything that can be configured. */
export interface Settings {
    accessTokenId?: string | undefined;
    secretKey?: string | undefined;
    baseUrl?: string | undefined;
    region?: string | undefined;
    trustNotFound?: string | undefined;
}

/** Where a setting comes from: the arguments of a `videograph.Provider`, the environment, or the stack's configuration. */
export type Source = "provider" | "environment" | "stack";

/** The settings that hold, and where each of them comes from. */
export interface ResolvedSettings extends Settings {
    readonly sources: { readonly [name in SettingName]?: Source };
}

export const settingNames = ["accessTokenId", "secretKey", "baseUrl", "region", "trustNotFound"] as const;
export type SettingName = (typeof settingNames)[number];

/** Tells the provider process which settings are an explicit provider's own, and so win over the environment. */
export const ownSettingsKey = "videograph:ownSettings";

export const defaultBaseUrl = "https://api.videograph.ai";

/** The environment variable of each setting. */
export const variables: Record<SettingName, string> = {
    accessTokenId: "VIDEOGRAPH_ACCESS_TOKEN_ID",
    secretKey: "VIDEOGRAPH_SECRET_KEY",
    baseUrl: "VIDEOGRAPH_BASE_URL",
    region: "VIDEOGRAPH_REGION",
    trustNotFound: "VIDEOGRAPH_TRUST_NOT_FOUND",
};

/**
 * The arguments of an explicit provider win; then the environment, since a plain `pulumi refresh` or `destroy` runs with
 * the stack configuration recorded at the last `up`, and a rotated key must be usable; then the stack configuration.
 */
export function resolveSettings(
    own: Settings,
    stack: (name: SettingName) => string | undefined,
    env: NodeJS.ProcessEnv,
): ResolvedSettings {
    const settings: Settings = {};
    const sources: { [name in SettingName]?: Source } = {};
    for (const name of settingNames) {
        const candidates: [Source, string | undefined][] = [
            ["provider", own[name]],
            ["environment", env[variables[name]]],
            ["stack", stack(name)],
        ];
        const [source, value] = candidates.find(([, text]) => some(text) !== undefined) ?? [];
        if (source === undefined) continue;
        settings[name] = some(value);
        sources[name] = source;
    }
    return { ...settings, sources };
}

/** The settings of a client, or what is missing and both ways to set it. */
export function credentialsOf({ accessTokenId, secretKey, baseUrl = defaultBaseUrl }: Settings) {
    if (accessTokenId !== undefined && secretKey !== undefined) return { accessTokenId, secretKey, baseUrl };
    const missing: SettingName[] = [];
    if (accessTokenId === undefined) missing.push("accessTokenId");
    if (secretKey === undefined) missing.push("secretKey");
    const [are, variable] = missing.length === 1 ? ["is", "variable"] : ["are", "variables"];
    return {
        missing:
            `The Videograph credentials are not complete: ${missing.join(" and ")} ${are} missing. Set the environment ${variable} ` +
            `${missing.map((name) => variables[name]).join(" and ")}, or the stack configuration: ` +
            // The CLI refuses an id as plain text: it looks like a secret.
            `${missing.map((name) => `\`pulumi config set --secret videograph:${name}\``).join(" and ")}.`,
    };
}

/** A text that says something; a preview may not know it yet. */
function some(value: string | undefined): string | undefined {
    return value === undefined || value.trim() === "" || value === unknownValue ? undefined : value.trim();
}

/** Whether the user says that every 404 means that the object was deleted. */
export function trustsNotFound({ trustNotFound = "" }: Settings): boolean {
    return /^(true|1|yes)$/i.test(trustNotFound);
}
