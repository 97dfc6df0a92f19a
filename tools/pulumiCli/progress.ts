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

/** How much of some work is done, and how long the rest takes if it goes on like this. */
export class Estimate {
    #done = 0;
    readonly #total: number;
    readonly #startedAt: number;
    readonly #now: () => number;

    constructor(total: number, now: () => number = Date.now) {
        this.#total = total;
        this.#now = now;
        this.#startedAt = now();
    }

    add(amount: number): void {
        this.#done = Math.min(this.#done + amount, this.#total);
    }

    /** Such as "38 %, about 3 min left". */
    toString(): string {
        const share = this.#total === 0 ? 1 : this.#done / this.#total;
        const percent = `${Math.floor(share * 100)} %`;
        // The first packages say too little of the others.
        if (share < 0.05) return percent;
        const secondsLeft = ((this.#now() - this.#startedAt) * (1 / share - 1)) / 1000;
        return `${percent}, about ${secondsLeft < 90 ? `${Math.ceil(secondsLeft / 10) * 10} s` : `${Math.round(secondsLeft / 60)} min`} left`;
    }
}
