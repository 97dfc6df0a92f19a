/**
 * A value for every input of every resource, from the definitions: a new input is in the table of secrets by itself. Each text holds a word
 * that is nowhere else.
 */
import { createHash } from "node:crypto";
import { factsOf, partsOf, type Schema, type Shape } from "../../provider/dist/definitions/definition.js";

/** What the service takes only in a certain form. Such a value is no secret that could be found. */
const formed: Readonly<Record<string, unknown>> = {
    xPos: "70%",
    yPos: "15px",
    opacity: "0.5",
    languageCode: "en",
    region: "us-east-1",
    startTime: 0,
    endTime: 1,
    contentId: "$film",
    position: 1,
};

let count = 0;

/** So many characters of a word are looked for, because a service may cut it off. */
const wordStart = /cnry[0-9a-f]{8}/gi;

/** The words in a text, as far as they are looked for. */
export function wordsIn(text: string): string[] {
    return [...new Set(text.match(wordStart)?.map((word) => word.toLowerCase()))];
}

export function newWord(): string {
    const digest = createHash("sha256").update(`${process.env.TEST_SEED ?? 1} ${count++}`);
    return `cnry${digest.digest("hex").slice(0, 12)}`;
}

/** With everything in it that an encoding changes. */
export function secretText(): string {
    return `R&D <"ä/é">  ${newWord()} + 100%`;
}

export type Values = Readonly<Record<string, unknown>>;

/** `urlOf`: the URL of a video that has such a path, or such a query. */
export function valuesOf(fields: Shape, urlOf: (word: string) => string): Values {
    return Object.fromEntries(
        Object.entries(fields).map(([name, schema]) => [name, formed[name] ?? valueFor(schema, urlOf)]),
    );
}

function valueFor(schema: Schema, urlOf: (word: string) => string): unknown {
    const { type, element, shape, entries } = partsOf(schema);
    if (entries !== undefined) return Object.values(entries)[0];
    if (type === "record") return { key: secretText(), season: "2" };
    if (element !== undefined) return [valueFor(element, urlOf)];
    if (shape !== undefined) return valuesOf(shape, urlOf);
    if (type === "boolean") return true;
    if (type !== "string") return 60;
    return factsOf(schema).isAddress ? urlOf(newWord()) : secretText();
}
