/**
 * The connection of a command to the service. Its settings are those of programs: the environment overrides the
 * configuration of the stack, which is only read for settings that the environment lacks.
 */
import * as z from "zod";
import { ApiError, ConfigurationError, parseBaseUrl, type Transport, VideographApi } from "#provider/api/index";
import { UndiciTransport } from "#provider/api/transport";
import { append, type Message, prepend } from "#provider/messages/index";
import { explain } from "#provider/session/explain";
import { findProject } from "#provider/session/project";
import {
    baseUrlSetting,
    credentialsOf,
    missingCredentials,
    type ResolvedSettings,
    resolveSettings,
    type SettingName,
    settingNames,
    trustsNotFound,
} from "#provider/session/settings";
import { CommandError } from "./commandLine";
import { PulumiError, pulumiJson } from "./pulumi";
import type { Shell } from "./shell";
import { ofStack } from "./state";

export const userAgent = "pulumi-videograph-cli";

export interface FoundSettings {
    readonly settings: ResolvedSettings;
    /** Why the configuration of the stack could not be read, if it was wanted. */
    readonly unread?: string;
    /** The settings that the configuration of the stack has. */
    readonly inStack: readonly SettingName[];
}

/** Runs `body` with a client of the service. Its errors are explained with the settings to check. */
export async function withApi<T>(
    shell: Shell,
    stack: string | undefined,
    body: (api: VideographApi) => Promise<T>,
): Promise<T> {
    const { settings, transport, ...credentials } = await connect(shell, stack);
    const { clock } = shell;
    const trustNotFound = trustsNotFound(settings);
    const api = new VideographApi({ ...credentials, transport, clock, userAgent, trustNotFound });
    try {
        return await body(api);
    } catch (error) {
        throw error instanceof ApiError ? new CommandError(explain(error, settings)) : error;
    } finally {
        await api.close();
    }
}

/** The credentials and the network of a command. @throws {CommandError} when they are not complete. */
export async function connect(shell: Shell, stack: string | undefined) {
    const found = await findSettings(shell, stack);
    const missing = missingIn(found);
    if (missing !== undefined) throw new CommandError(missing);
    const { settings, unread } = found;
    const credentials = credentialsOf(settings);
    if (unread !== undefined) shell.terminal.warn(`${unread} The base URL is ${credentials.baseUrl}.`);
    try {
        const baseUrl = parseBaseUrl(credentials.baseUrl);
        return { ...credentials, baseUrl, settings, transport: transportTo(shell, baseUrl) };
    } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        throw new CommandError(prepend(`${baseUrlSetting}:`, error.message));
    }
}

export function transportTo(shell: Shell, baseUrl: string): Transport {
    return shell.transport ?? new UndiciTransport(baseUrl);
}

/** The credentials that are missing; the stack may have them, where its configuration could not be read. */
export function missingIn({ settings, unread }: FoundSettings): Message | undefined {
    const missing = missingCredentials(settings);
    if (missing === undefined || unread === undefined) return missing;
    return append(missing, `The configuration of the stack could not be read: ${unread}`);
}

/** If `thorough`, the stack's configuration is read in any case. */
export async function findSettings(
    shell: Shell,
    stack: string | undefined,
    { thorough = false } = {},
): Promise<FoundSettings> {
    const own = resolveSettings({}, () => undefined, shell.variables);
    const wanted = (["accessTokenId", "secretKey", "baseUrl"] as const).filter((name) => own[name] === undefined);
    const isNeeded = wanted.length > 0 || thorough;
    if (!isNeeded || (stack === undefined && findProject(shell.cwd) === undefined)) {
        return { settings: own, inStack: [] };
    }
    try {
        const config = await stackConfig(shell, stack, wanted);
        const settings = resolveSettings({}, (name) => config.get(name), shell.variables);
        return { settings, inStack: settingNames.filter((name) => config.has(name)) };
    } catch (error) {
        if (!(error instanceof PulumiError)) throw error;
        return { settings: own, unread: error.message, inStack: [] };
    }
}

const configSchema = z.record(z.string(), z.object({ value: z.string().optional() }));

/** The package's settings in the configuration of the stack. A secret that is not wanted is not decrypted, and has no value. */
async function stackConfig(shell: Shell, stack: string | undefined, wanted: readonly SettingName[]) {
    const config = await pulumiJson(shell, configSchema, "a configuration", "config", "--json", ...ofStack(stack));
    const found = new Map<SettingName, string | undefined>();
    for (const name of settingNames) {
        const entry = config[`videograph:${name}`];
        if (entry === undefined) continue;
        const isHidden = entry.value === undefined && wanted.includes(name);
        const get = ["config", "get", `videograph:${name}`, ...ofStack(stack)];
        found.set(name, isHidden ? (await shell.pulumi(...get)).trimEnd() : entry.value);
    }
    return found;
}
