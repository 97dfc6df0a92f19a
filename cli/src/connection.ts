/**
 * The connection of a command to the service. Its settings are those of programs: the environment overrides the
 * configuration of the stack, which is only read for settings that the environment lacks.
 */

import * as z from "zod";
import { ApiError, ConfigurationError, VideographApi } from "#provider/api/index";
import { parseJson } from "#provider/api/json";
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
import { PulumiError, pulumi } from "./pulumi";
import type { Shell } from "./shell";
import { ofStack } from "./state";

export interface FoundSettings {
    readonly settings: ResolvedSettings;
    /** Why the configuration of the stack could not be read, if it was wanted. */
    readonly unread?: string;
    /** Which of the settings come from the configuration of the stack. */
    readonly fromStack: readonly SettingName[];
    /** Which settings of the stack's configuration have no effect, because the environment has them too. */
    readonly overridden: readonly SettingName[];
}

/** Runs `body` with a client of the service. Its errors are explained with the settings to check. */
export async function withApi<T>(
    shell: Shell,
    stack: string | undefined,
    body: (api: VideographApi) => Promise<T>,
): Promise<T> {
    const { settings, ...credentials } = await completeCredentials(shell, stack);
    let api: VideographApi | undefined;
    try {
        const trustNotFound = trustsNotFound(settings);
        api = new VideographApi({
            ...credentials,
            clock: shell.clock,
            userAgent: "pulumi-videograph-cli",
            trustNotFound,
        });
        return await body(api);
    } catch (error) {
        if (error instanceof ConfigurationError) {
            throw new CommandError(prepend(`${baseUrlSetting}:`, error.message));
        }
        if (error instanceof ApiError) throw new CommandError(explain(error, settings));
        throw error;
    } finally {
        await api?.close();
    }
}

/** The credentials of a command. @throws {CommandError} when they are not complete. */
export async function completeCredentials(shell: Shell, stack: string | undefined) {
    const found = await findSettings(shell, stack);
    const missing = missingIn(found);
    if (missing !== undefined) throw new CommandError(missing);
    const { settings, unread } = found;
    const credentials = credentialsOf(settings);
    if (unread !== undefined) shell.terminal.warn(`${unread} The base URL is ${credentials.baseUrl}.`);
    return { ...credentials, settings };
}

/** The credentials that are missing; the stack may have them, where its configuration could not be read. */
export function missingIn({ settings, unread }: FoundSettings): Message | undefined {
    const missing = missingCredentials(settings);
    if (missing === undefined || unread === undefined) return missing;
    return append(missing, `The configuration of the stack could not be read: ${unread}`);
}

/**
 * The settings and their origin. The stack's configuration is read for settings that the environment lacks; if `thorough`, in
 * any case.
 */
export async function findSettings(
    shell: Shell,
    stack: string | undefined,
    { thorough = false } = {},
): Promise<FoundSettings> {
    const own = resolveSettings({}, () => undefined, shell.variables);
    const wanted = (["accessTokenId", "secretKey", "baseUrl"] as const).filter((name) => own[name] === undefined);
    const isNeeded = wanted.length > 0 || thorough;
    if (!isNeeded || (stack === undefined && findProject(shell.cwd) === undefined)) {
        return { settings: own, fromStack: [], overridden: [] };
    }
    try {
        const config = await stackConfig(shell, stack, wanted);
        const inStack = settingNames.filter((name) => config.has(name));
        return {
            settings: resolveSettings({}, (name) => config.get(name), shell.variables),
            fromStack: inStack.filter((name) => own[name] === undefined),
            overridden: inStack.filter((name) => own[name] !== undefined),
        };
    } catch (error) {
        if (!(error instanceof PulumiError)) throw error;
        return { settings: own, unread: error.message, fromStack: [], overridden: [] };
    }
}

const configSchema = z.record(z.string(), z.object({ value: z.unknown().optional() }));

/** The package's settings in the configuration of the stack. A secret that is not wanted is not decrypted, and has no value. */
async function stackConfig(
    shell: Shell,
    stack: string | undefined,
    wanted: readonly SettingName[],
): Promise<Map<SettingName, string | undefined>> {
    const config = readConfig(await pulumi(shell, "config", "--json", ...ofStack(stack)));
    for (const name of wanted) {
        if (!config.has(name) || config.get(name) !== undefined) continue;
        config.set(name, (await pulumi(shell, "config", "get", `videograph:${name}`, ...ofStack(stack))).trimEnd());
    }
    return config;
}

/** A secret that is not shown exists, without a value. */
function readConfig(text: string): Map<SettingName, string | undefined> {
    const { data: config = {} } = configSchema.safeParse(parseJson(text));
    const found = settingNames.flatMap((name) => {
        const entry = config[`videograph:${name}`];
        return entry === undefined
            ? []
            : ([[name, typeof entry.value === "string" ? entry.value : undefined]] as const);
    });
    return new Map(found);
}
