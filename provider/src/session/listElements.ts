/**
 * Takes elements out of JSON text as it comes: a state may have a hundred megabytes, whose value would take several times as much memory and block
 * the process for seconds.
 */

const outside = /["{}[\]]/g;
const inString = /["\\]/g;

/** Gives each object in the lists `outer.<one of inner>` of the whole object to `take`, with the list's name. */
export class ListElements {
    /** The name that came last at each depth: the member whose value the text is in. */
    readonly #names: string[] = [];
    #depth = 0;
    #isInString = false;
    #hasBegun = false;
    /** The last characters, where they may begin an escape that the next piece ends. */
    #rest = "";
    /** What of a name or an element has come in earlier pieces; `undefined` outside of both. */
    #kept: string | undefined;

    constructor(
        readonly lists: { outer: string; inner: readonly string[] },
        readonly take: (element: unknown, list: string) => void,
    ) {}

    /** Whether the text was one whole object. */
    get isComplete(): boolean {
        return this.#hasBegun && this.#depth === 0 && this.#rest === "";
    }

    /** @throws {SyntaxError} where an element is no JSON. */
    push(piece: string): void {
        const all = this.#rest + piece;
        const text = all.replace(/\\+$/, "");
        this.#rest = all.slice(text.length);
        let from = 0;
        for (let at = 0; ; at++) {
            const token = this.#isInString ? inString : outside;
            token.lastIndex = at;
            // Without an array for each of millions of matches.
            if (!token.test(text)) break;
            at = token.lastIndex - 1;
            const character = text[at];
            if (character === "\\") at++;
            else if (character === '"') {
                this.#isInString = !this.#isInString;
                // Names of members, and their short values: the lists are behind them.
                if (this.#depth > 2) continue;
                if (this.#isInString) [this.#kept, from] = ["", at + 1];
                else this.#names[this.#depth] = this.#end(text.slice(from, at));
            } else if (character === "{" || character === "[") {
                if (this.#depth === 0) this.#hasBegun = character === "{" && text.slice(0, at).trim() === "";
                this.#depth++;
                if (this.#isElement) [this.#kept, from] = ["", at];
            } else {
                if (this.#isElement) this.take(JSON.parse(this.#end(text.slice(from, at + 1))), this.#names[2] ?? "");
                this.#depth--;
            }
        }
        if (this.#kept !== undefined) this.#kept += text.slice(from);
    }

    get #isElement(): boolean {
        const [, outer, inner = ""] = this.#names;
        return this.#depth === 4 && outer === this.lists.outer && this.lists.inner.includes(inner);
    }

    #end(tail: string): string {
        const whole = this.#kept + tail;
        this.#kept = undefined;
        return whole;
    }
}
