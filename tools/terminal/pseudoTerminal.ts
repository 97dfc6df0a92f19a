/**
 * A program in a pseudo terminal, and what a person would see there. The terminal is util-linux's `script`; what the program
 * writes to it is read by xterm.js, without a window.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import xterm from "@xterm/headless";

/** Text of one colour. */
export interface Piece {
    readonly text: string;
    /** Of the 256 colours of a terminal; undefined for the terminal's own. */
    readonly colour: number | undefined;
    readonly bold: boolean;
}

export type Line = readonly Piece[];

export interface Size {
    readonly columns: number;
    readonly rows: number;
}

/** No run here takes a fraction of it. */
const longestMs = 120_000;

export class PseudoTerminal {
    readonly #screen: InstanceType<typeof xterm.Terminal>;
    readonly #child: ChildProcess;
    #written: Promise<void> = Promise.resolve();

    constructor(command: string, options: Size & { cwd: string; env: Record<string, string> }) {
        const { columns, rows, cwd, env } = options;
        this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
        const inside = `stty cols ${columns} rows ${rows}; exec ${command}`;
        this.#child = spawn("script", ["--quiet", "--return", "--command", inside, "/dev/null"], {
            cwd,
            env: { ...env, TERM: "xterm-256color" },
            stdio: ["ignore", "pipe", "inherit"],
        });
        this.#child.stdout?.on("data", (bytes: Buffer) => {
            this.#written = new Promise((resolve) => this.#screen.write(bytes, resolve));
        });
    }

    /** Resolves with the screen as soon as it shows that; rejects when that does not come. */
    until(pattern: RegExp): Promise<Line[]> {
        return new Promise((resolve, reject) => {
            const look = () => {
                const lines = this.lines();
                if (!pattern.test(plain(lines))) return;
                done();
                resolve(lines);
            };
            const give = () => {
                done();
                reject(new Error(`It never showed ${pattern}:\n${plain(this.lines())}`));
            };
            const listener = this.#screen.onWriteParsed(look);
            const limit = setTimeout(give, longestMs);
            const done = () => {
                listener.dispose();
                clearTimeout(limit);
                this.#child.off("close", give);
            };
            this.#child.once("close", give);
            look();
        });
    }

    /** Resolves with everything that was shown, what scrolled away included, when the program has ended. */
    async end(expected: "success" | "failure"): Promise<Line[]> {
        const limit = setTimeout(() => this.#child.kill("SIGINT"), longestMs);
        const [code] = await once(this.#child, "close").finally(() => clearTimeout(limit));
        await this.#written;
        const lines = this.lines();
        if ((code === 0) !== (expected === "success")) throw new Error(`It ended with ${code}:\n${plain(lines)}`);
        return lines;
    }

    lines(): Line[] {
        const buffer = this.#screen.buffer.active;
        const lines: Line[] = [];
        for (let y = 0; y < buffer.length; y++) lines.push(this.#line(y));
        while (plain(lines.slice(-1)).trim() === "" && lines.length > 0) lines.pop();
        return lines;
    }

    #line(y: number): Line {
        const row = this.#screen.buffer.active.getLine(y);
        const pieces: Piece[] = [];
        for (let x = 0; row !== undefined && x < row.length; x++) {
            const cell = row.getCell(x);
            if (cell === undefined || cell.getWidth() === 0) continue;
            const text = cell.getChars() || " ";
            const colour = cell.isFgDefault() ? undefined : cell.getFgColor();
            const bold = cell.isBold() !== 0;
            const last = pieces.at(-1);
            if (last !== undefined && last.colour === colour && last.bold === bold) {
                pieces[pieces.length - 1] = { ...last, text: last.text + text };
            } else pieces.push({ text, colour, bold });
        }
        return pieces;
    }
}

export function plain(lines: readonly Line[]): string {
    return lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}
