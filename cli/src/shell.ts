/**
 * The dependencies of a command, and how it prints: results go to stdout, everything else to stderr. Colours and lines that
 * change appear only at a real terminal.
 */
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
// Not all of the client: help should not wait for it.
import { type Clock, systemClock } from "#provider/api/clock";

/** A stream that may be a terminal. */
export type Sink = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

export interface Shell {
    readonly cwd: string;
    readonly variables: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly terminal: Terminal;
}

export function realShell(): Shell {
    const { stdin, stdout, stderr, env } = process;
    return {
        cwd: process.cwd(),
        variables: env,
        clock: systemClock,
        terminal: new Terminal({ stdin, stdout, stderr, variables: env, clock: systemClock }),
    };
}

export type Style = "dim" | "green" | "yellow" | "red";

export interface Streams {
    stdin: Readable & { isTTY?: boolean };
    stdout: Sink;
    stderr: Sink;
    variables: NodeJS.ProcessEnv;
    clock: Clock;
}

const progressPauseMs = 100;

export class Terminal {
    readonly #streams: Streams;
    readonly #showsProgress: boolean;
    #hasProgress = false;
    #lastProgress = Number.NEGATIVE_INFINITY;

    constructor(streams: Streams) {
        this.#streams = streams;
        this.#showsProgress = streams.stderr.isTTY === true && streams.variables.TERM !== "dumb";
    }

    /** Part of the result. */
    print(text: string): void {
        this.#clear();
        this.#streams.stdout.write(`${harmless(text)}\n`);
    }

    /** The result as JSON. */
    printJson(value: unknown): void {
        this.print(JSON.stringify(value, undefined, 4));
    }

    /** A note. */
    note(text: string): void {
        this.#clear();
        this.#streams.stderr.write(`${harmless(text)}\n`);
    }

    warn(text: string): void {
        this.note(`${this.#styled(this.#streams.stderr, "yellow", "warning:")} ${text}`);
    }

    error(text: string): void {
        this.note(`${this.#styled(this.#streams.stderr, "red", "error:")} ${text}`);
    }

    /** The progress of long work: one line that changes, only at a real terminal. */
    progress(text: string): void {
        const now = this.#streams.clock.monotonic();
        if (!this.#showsProgress || now - this.#lastProgress < progressPauseMs) return;
        this.#lastProgress = now;
        const width = (this.#streams.stderr.columns || 80) - 1;
        this.#streams.stderr.write(`\r\u001b[K${text.slice(0, width)}`);
        this.#hasProgress = true;
    }

    /** A part of the result in colour, where colours are wanted. */
    style(style: Style, text: string): string {
        return this.#styled(this.#streams.stdout, style, text);
    }

    /** Whether a user can answer a question. */
    get canAsk(): boolean {
        return this.#streams.stdin.isTTY === true && this.#streams.stderr.isTTY === true;
    }

    /** Asks a question. Only the whole word `yes` confirms. */
    async confirm(question: string): Promise<boolean> {
        this.#clear();
        const lines = createInterface({ input: this.#streams.stdin, output: this.#streams.stderr as WriteStream });
        const ended = new AbortController();
        // The end of the input counts as a no.
        lines.once("close", () => ended.abort());
        try {
            return (await lines.question(`${question} (yes/no) `, { signal: ended.signal })).trim() === "yes";
        } catch {
            return false;
        } finally {
            lines.close();
        }
    }

    #clear(): void {
        if (!this.#hasProgress) return;
        this.#streams.stderr.write("\r\u001b[K");
        this.#hasProgress = false;
    }

    #styled(sink: Sink, style: Style, text: string): string {
        return isColoured(sink, this.#streams.variables) ? styleText(style, text, { validateStream: false }) : text;
    }
}

/** As https://no-color.org and https://force-color.org have it; where both are set, the user who wants none wins. */
function isColoured(sink: Sink, { NO_COLOR = "", FORCE_COLOR = "", TERM }: NodeJS.ProcessEnv): boolean {
    if (NO_COLOR !== "" || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
    return FORCE_COLOR !== "" || (sink.isTTY === true && TERM !== "dumb");
}

/** Text of the service in quotes, on one line: it may hold line ends. */
export function quoted(text: string | undefined, longest = 60): string {
    if (text === undefined) return "(no title)";
    const characters = [...text];
    const short = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
    return harmless(JSON.stringify(short));
}

/**
 * Text without control sequences for a terminal, except colours: titles, ids and statuses may come from anyone. Escapes are
 * written as in JSON, so that JSON stays the same.
 */
function harmless(text: string): string {
    // Line ends, colours and the joiners of emoji and of some scripts are kept.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
    const obeyed = /(?!\n|\u001b\[\d+m|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
    return text.replace(obeyed, (character) =>
        Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
            .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
            .join(""),
    );
}

/** `1 content`, `2 contents` */
export function counted(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function dateText(time: number | undefined): string {
    if (time === undefined || Number.isNaN(new Date(time).getTime())) return "at an unknown time";
    return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
