/** What a command is: options, from which the parser and the help are made, errors and exit codes. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { correction } from "#provider/inputs/validate";
import type { Message } from "#provider/messages/index";
import type { Shell } from "./shell";

/** The exit codes. `found`: the user should look at the result. `incomplete`: done, except for objects that could not be read. */
export const exitCodes = { done: 0, failed: 1, usage: 2, found: 3, incomplete: 4 } as const;
const exitCodeHelp = `0 done, 1 an error, 2 a wrong command line, 3 orphans were found, something is contradicted or more is
deleted than allowed, 4 done, but some objects could not be read.`;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A command that cannot go on. */
export class CommandError extends Error {
    constructor(message: Message) {
        super(message);
    }
}

/** A mistake in the command line. The answer names `--help`. */
export class UsageError extends Error {}

/** An option. `value` names its value: one word, or the words among which to choose, as `a|b`. */
interface Option {
    readonly type: "string" | "boolean";
    readonly multiple?: boolean;
    readonly value?: string;
    readonly help: string;
}
type Options = Readonly<Record<string, Option>>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T; strict: true }>>["values"];

export interface CommandDefinition<T extends Options> {
    readonly name: string;
    /** The name of other arguments in the help. Without a name they are refused. */
    readonly positionals?: string;
    readonly about: string;
    readonly options: T;
    run(values: Values<T>, shell: Shell, positionals: string[]): Promise<ExitCode>;
}

export interface Command {
    /** The first sentence of the help. */
    readonly summary: string;
    readonly help: string;
    run(args: string[], shell: Shell): Promise<ExitCode>;
}

export const flag = (help: string) => ({ type: "boolean", help }) as const;
export const text = (value: string, help: string) => ({ type: "string", value, help }) as const;
export const texts = (value: string, help: string) => ({ type: "string", multiple: true, value, help }) as const;

/** Options that several commands have. */
export const commonOptions = {
    json: flag("print the result as JSON"),
    stack: text("name", "the stack whose state and configuration are read (default: the selected one)"),
};

export function command<const T extends Options>(definition: CommandDefinition<T>): Command {
    const { about, options, positionals } = definition;
    return {
        summary: about.slice(0, about.indexOf(".")),
        help: helpOf(definition),
        run(args, shell) {
            const config: ParseArgsConfig = {
                args,
                options,
                strict: true,
                allowPositionals: positionals !== undefined,
            };
            let parsed: ReturnType<typeof parseArgs>;
            try {
                parsed = parseArgs(config);
            } catch (error) {
                throw new UsageError(problemOf(error, [...Object.keys(options), "help"]));
            }
            for (const [name, value] of Object.entries(parsed.values)) checkChoice(name, value, options[name]?.value);
            return definition.run(parsed.values as Values<T>, shell, parsed.positionals);
        },
    };
}

/** Says what is wrong with a command line. For an unknown option, Node's own text would give advice about positional arguments. */
function problemOf(error: unknown, options: readonly string[]): string {
    const text = error instanceof Error ? error.message : String(error);
    const [, option] = /^Unknown option '(-[^']+)'/.exec(text) ?? [];
    if (option === undefined) return text;
    return `There is no option ${option}: correct it${correction(
        option,
        options.map((name) => `--${name}`),
    )}.`;
}

function checkChoice(name: string, value: unknown, words: string | undefined): void {
    const choices = words?.split("|") ?? [];
    if (choices.length > 1 && !choices.includes(String(value)))
        throw new UsageError(`--${name} must be one of ${choices.join(", ")}.`);
}

function helpOf({ name, positionals, about, options }: CommandDefinition<Options>): string {
    const usage = ["npx pulumi-videograph", name, positionals, "[options]"].filter((part) => part !== undefined);
    const rows: [string, Option][] = Object.entries({ ...options, help: flag("show this text") });
    const terms = rows.map(([option, { value }]) => `--${option}${value === undefined ? "" : ` <${value}>`}`);
    const width = Math.max(...terms.map(({ length }) => length));
    const lines = rows.map(([, { help }], at) => `  ${(terms[at] ?? "").padEnd(width)}  ${help}`);
    return `${about}\n\nUsage: ${usage.join(" ")}\n\n${lines.join("\n")}\n\nExit codes: ${exitCodeHelp}`;
}
