/**
 * The text of `pulumi stack export`, as it comes: a state may have a hundred megabytes, whose value would take several times as much memory and
 * block the process for seconds. What it means is in operation/ownState.ts.
 */
import { ExportParts, type StackExport } from "../operation/ownState";

/** The parts of an export; `undefined` for any other text. */
export function parseExport(text: string): StackExport | undefined {
    const parts = new ExportParts();
    const elements = new ListElements((one, list) => parts.add(one, list));
    try {
        elements.push(text);
    } catch {
        return undefined;
    }
    return elements.isComplete ? parts.all : undefined;
}

/** The parts of an export that comes in pieces. @throws {SyntaxError} where it is something else. */
export async function readExport(pieces: AsyncIterable<string>): Promise<StackExport> {
    const parts = new ExportParts();
    const elements = new ListElements((one, list) => parts.add(one, list));
    for await (const piece of pieces) elements.push(piece);
    if (!elements.isComplete) throw new SyntaxError("the output is no state");
    return parts.all;
}

const lists = ["resources", "pending_operations"] as const;
const outside = /["{}[\]]/g;
const inString = /["\\]/g;

/** Gives each object in the two lists of `deployment` to `take`, with the list's name. */
export class ListElements {
    /** For each open bracket the last string right behind it: the name of the member that the text is in. */
    readonly #names: string[] = [];
    #isInString = false;
    #hasBegun = false;
    /** The last characters, where they may begin an escape that the next piece ends. */
    #rest = "";
    /** What of a name or an element has come in earlier pieces; `undefined` outside of both. */
    #kept: string | undefined;

    constructor(readonly take: (element: unknown, list: (typeof lists)[number]) => void) {}

    /** Whether the text was one whole object. */
    get isComplete(): boolean {
        return this.#hasBegun && this.#names.length === 0 && this.#rest === "";
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
            // `exec` would make an array for each of millions of matches.
            if (!token.test(text)) break;
            at = token.lastIndex - 1;
            const character = text[at];
            if (character === "\\") at++;
            else if (character === '"') {
                this.#isInString = !this.#isInString;
                // Names of members, and their short values: the lists are behind them.
                if (this.#names.length > 2) continue;
                if (this.#isInString) [this.#kept, from] = ["", at + 1];
                else this.#names.splice(-1, 1, this.#end(text.slice(from, at)));
            } else if (character === "{" || character === "[") {
                if (this.#names.length === 0) this.#hasBegun = character === "{" && text.slice(0, at).trim() === "";
                this.#names.push("");
                if (this.#list !== undefined) [this.#kept, from] = ["", at];
            } else {
                const list = this.#list;
                if (list !== undefined) this.take(JSON.parse(this.#end(text.slice(from, at + 1))), list);
                this.#names.pop();
            }
        }
        if (this.#kept !== undefined) this.#kept += text.slice(from);
    }

    /** The list whose element the text is in, but in no part of the element. */
    get #list() {
        const { length, 0: outer, 1: inner } = this.#names;
        return length === 4 && outer === "deployment" ? lists.find((list) => list === inner) : undefined;
    }

    #end(tail: string): string {
        const whole = this.#kept + tail;
        this.#kept = undefined;
        return whole;
    }
}
