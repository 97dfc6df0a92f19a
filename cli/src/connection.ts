/**
 * The connection of a command to the service. Its settings are those of programs: the environment overrides the
 * configuration of the stack, which is only read for settings that the environment lacks.
 */
import * as z from "zod";
import { ApiError, parseBaseUrl, type Transport, VideographApi } from "#provider/api/index";
import { UndiciTransport } from "#provider/api/transport";
import { explain } from "#provider/session/explain";
import { findProject } from "#provider/session/project";
import {
    baseUrlProblems,
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

export interface FoundSettings {
    readonly settings: ResolvedSettings;
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
    const trustNotFound = trustsNotFound(settings);
    const api = new VideographApi({ ...credentials, transport, clock: shell.clock, trustNotFound });
    try {
        return await body(api);
    } catch (error) {
        throw error instanceof ApiError ? new CommandError(explain(error, settings)) : error;
    } finally {
        await api.close();
    }
}

/** The credentials and the network of a command. @throws when they are not complete, or the base URL is unusable. */
export async function connect(shell: Shell, stack: string | undefined) {
    const { settings } = await findSettings(shell, stack);
    const credentials = credentialsOf(settings);
    const [problem] = baseUrlProblems(credentials.baseUrl);
    if (problem !== undefined) throw new CommandError(problem);
    const baseUrl = parseBaseUrl(credentials.baseUrl);
    return { ...credentials, baseUrl, settings, transport: transportTo(shell, baseUrl) };
}

export type Connection = Awaited<ReturnType<typeof connect>>;

export function transportTo(shell: Shell, baseUrl: string): Transport {
    return shell.transport ?? new UndiciTransport(baseUrl);
}

/**
 * If `thorough`, the stack's configuration is read in any case.
 * @throws {PulumiError} when it cannot be read, unless no stack was named and the environment has credentials.
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
        return { settings: own, inStack: [] };
    }
    const isEnough = stack === undefined && !thorough && missingCredentials(own) === undefined;
    const config = await stackConfig(shell, stack, wanted).catch((error: unknown) => {
        if (!isEnough || !(error instanceof PulumiError)) throw error;
        shell.terminal.warn(`${error.message} The base URL is ${credentialsOf(own).baseUrl}.`);
        return new Map<SettingName, string | undefined>();
    });
    const settings = resolveSettings({}, (name) => config.get(name), shell.variables);
    return { settings, inStack: settingNames.filter((name) => config.has(name)) };
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
