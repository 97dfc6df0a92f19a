/**
 * A value for every input of every resource, from the definitions: a new input is in the table of secrets by itself. Each text holds a word
 * that is nowhere else.
 */
import { createHash } from "node:crypto";
import type { Field, Type } from "../../provider/dist/definitions/definition.js";

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
export function valuesOf(fields: Readonly<Record<string, Field>>, urlOf: (word: string) => string): Values {
    return Object.fromEntries(
        Object.entries(fields).map(([name, { type }]) => [name, formed[name] ?? valueOfType(type, urlOf)]),
    );
}

function valueOfType(type: Type, urlOf: (word: string) => string): unknown {
    switch (type.kind) {
        case "string":
            if (type.oneOf !== undefined) return type.oneOf[0];
            return type.rule === "url" ? urlOf(newWord()) : secretText();
        case "map":
            return { key: secretText(), season: "2" };
        case "list":
            return [valueOfType(type.of, urlOf)];
        case "object":
            return valuesOf(type.fields, urlOf);
        case "boolean":
            return true;
        default:
            return 60;
    }
}
