/**
 * Finds all problems of the inputs at once (promise S5, docs/internals/promises.md). No message quotes a value: the engine would print it, secret or
 * not.
 */
import { distance } from "fastest-levenshtein";
import * as z from "zod/mini";
import { factsOf, partOf, partsOf, type Schema, type Shape } from "../definitions/definition";
import { type Message, messages } from "../messages";
import { outputTexts } from "./outputText";
import { pathText, unknownValue } from "./values";

type Path = readonly PropertyKey[];

/**
 * The problems of `news`. Values that a preview does not know yet pass. `outputs`: the outputs of the resource, whose names users take for inputs.
 */
export function problemsOf(schema: Schema, news: object, outputs: Shape = {}): Message[] {
    const texts = outputTexts(news);
    const found = new Set(texts.map(({ path }) => pathText(path)));
    const { error } = z.safeParse(schema, news, { reportInput: true });
    const issues = (error?.issues ?? []).filter(
        ({ input, path }) => input !== unknownValue && !found.has(pathText(path)),
    );
    const isName = ({ code }: { code: string }) => code === "unrecognized_keys";
    // Mistyped names come first. If `titel` is the reason why `title` is missing, the preview has to show the problem of `titel` first.
    const sorted = [...issues.filter(isName), ...issues.filter((issue) => !isName(issue))];
    const others = sorted.flatMap((issue): Message[] => {
        const { code, path, input, message } = issue;
        if (code === "unrecognized_keys") return issue.keys.map((key) => unknownName(schema, [...path, key], outputs));
        return [messages.badInput({ property: pathText(path), expected: input === undefined ? "set" : message })];
    });
    return [...texts.map(({ problem }) => problem), ...others];
}

function unknownName(schema: Schema, path: Path, outputs: Shape): Message {
    const property = pathText(path);
    const name = String(path.at(-1));
    if (path.length === 1 && Object.hasOwn(outputs, name)) return messages.outputAsInput({ property });
    const parent = path.slice(0, -1).reduce<Schema | undefined>(partOf, schema);
    const names = Object.keys((parent && partsOf(parent).shape) ?? {});
    return messages.unknownInput({ property, correction: correction(name, names) });
}

interface Unusual {
    input: string;
    known: string;
    correction: string;
}

/**
 * The values that the service's documentation does not show. A value that the schema refuses, such as `5` for "5px", is left out: its error already
 * names the documented form.
 */
export function unusualValues(schema: Schema | undefined, value: unknown, path: Path = []): Unusual[] {
    if (typeof value === "object" && value !== null)
        return Object.entries(value).flatMap(([key, item]) =>
            unusualValues(schema && partOf(schema, key), item, [...path, Array.isArray(value) ? Number(key) : key]),
        );
    const known = schema && factsOf(schema).known;
    if (known === undefined || value === unknownValue || known.pattern.test(String(value))) return [];
    if (!z.safeParse(schema as Schema, value).success) return [];
    const meant = closest(String(value), known.values ?? []);
    return [{ input: pathText(path), known: known.words, correction: meant === undefined ? "" : ` to \`${meant}\`` }];
}

/** The end of a message that says "correct it": the name that the user has probably meant, or all names. */
export function correction(word: string, names: readonly string[]): string {
    const meant = names.length === 1 ? names[0] : closest(word, names, Math.max(2, word.length / 3));
    if (meant !== undefined) return ` to \`${meant}\``;
    return names.length === 0 ? "" : ` to one of ${names.map((name) => `\`${name}\``).join(", ")}`;
}

/** The nearest name, at most `most` edits away; `undefined` where no name is that near. */
export function closest(word: string, names: readonly string[], most = 2): string | undefined {
    const edits = (name: string) => distance(word.toLowerCase(), name.toLowerCase());
    return names.filter((name) => edits(name) <= most).sort((a, b) => edits(a) - edits(b))[0];
}

/** A problem for each path in `ignoreChanges` that begins with a mistyped input. The engine accepts any path without a word. */
export function ignoredInVain(paths: readonly string[], names: readonly string[]): Message[] {
    return paths.flatMap((path) => {
        const [, quoted, name = quoted ?? ""] = /^(?:\["([^"]*)"\]|([^.[]*))/.exec(path) ?? [];
        // A name that resembles no input is no problem: the option may be set for all resources of a stack, and other types have other inputs.
        const meant = names.includes(name) ? undefined : closest(name, names);
        return meant === undefined ? [] : messages.nothingIgnored({ name, meant });
    });
}
