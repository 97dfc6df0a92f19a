/**
 * The connection of a command to the service. Its settings are those of programs: the environment overrides the
 * configuration of the stack.
 */

import * as z from "zod/mini";
import { ApiError, parseBaseUrl, type Transport, VideographApi } from "#provider/api/index";
import { UndiciTransport } from "#provider/api/transport";
import { explainError } from "#provider/session/explain";
import { findProject } from "#provider/session/project";
import {
    credentialsOf,
    missingCredentials,
    resolveSettings,
    type Settings,
    settingNames,
} from "#provider/session/settings";
import { stackSettingKey } from "#provider/typeTokens";
import { CommandError } from "./commandLine";
import { parseJsonAs, pulumiOutput } from "./pulumi";
import type { Shell } from "./shell";
import { stackArguments } from "./state";

/** Runs `body` with a client of the service. The errors of `body` are explained with the settings to check. */
export async function withApi<T>(
    shell: Shell,
    stack: string | undefined,
    body: (api: VideographApi) => Promise<T>,
): Promise<T> {
    const { settings, transport, ...credentials } = await connect(shell, stack);
    const api = new VideographApi({ ...credentials, transport, clock: shell.clock });
    try {
        return await body(api);
    } catch (error) {
        throw error instanceof ApiError ? new CommandError(explainError(error, settings)) : error;
    } finally {
        await api.close();
    }
}

/**
 * The credentials and the network of a command. Without a named stack, the credentials of the environment are enough.
 * @throws when they are not complete, or the base URL is unusable.
 */
export async function connect(shell: Shell, stack: string | undefined) {
    const { settings, problem } = await findSettings(shell, stack);
    if (problem !== undefined && (stack !== undefined || missingCredentials(settings) !== undefined)) throw problem;
    const credentials = credentialsOf(settings);
    if (problem !== undefined && settings.baseUrl === undefined)
        shell.terminal.warn(`${problem.message} The base URL is ${credentials.baseUrl}.`);
    const baseUrl = parseBaseUrl(credentials.baseUrl);
    return { ...credentials, baseUrl, settings, transport: transportTo(shell, baseUrl) };
}

export type Connection = Awaited<ReturnType<typeof connect>>;

export function transportTo(shell: Shell, baseUrl: string): Transport {
    return shell.transport ?? new UndiciTransport(baseUrl);
}

/** The settings. Where the configuration of the stack cannot be read, also the reason: the environment may have all that is needed. */
export async function findSettings(shell: Shell, stack: string | undefined) {
    let config: Settings = {};
    let problem: CommandError | undefined;
    try {
        if (stack !== undefined || findProject(shell.cwd) !== undefined) config = await stackConfig(shell, stack);
    } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        problem = error;
    }
    return { settings: resolveSettings({}, config, shell.variables), problem };
}

/** A secret has no value, unless it is asked for. */
export const stackConfiguration = z.record(z.string(), z.object({ value: z.optional(z.string()) }));
const configIn = parseJsonAs(stackConfiguration);

/** This package's settings in the configuration of the stack. A secret that the environment overrides is not decrypted: the passphrase may be unknown here. */
async function stackConfig(shell: Shell, stack: string | undefined): Promise<Settings> {
    const config = await pulumiOutput(shell, configIn, "a configuration", "config", "--json", ...stackArguments(stack));
    const found: Settings = {};
    const { sources } = resolveSettings({}, {}, shell.variables);
    for (const name of settingNames) {
        const key = stackSettingKey(name);
        found[name] = config[key]?.value;
        const isHidden = key in config && found[name] === undefined && sources[name] === undefined;
        if (isHidden) found[name] = (await shell.pulumi("config", "get", key, ...stackArguments(stack))).trimEnd();
    }
    return found;
}
