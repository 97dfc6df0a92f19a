/** S5: every type of a definition, what it takes and what is said of the rest. */
import assert from "node:assert/strict";
import type { Field, Type } from "../../../provider/dist/inputs/definition.js";
import { problemsOf, schemaOf } from "../../../provider/dist/inputs/validate.js";

/** The problems of one value of this type, without their code. */
function problems(type: Type, ...values: unknown[]): string[] {
    const schema = schemaOf({ it: { doc: "", type, required: true } });
    return values.flatMap((it) => problemsOf(schema, { it })).map((text) => text.replace(/ \[VG2001\]$/, ""));
}

const source: Readonly<Record<string, Field>> = {
    url: { doc: "", type: { kind: "string", rule: "url" }, required: true },
    title: { doc: "", type: { kind: "string", rule: "notBlank" } },
};
const object: Type = { kind: "object", name: "Source", doc: "", fields: { ...source } };

describe("a value that a program declares", () => {
    it("of text is any text, or one of its values, or what can be read, or an address", () => {
        const text: Type = { kind: "string" };
        assert.deepEqual(problems(text, "a", "", " "), []);
        assert.deepEqual(problems(text, 1, null, undefined), [
            "it must be a string",
            "it must be a string",
            "it must be set",
        ]);
        const one: Type = { kind: "string", oneOf: ["a", "b"] };
        assert.deepEqual(problems(one, "a", "b"), []);
        assert.deepEqual(problems(one, "c", 1), Array(2).fill('it must be one of "a", "b"'));
        const words: Type = { kind: "string", rule: "notBlank" };
        assert.deepEqual(problems(words, "a", " a "), []);
        assert.deepEqual(problems(words, "", " \n", 1), [
            "it must be a non-empty string",
            "it must be a non-empty string",
            "it must be a string",
        ]);
        const url: Type = { kind: "string", rule: "url" };
        assert.deepEqual(problems(url, "https://a.example/?b", "http://a.example"), []);
        assert.deepEqual(
            problems(url, "", "a.mp4", "//a.example", "ftp://a.example/a"),
            Array(4).fill("it must be an absolute http: or https: URL"),
        );
        assert.deepEqual(problems(url, 1), ["it must be a string"]);
    });

    it("is a boolean, a number, a whole number, or a number or text", () => {
        assert.deepEqual(problems({ kind: "boolean" }, true, false), []);
        assert.deepEqual(problems({ kind: "boolean" }, "true", 1), Array(2).fill("it must be a boolean"));
        assert.deepEqual(problems({ kind: "number" }, 0, -1.5), []);
        assert.deepEqual(problems({ kind: "number" }, "1", true), Array(2).fill("it must be a number"));
        const minutes: Type = { kind: "integer", unit: "minutes" };
        assert.deepEqual(problems(minutes, 0, 1, 30), []);
        assert.deepEqual(problems(minutes, 1.5, "1", -1), [
            "it must be a whole number of minutes",
            "it must be a whole number of minutes",
            "it must be 0 or more",
        ]);
        assert.deepEqual(problems({ kind: "numberOrString" }, 0.5, "70%"), []);
        assert.deepEqual(problems({ kind: "numberOrString" }, true, " "), [
            "it must be a number or a string",
            "it must be a non-empty string",
        ]);
    });

    it("is a list of one type, which may need an item", () => {
        const list: Type = { kind: "list", of: { kind: "string" } };
        assert.deepEqual(problems(list, [], ["a", "b"]), []);
        assert.deepEqual(problems(list, "a", ["a", 1]), ["it must be an array", "it[1] must be a string"]);
        const some: Type = { ...list, nonEmpty: "a list with one" };
        assert.deepEqual(problems(some, ["a"], ["a", "b"]), []);
        assert.deepEqual(problems(some, []), ["it must be a list with one"]);
    });

    it("is text by name, or an object with its own fields", () => {
        assert.deepEqual(problems({ kind: "map" }, {}, { a: "b" }), []);
        assert.deepEqual(problems({ kind: "map" }, { a: 1 }, "a"), [
            "it.a must be a string",
            "it must be an object whose values are strings",
        ]);
        assert.deepEqual(problems(object, { url: "https://a.example" }), []);
        assert.deepEqual(problems(object, {}, "a", { url: "a", title: "", uri: 1 }), [
            "it.url must be set",
            "it must be an object",
            "it.url must be an absolute http: or https: URL",
            "it.title must be a non-empty string",
            "it.uri is not a property of this resource: remove it, or correct it to `url` [VG2006]",
        ]);
    });

    it("may be missing where it is not required", () => {
        const schema = schemaOf({ it: { doc: "", type: { kind: "string" } } });
        assert.deepEqual(problemsOf(schema, {}), []);
        assert.deepEqual(problemsOf(schema, { it: undefined }), []);
    });

    it("with a wrong name is told the nearest one at its place, however deep", () => {
        const wrong = (value: object) =>
            problemsOf(
                schemaOf({ list: { doc: "", type: { kind: "list", of: object } }, it: { doc: "", type: object } }),
                {
                    ...value,
                },
            ).map((text) =>
                text.replace(/ is not a property of this resource: remove it, or | \[VG2006\]/g, " ").trim(),
            );
        const url = "https://a.example";
        assert.deepEqual(wrong({ lists: [] }), ["lists correct it to `list`"]);
        assert.deepEqual(wrong({ list: [{ url, titel: "a" }] }), ["list[0].titel correct it to `title`"]);
        assert.deepEqual(wrong({ it: { url, titel: "a", other: 1 } }), [
            "it.titel correct it to `title`",
            "it.other correct it",
        ]);
    });
});
