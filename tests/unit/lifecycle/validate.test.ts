/** S5: every type of a definition, what it takes and what is said of the rest. */
import assert from "node:assert/strict";
import { type Field, policies, type Type } from "../../../provider/dist/definitions/definition.js";
import { unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { problemsOf } from "../../../provider/dist/inputs/validate.js";

const url: Type = { kind: "string", rule: "url" };
const words: Type = { kind: "string", rule: "notBlank" };
const fields: Record<string, Field> = { url: { type: url, required: true }, title: { type: words } };
const object: Type = { kind: "object", name: "Source", fields };
const address = "must be an absolute http: or https: URL";
const repaired =
    "must be a URL that needs no repair: `https://` and a host, without spaces at its ends, tabs, line ends and backslashes";
const guide = `${address}: the service downloads the file, so put it into a bucket first (the guide "From a local file")`;

/** The type, values that it takes, and what is said of others. */
const types: [Type, unknown[], Record<string, unknown[]>][] = [
    [
        { kind: "string" },
        ["a", "", " "],
        {
            'must be a string: put the number in quotes, such as "2"': [1],
            'must be a string: put it in quotes, such as "true"': [true],
            "must be a string": [null],
            "must be set": [undefined],
        },
    ],
    [{ kind: "string", oneOf: ["a", "b"] }, ["a", "b"], { 'must be one of "a", "b"': ["c"] }],
    [words, ["a", " a "], { "must be a non-empty string": ["", " \n"] }],
    [
        { kind: "string", rule: "id" },
        ["a-1", " a "],
        {
            "must be a non-empty string": [""],
            "must be an id, such as trailer.contentId, and not a title": ["My trailer"],
        },
    ],
    [
        url,
        ["https://a.example/?b", "http://a.example", "HTTPS://a.example/my film.mp4?a=\\b#\\"],
        {
            [address]: ["", " ", "//a.example", "ftp://a.example/a"],
            [guide]: [
                ...["a.mp4", "./a", "../a.mp4", "/a/b.mp4", "~/a.mp4", "C:\\a.mp4", "c:/a"],
                ...["file:///a.mp4", "FILE:a"],
            ],
            // The parser repairs these (D6).
            [repaired]: [
                ...["https://a.example/a.mp4\n", " https://a.example/a.mp4", "https://a.example/a\tb.mp4"],
                ...["https:a.example/a.mp4", "https:/a.example", "https:///a.example", "https:\\\\a.example\\a.mp4"],
                ...["https://a.example\\a.mp4", "https://a.example/a.mp4?a=\nb", "https://a.example/a.mp4\u00a0"],
            ],
        },
    ],
    [
        { kind: "boolean" },
        [true, false],
        { "must be true or false, without quotes": ["true"], "must be true or false": [1] },
    ],
    [
        { kind: "number", unit: "seconds" },
        [0, -1.5],
        {
            "must be a number of seconds without quotes, such as 5": ["1", "00:05"],
            "must be a number of seconds": [true],
        },
    ],
    [{ kind: "number", min: 0 }, [0, 1.5], { "must be 0 or more": [-1] }],
    [
        { kind: "integer", unit: "minutes" },
        [0, 30],
        {
            "must be a whole number of minutes": [1.5],
            "must be a whole number of minutes without quotes, such as 5": ["5"],
            "must be 0 or more": [-1],
        },
    ],
    [{ kind: "numberOrString" }, [0.5, "70%"], { "must be a number or a string": [true] }],
    [
        { kind: "list", of: words },
        [[], ["a"]],
        {
            'must be an array, such as ["…"]': ["a"],
            '[1] must be a string: put the number in quotes, such as "2"': [["a", 1]],
        },
    ],
    [{ kind: "list", of: words, nonEmpty: "a list with one" }, [["a"]], { "must be a list with one": [[]] }],
    [
        policies,
        [["public"], ["signed", "public"], [unknownValue, unknownValue]],
        { "must be without repetitions": [["public", "public"]], 'must be a list of "public", "signed" or both': [[]] },
    ],
    [
        { kind: "map" },
        [{}, { a: "b" }],
        {
            '.a must be a string: put the number in quotes, such as "2"': [{ a: 1 }],
            'must be an object, such as { "season": "2" }': ["a"],
        },
    ],
    [
        object,
        [{ url: "https://a.example" }],
        {
            ".url must be set": [{}],
            'must be an object, such as { "url": "https://…" }': ["a"],
            [`.url ${guide}`]: [{ url: "a" }],
        },
    ],
];

describe("a value that a program declares", () => {
    for (const [type, taken, wrong] of types)
        it(`S5: is ${JSON.stringify(type)}`, () => {
            const problems = (it: unknown) => problemsOf({ it: { type, required: true } }, { it });
            for (const value of taken) assert.deepEqual(problems(value), []);
            for (const [text, values] of Object.entries(wrong))
                for (const value of values)
                    assert.deepEqual(problems(value), [`it${/^\W/.test(text) ? "" : " "}${text} [VG2001]`]);
        });

    it("S5: may be missing where it is not required", () => {
        assert.deepEqual(problemsOf({ it: { type: words } }, { it: undefined }), []);
    });

    it("S5: with a wrong name is told the nearest one at its place, however deep", () => {
        const fields: Record<string, Field> = { list: { type: { kind: "list", of: object } } };
        const wrong = (value: object) =>
            problemsOf(fields, { ...value }).map((one) => one.replace(/ is not .*, or | \[VG2006\]/g, " ").trim());
        assert.deepEqual(wrong({ lists: [] }), ["lists correct it to `list`"]);
        const item = { url: "https://a.example", TITEL: "a", other: 1 };
        assert.deepEqual(wrong({ list: [item] }), ["list[0].TITEL correct it to `title`", "list[0].other correct it"]);
    });
});
