/**
 * The schemas of values. Their error texts follow "must be" in a message, and never quote the value, which may be secret. Each schema is made by a
 * function: `withFacts` gives facts to one schema object, so two properties that share it would share their facts.
 */
import * as z from "zod/mini";
import { type KnownValues, type Schema, withFacts } from "./definition";

interface Given {
    input?: unknown;
}

const aString =
    (example?: string) =>
    ({ input }: Given): string => {
        // With quotes alone, a 5 would still be no position, because its unit is missing too. So the message shows the example.
        if (example !== undefined && /number|boolean/.test(typeof input)) return `a string, ${example}`;
        if (typeof input === "number") return 'a string: put the number in quotes, such as "2"';
        if (typeof input === "boolean") return 'a string: put it in quotes, such as "true"';
        return `a string, and not ${Array.isArray(input) ? "a list" : "an object"}`;
    };
const unquoted =
    (what: string, how: string) =>
    ({ input }: Given): string =>
        typeof input === "string" ? what + how : what;
const ofUnit = (what: string, unit: string | undefined) =>
    unquoted(unit === undefined ? what : `${what} of ${unit}`, " without quotes, such as 1");

export const text = () => z.string({ error: aString() });
export const nonBlank = (example?: string) =>
    z.string({ error: aString(example) }).check(z.regex(/\S/, "a non-empty string"));
/** A text that matches the pattern. */
export const formed = (pattern: RegExp, expected: string) => text().check(z.regex(pattern, expected));
/** A text for which the documentation shows values. Any other text is sent with a warning. */
export const knownText = (known: KnownValues) =>
    withFacts(nonBlank(known.values?.[0] === undefined ? known.words : `such as "${known.values[0]}"`), { known });
export const id = () =>
    text().check(
        z.regex(/\S/, { error: "a non-empty string", abort: true }),
        z.refine((value) => !/\S\s+\S|:\/\//.test(value), "an id, such as trailer.id, and no title or URL"),
    );
export const flag = () => z.boolean({ error: unquoted("true or false", ", without quotes") });
/** A number. `unit`: in the plural, such as "seconds", for the message. */
export const number = (unit?: string) => z.number({ error: ofUnit("a number", unit) });
export const atLeast = (min: number) => z.minimum(min, `${min} or more`);
/** A whole number of at least `min`. */
export const integer = (unit?: string, min = 0) => z.int({ error: ofUnit("a whole number", unit) }).check(atLeast(min));
export const numberOrString = () => z.union([z.number(), nonBlank()], "a number or a string");
export const list = <Item extends Schema>(item: Item, example = '["…"]') => z.array(item, `a list, such as ${example}`);
/** A list of at least one item. */
export const nonEmptyList = <Item extends Schema>(item: Item, expected: string) =>
    z.array(item, expected).check(z.minLength(1, expected));

const inMap = (issue: Given): string =>
    typeof issue.input === "object" && issue.input !== null
        ? 'a string: write an object or a list as JSON text, or its values under keys such as "a.b"'
        : aString()(issue);
/** An object whose values are strings. */
export const map = () => z.record(z.string(), z.string({ error: inMap }), 'an object, such as { "season": "2" }');

/** An object with these properties. Any other property is a mistake. */
export const object = <Shape extends Record<string, Schema>>(shape: Shape, example?: string) =>
    z.strictObject(shape, example === undefined ? "an object" : `an object, such as ${example}`);

/** An object that the interface `typeName` in `program/` describes. */
export const named = <Shape extends Record<string, Schema>>(typeName: string, example: string, shape: Shape) =>
    withFacts(object(shape, example), { typeName });

/** One of these texts and no other. */
export const oneOf = <const Texts extends readonly [string, ...string[]]>(texts: Texts) =>
    z.enum(texts, `one of ${texts.map((one) => `"${one}"`).join(", ")}`);

const policyTexts = ["public", "signed"] as const;
/** A list that says who may play an object. */
export const policies = () =>
    nonEmptyList(oneOf(policyTexts), 'a list of "public", "signed" or both, such as ["signed"]').check(
        z.refine((items) => policyTexts.every((text) => items.indexOf(text) === items.lastIndexOf(text)), {
            error: "without repetitions: write each value once",
            // Without this line, zod skips the check if an item is wrong or not known yet, and the user reads of the repetition only in a later run.
            when: ({ value }) => Array.isArray(value),
        }),
    );

const absoluteAddress = "a URL that begins with https:// or http://";
const localFiles =
    ': the service downloads it, so put a local file into a bucket first (the guide "From a local file")';
const needsRepair =
    "a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes";

/** A URL that the service downloads from. */
export const url = () => {
    // An object here is mostly a `FileAsset` of Pulumi, by a user who wants to upload a local file. So the message says how to do that.
    const anAddress = (issue: Given) => (isObject(issue.input) ? absoluteAddress + localFiles : aString()(issue));
    const address = z.string({ error: anAddress }).check(
        z.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""), {
            error: ({ input }) => absoluteAddress + (isPath(String(input)) ? localFiles : ""),
            abort: true,
        }),
        z.refine(isWrittenOut, needsRepair),
    );
    return withFacts(address, { isAddress: true });
};

function isObject(value: unknown): boolean {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the text is a path or a `file:` URL. A single letter before the colon counts as a drive of Windows, not as a protocol. */
function isPath(value: string): boolean {
    return /\S/.test(value) && !/^(?!file:)[a-z][a-z\d+.-]+:|^\/\//i.test(value);
}

/** Whether a URL is correct as it is written. `URL.parse` silently repairs many mistakes. The service gets the text as it is, and may repair none. */
function isWrittenOut(value: string): boolean {
    const [address = ""] = value.split(/[?#]/, 1);
    const hasControls = /[^ -~\u0080-\uffff]/.test(value);
    return /^https?:\/\/[^/\\]/i.test(value) && !address.includes("\\") && !hasControls && value === value.trim();
}
