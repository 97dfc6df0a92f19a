/** What a command is, how its arguments are read, and how it ends. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { parseDuration } from "../lifecycle/wait/duration";
import type { Message } from "../messages";
import type { Shell } from "./shell";

/** How a command ended. */
/** `incomplete`: everything was done but for objects that could not be read, which are listed. */
export const exitCodes = { done: 0, failed: 1, usage: 2, found: 3, incomplete: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Command {
    run(args: string[], shell: Shell): Promise<ExitCode>;
}

/** A command that cannot go on. */
export class CommandError extends Error {
    constructor(message: Message) {
        super(message);
    }
}

/** The command line itself is wrong: `--help` says how it is right. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T; strict: true }>>["values"];

/** Reads the options of a command, which takes nothing else. */
export function readOptions<const T extends Options>(args: string[], options: T): Values<T> {
    try {
        return parseArgs({ args, options, strict: true, allowPositionals: false }).values as Values<T>;
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

/** For the read of one object, when `--timeout` does not say. */
const defaultReadTimeout = "1m";

/** The `--timeout` of the commands that read whole accounts, in ms. */
export function readTimeout(text = defaultReadTimeout): number {
    const ms = parseDuration(text);
    if (!ms) throw new UsageError("--timeout must be a duration such as 30s or 2m.");
    return ms;
}

/** One of the words an option may have. */
export function oneOf<const T extends string>(option: string, words: readonly T[], value: string): T {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new UsageError(`${option} must be one of ${words.join(", ")}.`);
    return word;
}
