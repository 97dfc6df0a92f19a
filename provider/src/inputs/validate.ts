/**
 * Validation of a program's inputs: all problems at once, each with the property's path and what is allowed
 * (S5). A problem never quotes a value: the engine would print it, secret or not.
 */
import { distance } from "fastest-levenshtein";
import * as z from "zod";
import type { Field, Type } from "../definitions/definition";
import { type Message, messages } from "../messages";
import { outputTexts } from "./outputText";
import { pathText } from "./path";
import { unknownValue } from "./unknown";
import type { Properties } from "./values";

/** The problems of `news`; values that a preview does not know yet pass. */
export function problemsOf(schema: z.ZodObject, news: Properties): Message[] {
    const texts = outputTexts(news);
    const result = schema.safeParse(news, { error: explain, reportInput: true });
    return [...texts.map(({ problem }) => problem), ...issueProblems(result.error?.issues ?? [], texts)];
}

/** `others`: what has a problem already. */
function issueProblems(issues: z.core.$ZodIssue[], others: readonly { path: PropertyKey[] }[]): Message[] {
    const known = new Set(others.map(({ path }) => pathText(path)));
    return issues
        .filter((issue) => issue.input !== unknownValue && !known.has(pathText(issue.path)))
        .flatMap((issue) => {
            const { path, message } = issue;
            if (issue.code !== "unrecognized_keys")
                return [messages.badInput({ property: pathText(path), expected: message })];
            return issue.keys.map((key) =>
                messages.unknownInput({
                    property: pathText([...path, key]),
                    correction: correction(key, message.split(",")),
                }),
            );
        });
}

/** The end of a message after "correct it": the name that was probably meant. */
function correction(word: string, names: readonly string[]): string {
    const typed = word.toLowerCase();
    const byDistance = names.map((name) => ({ name, edits: distance(typed, name.toLowerCase()) }));
    const [closest] = byDistance.sort((a, b) => a.edits - b.edits);
    return closest && closest.edits <= Math.max(2, word.length / 3) ? ` to \`${closest.name}\`` : "";
}

const schemas = new WeakMap<object, z.ZodObject>();

/** The schema of an object with these fields and no others. */
export function schemaOf(fields: Readonly<Record<string, Field>>): z.ZodObject {
    const known = schemas.get(fields);
    if (known !== undefined) return known;
    const schema = z.strictObject(
        Object.fromEntries(
            Object.entries(fields).map(([name, { type, required }]) => [
                name,
                required ? typeSchema(type) : typeSchema(type).optional(),
            ]),
        ),
        written("an object", exampleOfFields(fields)),
    );
    schemas.set(fields, schema);
    return schema;
}

function typeSchema(type: Type): z.ZodType {
    switch (type.kind) {
        case "string":
            if (type.oneOf !== undefined) return z.enum(type.oneOf);
            return type.rule === "url" ? webAddress() : type.rule === "notBlank" ? someText() : z.string();
        case "boolean":
            return z.boolean();
        case "number":
            return type.min === undefined ? z.number() : z.number().min(type.min, `${type.min} or more`);
        case "integer":
            return z
                .int(`a whole number${type.unit === undefined ? "" : ` of ${type.unit}`}`)
                .min(type.min ?? 0, `${type.min ?? 0} or more`);
        case "numberOrString":
            return z.union([z.number(), someText()], "a number or a string");
        case "list": {
            const list = z.array(typeSchema(type.of), written("an array", exampleOf(type)));
            const items = type.nonEmpty === undefined ? list : list.min(1, type.nonEmpty);
            return type.of.kind === "string" && type.of.oneOf ? items.refine(isDistinct, "without repetitions") : items;
        }
        case "map":
            return z.record(z.string(), z.string(), written("an object", exampleOf(type)));
        case "object":
            return schemaOf(type.fields);
    }
}

/** What a value of another type should have been, with an example to copy. */
function written(what: string, example: string): { error: z.core.$ZodErrorMap } {
    return {
        error: ({ code, input }) =>
            code === "invalid_type" && input !== undefined ? `${what}, such as ${example}` : undefined,
    };
}

/** A value of the type, as TypeScript, Python and YAML write it. */
function exampleOf(type: Type): string {
    switch (type.kind) {
        case "list":
            return `[${exampleOf(type.of)}]`;
        case "map":
            return '{ "season": "2" }';
        case "object":
            return exampleOfFields(type.fields);
        case "string":
            return JSON.stringify(type.oneOf?.[0] ?? (type.rule === "url" ? "https://…" : "…"));
        case "boolean":
            return "true";
        default:
            return "1";
    }
}

/** With the fields that it must have. */
function exampleOfFields(fields: Readonly<Record<string, Field>>): string {
    const required = Object.entries(fields).filter(([, field]) => field.required);
    return `{ ${required.map(([name, { type }]) => `"${name}": ${exampleOf(type)}`).join(", ")} }`;
}

/** Text that is neither empty nor blank. */
export function someText(): z.ZodString {
    return z.string().regex(/\S/, "a non-empty string");
}

/** A URL that the service can fetch. */
function webAddress(): z.ZodType<string> {
    return z
        .string()
        .refine(isWebAddress, {
            error: ({ input }) => (isPath(String(input)) ? `${anAddress} (${localFiles})` : anAddress),
            abort: true,
        })
        .refine(
            isWrittenOut,
            "a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes",
        );
}

const anAddress = "an absolute http: or https: URL";
const localFiles = 'for a file of this machine, see the guide "From a local file", docs/guides/local-files.md';

/** Also a `file:` URL. A protocol has two letters or more: with one, it is a drive of Windows. */
function isPath(text: string): boolean {
    return /\S/.test(text) && !/^(?!file:)[a-z][a-z\d+.-]+:|^\/\//i.test(text);
}

/** The parser corrects many mistakes silently. The service, which gets the text, may not. */
function isWrittenOut(text: string): boolean {
    const [address = ""] = text.split(/[?#]/, 1);
    return /^https?:\/\/[^/\\]/i.test(text) && !address.includes("\\") && !hasControls(text) && text === text.trim();
}

function hasControls(text: string): boolean {
    return /[^ -~\u0080-\uffff]/.test(text);
}

/** Not known yet are not the same. */
function isDistinct(items: readonly unknown[]): boolean {
    const known = items.filter((item) => item !== unknownValue);
    return new Set(known).size === known.length;
}

function isWebAddress(text: string): boolean {
    const url = URL.parse(text);
    return url?.protocol === "https:" || url?.protocol === "http:";
}

function explain(issue: z.core.$ZodRawIssue): string {
    switch (issue.code) {
        case "invalid_type":
            if (issue.input === undefined) return "set";
            return (quotes[issue.expected]?.[typeof issue.input] ?? typeNames[issue.expected]) || issue.expected;
        case "invalid_value":
            return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
        case "unrecognized_keys":
            // The allowed names.
            return issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape).join() : "";
        default:
            return "valid";
    }
}

const typeNames: Record<string, string> = {
    string: "a string",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: 'an array, such as ["…"]',
    record: "an object",
    object: "an object",
};

/** What is said where only quotes are too few or too many: by the type that is wanted, and the one that is there. */
const quotes: Record<string, Record<string, string>> = {
    string: {
        number: 'a string: put the number in quotes, such as "2"',
        boolean: 'a string: put it in quotes, such as "true"',
    },
    number: { string: "a number, without quotes" },
    boolean: { string: "true or false, without quotes" },
};
