/** Validation of inputs (S5): all problems at once. None quotes a value: the engine would print it, secret or not. */
import { distance } from "fastest-levenshtein";
import { isObject } from "../api/json";
import { type Field, type Known, type Type, text } from "../definitions/definition";
import { type Message, messages } from "../messages";
import { outputTexts } from "./outputText";
import { type Properties, pathText, unknownValue } from "./values";

type Fields = Readonly<Record<string, Field>>;
type Path = readonly PropertyKey[];

/** A problem, or a value that the service's documentation does not show. */
interface Finding {
    path: Path;
    problem?: Message;
    unusual?: Record<"input" | "known" | "correction", string>;
}

/** The problems of `news`, which may have these fields and no others: `outputs` are a likely mistake. Values that are not known yet pass. */
export function problemsOf(fields: Fields, news: Properties, outputs: Fields = {}): Message[] {
    const texts = outputTexts(news);
    const known = new Set(texts.map(({ path }) => pathText(path)));
    const others = findingsIn(fields, news, [], outputs).filter(({ path }) => !known.has(pathText(path)));
    return [...texts, ...others].flatMap(({ problem }) => problem ?? []);
}

/** The values that the service's documentation does not show. */
export function unusualValues(fields: Fields, values: Properties) {
    return findingsIn(fields, values, []).flatMap(({ unusual }) => unusual ?? []);
}

function findingsIn(fields: Fields, values: Properties, path: Path, outputs: Fields = {}): Finding[] {
    const declared = Object.entries(fields).flatMap(([name, { type, required, known }]) =>
        values[name] === undefined && !required ? [] : findingsOf(type, values[name], [...path, name], known),
    );
    const others = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
    const unknown = others.map((name) => {
        const property = pathText([...path, name]);
        const problem = Object.hasOwn(outputs, name)
            ? messages.outputAsInput({ property })
            : messages.unknownInput({ property, correction: correction(name, Object.keys(fields)) });
        return { path, problem };
    });
    // A mistyped name comes first: it is the reason why another one is missing.
    return [...unknown, ...declared];
}

function findingsOf(type: Type, value: unknown, path: Path, known?: Known): Finding[] {
    if (value === unknownValue) return [];
    const inside = findingsInside(type, value, path);
    const expected = expectedOf(type, value, known);
    if (expected !== undefined)
        inside.unshift({ path, problem: messages.badInput({ property: pathText(path), expected }) });
    const isPlain = isText(value) || typeof value === "number";
    if (known === undefined || !isPlain || known.pattern.test(String(value))) return inside;
    const meant = closest(String(value), known.values ?? []);
    const correction = meant === undefined ? "" : ` to \`${meant}\``;
    return [...inside, { path, unusual: { input: pathText(path), known: known.words, correction } }];
}

function findingsInside(type: Type, value: unknown, path: Path): Finding[] {
    if (type.kind === "list" && Array.isArray(value))
        return value.flatMap((item, index) => findingsOf(type.of, item, [...path, index]));
    if (!isObject(value)) return [];
    if (type.kind === "object") return findingsIn(type.fields, value, path);
    if (type.kind !== "map") return [];
    return Object.entries(value).flatMap(([key, item]) => {
        const inner = [...path, key];
        if (typeof item !== "object" || item === null) return findingsOf(text, item, inner);
        return [{ path: inner, problem: messages.badInput({ property: pathText(inner), expected: expectedInMap }) }];
    });
}

const expectedInMap = 'a string: write an object or a list as JSON text, or its values under keys such as "a.b"';

/** The end of a message after "correct it": the name that was meant, or else all names. */
export function correction(word: string, names: readonly string[]): string {
    const meant = names.length === 1 ? names[0] : closest(word, names, Math.max(2, word.length / 3));
    if (meant !== undefined) return ` to \`${meant}\``;
    return names.length === 0 ? "" : ` to one of ${names.map((name) => `\`${name}\``).join(", ")}`;
}

/** The nearest name, at most `most` edits away. */
export function closest(word: string, names: readonly string[], most = 2): string | undefined {
    const edits = (name: string) => distance(word.toLowerCase(), name.toLowerCase());
    return names.filter((name) => edits(name) <= most).sort((a, b) => edits(a) - edits(b))[0];
}

/** The expected value, in words; `undefined` if the value is of the type. Its parts are checked for themselves. */
function expectedOf(type: Type, value: unknown, known?: Known): string | undefined {
    if (value === undefined) return "set";
    switch (type.kind) {
        case "string":
            return expectedText(type, value, known);
        case "boolean":
            if (typeof value === "boolean") return undefined;
            return typeof value === "string" ? "true or false, without quotes" : "true or false";
        case "number":
            if (!Number.isFinite(value)) return numberOf(type.unit, value);
            return type.min !== undefined && Number(value) < type.min ? `${type.min} or more` : undefined;
        case "integer": {
            const { unit, min = 0 } = type;
            if (!Number.isSafeInteger(value)) return numberOf(unit, value, "a whole number");
            return Number(value) < min ? `${min} or more` : undefined;
        }
        case "numberOrString":
            return Number.isFinite(value) || isText(value) ? undefined : "a number or a string";
        case "list":
            if (!Array.isArray(value)) return type.nonEmpty ?? `an array, such as ${exampleOf(type)}`;
            if (value.length === 0) return type.nonEmpty;
            return type.of.kind === "string" && type.of.oneOf && !isDistinct(value)
                ? "without repetitions: write each value once"
                : undefined;
        default:
            return isObject(value) ? undefined : `an object${exampleOf(type) && `, such as ${exampleOf(type)}`}`;
    }
}

function numberOf(unit: string | undefined, value: unknown, number = "a number"): string {
    const form = typeof value === "string" ? " without quotes, such as 1" : "";
    return `${number}${unit === undefined ? "" : ` of ${unit}`}${form}`;
}

function expectedText(
    { rule, form, oneOf }: Extract<Type, { kind: "string" }>,
    value: unknown,
    known?: Known,
): string | undefined {
    if (oneOf !== undefined)
        return oneOf.some((one) => one === value) ? undefined : `one of ${oneOf.map((one) => `"${one}"`).join(", ")}`;
    const example = known?.values?.[0] === undefined ? known?.words : `such as "${known.values[0]}"`;
    // `5` for a position is no text yet in quotes: it lacks its unit.
    if (example !== undefined && /number|boolean/.test(typeof value)) return `a string, ${example}`;
    if (typeof value === "number") return 'a string: put the number in quotes, such as "2"';
    if (typeof value === "boolean") return 'a string: put it in quotes, such as "true"';
    // The object is an asset, or only reads like a value.
    if (rule === "url" && isObject(value)) return `${absoluteAddress}${localFiles}`;
    if (typeof value !== "string") return `a string, and not ${Array.isArray(value) ? "a list" : "an object"}`;
    if (form !== undefined) return form.pattern.test(value) ? undefined : form.expected;
    if (rule === "url") return expectedAddress(value);
    if (rule === "id" && /\S\s+\S|:\/\//.test(value)) return "an id, such as trailer.id, and no title or URL";
    return rule !== undefined && !isText(value) ? "a non-empty string" : undefined;
}

function isText(value: unknown): boolean {
    return typeof value === "string" && /\S/.test(value);
}

/** Whether no item repeats. Values that are not known yet count as different. */
function isDistinct(items: readonly unknown[]): boolean {
    const known = items.filter((item) => item !== unknownValue);
    return new Set(known).size === known.length;
}

/** A value of the type, as TypeScript, Python and YAML write it; empty for an object that may have any fields. */
function exampleOf(type: Type): string {
    switch (type.kind) {
        case "list":
            return `[${exampleOf(type.of)}]`;
        case "map":
            return '{ "season": "2" }';
        case "object": {
            const required = Object.entries(type.fields).filter(([, field]) => field.required);
            const fields = required.map(([name, field]) => `"${name}": ${exampleOf(field.type)}`);
            return fields.length === 0 ? "" : `{ ${fields.join(", ")} }`;
        }
        case "string":
            return JSON.stringify(type.oneOf?.[0] ?? (type.rule === "url" ? "https://…" : "…"));
        default:
            return "1";
    }
}

function expectedAddress(text: string): string | undefined {
    const { protocol } = URL.parse(text) ?? {};
    if (protocol !== "https:" && protocol !== "http:") return `${absoluteAddress}${isPath(text) ? localFiles : ""}`;
    return isWrittenOut(text) ? undefined : needsRepair;
}

const absoluteAddress = "an absolute http: or https: URL";
const localFiles = ': the service downloads the file, so put it into a bucket first (the guide "From a local file")';
const needsRepair =
    "a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes";

/** Whether the text is a path, or a `file:` URL. A protocol has two letters or more: with one letter, it is a drive of Windows. */
function isPath(text: string): boolean {
    return /\S/.test(text) && !/^(?!file:)[a-z][a-z\d+.-]+:|^\/\//i.test(text);
}

/** Whether a URL needs no repair. The parser corrects many mistakes silently; the service, which gets the text, may not. */
function isWrittenOut(text: string): boolean {
    const [address = ""] = text.split(/[?#]/, 1);
    const hasControls = /[^ -~\u0080-\uffff]/.test(text);
    return /^https?:\/\/[^/\\]/i.test(text) && !address.includes("\\") && !hasControls && text === text.trim();
}
