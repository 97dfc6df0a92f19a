/** S5: every type of a definition, what it takes and what is said of the rest. */
import assert from "node:assert/strict";
import type { Field, Type } from "../../../provider/dist/inputs/definition.js";
import { problemsOf, schemaOf } from "../../../provider/dist/inputs/validate.js";

const url: Type = { kind: "string", rule: "url" };
const words: Type = { kind: "string", rule: "notBlank" };
const fields: Record<string, Field> = { url: { doc: "", type: url, required: true }, title: { doc: "", type: words } };
const object: Type = { kind: "object", name: "Source", doc: "", fields };
const address = "must be an absolute http: or https: URL";

/** The type, values that it takes, and values that it does not, each with what is said of it. */
const types: [Type, unknown[], [unknown, string][]][] = [
    [
        { kind: "string" },
        ["a", "", " "],
        [
            [1, "must be a string"],
            [null, "must be a string"],
            [undefined, "must be set"],
        ],
    ],
    [{ kind: "string", oneOf: ["a", "b"] }, ["a", "b"], [["c", 'must be one of "a", "b"']]],
    [
        words,
        ["a", " a "],
        [
            ["", "must be a non-empty string"],
            [" \n", "must be a non-empty string"],
        ],
    ],
    [
        url,
        ["https://a.example/?b", "http://a.example"],
        ["", "a.mp4", "//a.example", "ftp://a.example/a"].map((one) => [one, address]),
    ],
    [{ kind: "boolean" }, [true, false], [["true", "must be a boolean"]]],
    [{ kind: "number" }, [0, -1.5], [["1", "must be a number"]]],
    [{ kind: "number", min: 0 }, [0, 1.5], [[-1, "must be 0 or more"]]],
    [
        { kind: "integer", unit: "minutes" },
        [0, 30],
        [
            [1.5, "must be a whole number of minutes"],
            [-1, "must be 0 or more"],
        ],
    ],
    [{ kind: "numberOrString" }, [0.5, "70%"], [[true, "must be a number or a string"]]],
    [
        { kind: "list", of: words },
        [[], ["a"]],
        [
            ["a", "must be an array"],
            [["a", 1], "[1] must be a string"],
        ],
    ],
    [{ kind: "list", of: words, nonEmpty: "a list with one" }, [["a"]], [[[], "must be a list with one"]]],
    [
        { kind: "map" },
        [{}, { a: "b" }],
        [
            [{ a: 1 }, ".a must be a string"],
            ["a", "must be an object whose values are strings"],
        ],
    ],
    [
        object,
        [{ url: "https://a.example" }],
        [
            [{}, ".url must be set"],
            ["a", "must be an object"],
            [{ url: "a" }, `.url ${address}`],
        ],
    ],
];

describe("a value that a program declares", () => {
    for (const [type, taken, wrong] of types)
        it(`S5: is ${JSON.stringify(type)}`, () => {
            const problems = (it: unknown) => problemsOf(schemaOf({ it: { doc: "", type, required: true } }), { it });
            for (const value of taken) assert.deepEqual(problems(value), []);
            for (const [value, text] of wrong)
                assert.deepEqual(problems(value), [`it${/^\W/.test(text) ? "" : " "}${text} [VG2001]`]);
        });

    it("S5: may be missing where it is not required", () => {
        assert.deepEqual(problemsOf(schemaOf({ it: { doc: "", type: words } }), { it: undefined }), []);
    });

    it("S5: with a wrong name is told the nearest one at its place, however deep", () => {
        const schema = schemaOf({ list: { doc: "", type: { kind: "list", of: object } } });
        const wrong = (value: object) =>
            problemsOf(schema, { ...value }).map((one) => one.replace(/ is not .*, or | \[VG2006\]/g, " ").trim());
        assert.deepEqual(wrong({ lists: [] }), ["lists correct it to `list`"]);
        const item = { url: "https://a.example", TITEL: "a", other: 1 };
        assert.deepEqual(wrong({ list: [item] }), ["list[0].TITEL correct it to `title`", "list[0].other correct it"]);
    });
});
