/** Commands: their form, their arguments and their exit codes. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { parseDuration } from "#provider/inputs/duration";
import type { Message } from "#provider/messages/index";
import { downloadUrl } from "#provider/session/pluginSource";
import type { Shell } from "./shell";

/** `found`: the user should look at the result. `incomplete`: done, except for objects that could not be read. */
export const exitCodes = { done: 0, failed: 1, usage: 2, found: 3, incomplete: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type Command = (args: string[], shell: Shell) => Promise<ExitCode>;

/** A command that cannot go on. */
export class CommandError extends Error {
    constructor(message: Message) {
        super(message);
    }
}

/** The command line itself is wrong: `--help` shows the right form. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T; strict: true }>>["values"];

/** Reads the options of a command. Other arguments are refused unless `positionals` takes them. */
export function readOptions<const T extends Options>(args: string[], options: T, positionals?: string[]): Values<T> {
    try {
        const parsed = parseArgs({ args, options, strict: true, allowPositionals: positionals !== undefined });
        positionals?.push(...parsed.positionals);
        return parsed.values as Values<T>;
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

/** The duration that an option gives, in ms. */
export function durationOf(option: string, text: string): number {
    const ms = parseDuration(text);
    if (!ms) throw new UsageError(`${option} must be a duration such as 30s or 2m.`);
    return ms;
}

/** One of the words an option may have. */
export function oneOf<const T extends string>(option: string, words: readonly T[], value: string): T {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new UsageError(`${option} must be one of ${words.join(", ")}.`);
    return word;
}

interface Manifest {
    readonly version: string;
    readonly repository: { readonly url: string };
}

const manifest = () => require("../../package.json") as Manifest;

/** The version of this package. */
export function packageVersion(): string {
    return manifest().version;
}

/** Owner and name of its repository on GitHub, where its Go module is too. */
export function packageHome(): string {
    return downloadUrl(manifest().repository.url)?.replace(/^.*\/(?=[^/]+\/)/, "") ?? "";
}

/** The source of the plugin that reads an object of a native type. */
export interface PluginSource {
    readonly version: string;
    readonly pluginDownloadURL?: string | undefined;
}

/** @param version - that of the stack's plugin, if it has one */
export function pluginSource(version = packageVersion()): PluginSource {
    return { version, pluginDownloadURL: downloadUrl(manifest().repository.url) };
}
