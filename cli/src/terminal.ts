/**
 * The output of a command: results go to stdout, everything else to stderr. Colours and lines that change appear only at a real
 * terminal.
 */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { styleText } from "node:util";
import type { Clock } from "#provider/api/clock";

/** Where a command writes: a terminal, a file or a pipe. */
type Sink = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

export type Style = "dim" | "green" | "yellow" | "red";

export interface Streams {
    stdin: Readable & { isTTY?: boolean };
    stdout: Sink;
    stderr: Sink;
    clock: Clock;
}

const progressPauseMs = 100;

export class Terminal {
    readonly #streams: Streams;
    #hasProgress = false;
    #lastProgress = Number.NEGATIVE_INFINITY;

    constructor(streams: Streams) {
        this.#streams = streams;
    }

    /** Prints a part of the result. */
    print(text: string): void {
        this.#clear();
        this.#streams.stdout.write(`${escapedControls(text)}\n`);
    }

    /** Prints the result as JSON. */
    printJson(value: unknown): void {
        this.print(JSON.stringify(value, undefined, 4));
    }

    note(text: string): void {
        this.#clear();
        this.#streams.stderr.write(`${escapedControls(text)}\n`);
    }

    warn(text: string): void {
        this.note(`${styleText("yellow", "warning:", { stream: this.#streams.stderr })} ${text}`);
    }

    error(text: string): void {
        this.note(`${styleText("red", "error:", { stream: this.#streams.stderr })} ${text}`);
    }

    /** Shows the progress of long work: one line that changes, only at a real terminal. */
    progress(text: string): void {
        const { stderr, clock } = this.#streams;
        const now = clock.monotonic();
        if (stderr.isTTY !== true || now - this.#lastProgress < progressPauseMs) return;
        this.#lastProgress = now;
        stderr.write(`\r\u001b[K${escapedControls(text).slice(0, (stderr.columns || 80) - 1)}`);
        this.#hasProgress = true;
    }

    /** The text in a colour. Without a terminal, or with NO_COLOR, it stays as it is. */
    style(style: Style, text: string): string {
        return styleText(style, text, { stream: this.#streams.stdout });
    }

    /** Whether a user can answer a question. */
    get canAsk(): boolean {
        return this.#streams.stdin.isTTY === true && this.#streams.stderr.isTTY === true;
    }

    /** Asks a question. Only the whole word `yes` confirms; the end of the input counts as a no. */
    async confirm(question: string): Promise<boolean> {
        this.note(`${question} (yes/no)`);
        for await (const line of createInterface({ input: this.#streams.stdin })) return line.trim() === "yes";
        return false;
    }

    #clear(): void {
        if (!this.#hasProgress) return;
        this.#streams.stderr.write("\r\u001b[K");
        this.#hasProgress = false;
    }
}

/** Text of the service in quotes, on one line: it may hold line ends. */
export function quoted(text: string | undefined, longest = 60): string {
    if (text === undefined) return "(no title)";
    const characters = [...text];
    const short = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
    return escapedControls(JSON.stringify(short));
}

/**
 * The text without control sequences for a terminal, except colours: titles, ids and statuses may come from anyone. Escapes are
 * written as in JSON, so that JSON stays the same.
 */
function escapedControls(text: string): string {
    // Line ends, colours and the joiners of emoji and of some scripts are kept.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
    return escaped(text, /(?!\n|\u001b\[\d+m|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu);
}

/** The text with these characters written as `\uXXXX`. */
export function escaped(text: string, characters: RegExp): string {
    const spelled = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return text.replace(characters, (character) => character.split("").map(spelled).join(""));
}

/** The number with its noun: `1 content`, `2 contents`. */
export function counted(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function dateText(time: number | undefined): string {
    const date = new Date(time ?? Number.NaN);
    // The journal may have any number, also one that is no time.
    if (Number.isNaN(date.getTime())) return "at an unknown time";
    return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
