/** Messages are texts with named holes with codes. */
import assert from "node:assert/strict";
import { append, type Message, messageFrom, prepend, withoutCodes } from "../../../provider/dist/messages/index.js";
import { message as define } from "../../../provider/dist/messages/message.js";

const inner = define("VG1111", "{what} broke.");
const outer = define("VG2222", "{object} failed: {error} Try again.");

describe("A message", () => {
    it("has its values, and ends with its code", () => {
        assert.equal(inner({ what: "It" }), "It broke. [VG1111]");
        assert.equal(define("VG3333", "Stop.")(), "Stop. [VG3333]");
    });

    it("takes a value as it is, also one that looks like a hole or a pattern of replacement", () => {
        assert.equal(inner({ what: "{what} $& $1" }), "{what} $& $1 broke. [VG1111]");
    });

    it("keeps the code of a message inside it", () => {
        const error = outer({ object: "b", error: inner({ what: "It" }) });
        assert.equal(error, "b failed: It broke. [VG1111] Try again. [VG2222]");
        assert.equal(withoutCodes(error), "b failed: It broke. Try again.");
    });

    it("has a list after its code", () => {
        const listed = define("VG3333", "{n} failed.{list}")({ n: 2, list: "\n  - a: x\n  - b: y" });
        assert.equal(listed, "2 failed. [VG3333]\n  - a: x\n  - b: y");
    });

    it("takes more words before and after", () => {
        const message = inner({ what: "It" });
        assert.equal(append(message, "Try again."), "It broke. [VG1111] Try again.");
        assert.equal(prepend("baseUrl:", message), "baseUrl: It broke. [VG1111]");
    });

    it("is made of whatever was thrown", () => {
        const known = inner({ what: "It" });
        assert.equal(messageFrom(new Error(known)), known);
        assert.match(messageFrom(new Error("EACCES")), /^Unexpected error: EACCES .* \[VG9001\]$/);
        assert.match(messageFrom(undefined), /^Unexpected error: undefined /);
    });

    it("needs a value for every hole, and no other", () => {
        const compiled: (() => Message)[] = [
            // @ts-expect-error: a value is missing.
            () => outer({ object: "a" }),
            // @ts-expect-error: there is no such hole.
            () => inner({ what: "a", why: "b" }),
            // @ts-expect-error: text that is not in the catalogue.
            () => "Oops.",
        ];
        assert.equal(compiled.length, 3);
    });
});
