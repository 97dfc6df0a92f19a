/** How far something is that takes minutes, on one line of standard error. Standard output is for results. */

/** Says one thing, on a line of its own. */
export function say(line: string): void {
    process.stderr.write(`${line}\n`);
}

/** Where the line cannot be written over, in a log, it comes this often. */
const logIntervalMs = 30_000;

/** One line that is written over as long as something takes. */
export class ProgressLine {
    #writtenAt = Number.NEGATIVE_INFINITY;
    readonly #stream: NodeJS.WriteStream;

    constructor(stream: NodeJS.WriteStream = process.stderr) {
        this.#stream = stream;
    }

    show(text: string): void {
        if (this.#stream.isTTY) {
            this.#stream.write(`\r\u001b[K${text.slice(0, this.#stream.columns - 1)}`);
        } else if (Date.now() - this.#writtenAt >= logIntervalMs) {
            this.#writtenAt = Date.now();
            this.#stream.write(`${text}\n`);
        }
    }

    /** What comes next has a line of its own. */
    end(): void {
        if (this.#stream.isTTY) this.#stream.write("\r\u001b[K");
    }
}
