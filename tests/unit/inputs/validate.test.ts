/** S5: every type of a definition, what it takes and what is said of the rest. */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { Schema } from "../../../provider/dist/definitions/definition.js";
import {
    atLeast,
    flag,
    id,
    integer,
    list,
    map,
    nonBlank,
    nonEmptyList,
    number,
    numberOrString,
    object,
    oneOf,
    policies,
    text,
    url,
} from "../../../provider/dist/definitions/schemas.js";
import { problemsOf } from "../../../provider/dist/inputs/validate.js";
import { normalizeUnknowns, unknownValue } from "../../../provider/dist/inputs/values.js";

const source = object({ url: url(), title: z.optional(nonBlank()) }, '{ "url": "https://…" }');
const address = "must be a URL that begins with https:// or http://";
const repaired =
    "must be a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes";
const guide = `${address}: the service downloads it, so put a local file into a bucket first (the guide "From a local file")`;

const words = nonBlank();
const seconds = number("seconds");
const minutes = integer("minutes");
const one = nonEmptyList(nonBlank(), "a list with one");
const quoted = 'must be a string: put the number in quotes, such as "2"';

/** A type, what is said of a value, or "" where it is taken, and such values. */
const cases: [schema: Schema, said: string, ...values: unknown[]][] = [
    [text(), "", "a", "", " "],
    [text(), quoted, 1],
    [text(), 'must be a string: put it in quotes, such as "true"', true],
    [text(), "must be a string, and not an object", null, {}],
    [text(), "must be a string, and not a list", ["a"]],
    [text(), "must be set", undefined],
    [oneOf(["a", "b"]), "", "a", "b"],
    [oneOf(["a", "b"]), 'must be one of "a", "b"', "c"],
    [words, "", "a", " a "],
    [words, "must be a non-empty string", "", " \n"],
    [id(), "", "a-1", " a "],
    [id(), "must be a non-empty string", ""],
    [id(), "must be an id, such as trailer.id, and no title or URL", "My trailer", "https://a.example/5f2a"],
    [url(), "", "https://a.example/?b", "http://a.example", "HTTPS://a.example/my film.mp4?a=\\b#\\"],
    [url(), address, "", " ", "//a.example", "ftp://a.example/a"],
    [url(), guide, "a.mp4", "./a", "../a.mp4", "/a/b.mp4", "~/a.mp4", "C:\\a.mp4", "c:/a", "file:///a.mp4", "FILE:a"],
    // The parser repairs these (D6).
    [url(), repaired, "https://a.example/a.mp4\n", " https://a.example/a.mp4", "https://a.example/a\tb.mp4"],
    [url(), repaired, "https:a.example/a.mp4", "https:/a.example", "https:///a.example", "https:\\\\a.example\\a.mp4"],
    [url(), repaired, "https://a.example\\a.mp4", "https://a.example/a.mp4?a=\nb", "https://a.example/a.mp4\u00a0"],
    [flag(), "", true, false],
    [flag(), "must be true or false, without quotes", "true"],
    [flag(), "must be true or false", 1],
    [seconds, "", 0, -1.5],
    [seconds, "must be a number of seconds without quotes, such as 1", "1", "00:05"],
    [seconds, "must be a number of seconds", true],
    [number().check(atLeast(0)), "", 0, 1.5],
    [number().check(atLeast(0)), "must be 0 or more", -1],
    [minutes, "", 0, 30],
    [minutes, "must be a whole number of minutes", 1.5],
    [minutes, "must be a whole number of minutes without quotes, such as 1", "5"],
    [minutes, "must be 0 or more", -1],
    [numberOrString(), "", 0.5, "70%"],
    [numberOrString(), "must be a number or a string", true],
    [list(nonBlank()), "", [], ["a"]],
    [list(nonBlank()), 'must be a list, such as ["…"]', "a"],
    [list(nonBlank()), `[1] ${quoted}`, ["a", 1]],
    [one, "", ["a"]],
    [one, "must be a list with one", []],
    [policies(), "", ["public"], ["signed", "public"], [unknownValue, unknownValue]],
    [policies(), "must be without repetitions: write each value once", ["public", "public"]],
    [policies(), 'must be a list of "public", "signed" or both, such as ["signed"]', [], "signed"],
    [map(), "", {}, { a: "b" }],
    [map(), `.a ${quoted}`, { a: 1 }],
    [
        map(),
        '.a must be a string: write an object or a list as JSON text, or its values under keys such as "a.b"',
        { a: {} },
        { a: ["b"] },
    ],
    [map(), 'must be an object, such as { "season": "2" }', "a"],
    [source, "", { url: "https://a.example" }],
    [source, ".url must be set", {}],
    [source, 'must be an object, such as { "url": "https://…" }', "a"],
    [source, `.url ${guide}`, { url: "a" }, { url: {} }],
];

describe("a value that a program declares", () => {
    it("S5: is told what it must be, and taken where it is that", () => {
        for (const [schema, said, ...values] of cases)
            for (const value of values) {
                const problems = problemsOf(object({ it: schema }), { it: value });
                const expected = said === "" ? [] : [`it${/^\W/.test(said) ? "" : " "}${said} [VG2001]`];
                assert.deepEqual(problems, expected, `${said}: ${JSON.stringify(value)}`);
            }
    });

    it("S5: may be missing where it is not required", () => {
        assert.deepEqual(problemsOf(object({ it: z.optional(words) }), { it: undefined }), []);
    });

    it("S5: with a wrong name is told the nearest one at its place, however deep", () => {
        const schema = object({ list: z.optional(list(source)) });
        const wrong = (value: object) =>
            problemsOf(schema, { ...value }).map((one) => one.replace(/ is not .*, or | \[VG2006\]/g, " ").trim());
        assert.deepEqual(wrong({ lists: [] }), ["lists correct it to `list`"]);
        const item = { url: "https://a.example", TITEL: "a", other: 1 };
        assert.deepEqual(wrong({ list: [item] }), [
            "list[0].TITEL correct it to `title`",
            "list[0].other correct it to one of `url`, `title`",
        ]);
    });
});

describe("unknown values", () => {
    it("of every type of the engine are one, at any depth", () => {
        const ofEngine = [
            "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
            "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
            "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
            "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
        ];
        const holding = (url: string) => ({ list: [{ url, n: 1 }, null] });
        for (const one of ofEngine) assert.deepEqual(normalizeUnknowns(holding(one)), holding(unknownValue));
    });
});
