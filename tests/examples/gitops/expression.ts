/** The expressions of GitHub workflows, as far as the example uses them: contexts, texts, comparisons, && and ||, and always(). */

/** Looks up a context such as `needs.preview.result`; undefined is what GitHub has for a property that is not there. */
export type Lookup = (context: string) => string | boolean | undefined;
type Value = string | boolean | undefined;

const token = /\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|!|\(|\))|([A-Za-z_][\w.-]*))/y;

/** Evaluates one expression, without its `${{ }}`. What is not known here is an error, not a guess. */
export function evaluate(text: string, lookup: Lookup): Value {
    const tokens = tokensOf(text);
    const next = () => tokens.shift() ?? fail(text);
    const accept = (wanted: string) => tokens[0] === wanted && tokens.shift() !== undefined;

    function or(): Value {
        let value = and();
        while (accept("||")) {
            const other = and();
            value = truthy(value) ? value : other;
        }
        return value;
    }
    function and(): Value {
        let value = comparison();
        while (accept("&&")) {
            const other = comparison();
            value = truthy(value) ? other : value;
        }
        return value;
    }
    function comparison(): Value {
        const value = unary();
        if (accept("==")) return same(value, unary());
        if (accept("!=")) return !same(value, unary());
        return value;
    }
    function unary(): Value {
        if (accept("!")) return !truthy(unary());
        if (accept("(")) {
            const value = or();
            return accept(")") ? value : fail(text);
        }
        const word = next();
        if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
        if (word === "true" || word === "false") return word === "true";
        if (!accept("(")) return lookup(word);
        return accept(")") ? lookup(`${word}()`) : fail(text);
    }

    const value = or();
    return tokens.length === 0 ? value : fail(text);
}

/** A condition: where it does not ask how things went, GitHub adds that all must have gone well. */
export function holds(condition: string | undefined, wentWell: boolean, lookup: Lookup): boolean {
    if (condition === undefined) return wentWell;
    const text = condition.replace(/^\$\{\{(.*)\}\}$/s, "$1").trim();
    if (!/\b(always|success|failure|cancelled)\(\)/.test(text) && !wentWell) return false;
    const statuses: Record<string, boolean> = { "always()": true, "success()": wentWell, "failure()": !wentWell };
    return truthy(evaluate(text, (context) => statuses[context] ?? lookup(context)));
}

/** A text with expressions in it. */
export function fill(text: string, lookup: Lookup): string {
    return text.replace(/\$\{\{(.+?)\}\}/g, (_whole, expression: string) => String(evaluate(expression, lookup) ?? ""));
}

function tokensOf(text: string): string[] {
    const tokens: string[] = [];
    token.lastIndex = 0;
    while (token.lastIndex < text.trimEnd().length) {
        const [, quoted, operator, word] = token.exec(text) ?? fail(text);
        tokens.push(quoted ?? operator ?? word ?? fail(text));
    }
    return tokens;
}

function truthy(value: Value): boolean {
    return value !== undefined && value !== "" && value !== false;
}

/** GitHub compares without regard to case, and a missing value like an empty text. */
function same(a: Value, b: Value): boolean {
    return String(a ?? "").toLowerCase() === String(b ?? "").toLowerCase();
}

function fail(text: string): never {
    throw new Error(`The rehearsal cannot evaluate ${text}`);
}
