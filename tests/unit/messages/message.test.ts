/** Messages are texts with named holes with codes. */
import assert from "node:assert/strict";
import { count, messageFrom, withoutCodes } from "../../../provider/dist/messages/index.js";
import { templates } from "../../../provider/dist/messages/message.js";

const { inner, outer } = templates({
    inner: "{what} broke. [VG1111]",
    outer: "{object} failed: {error} Try again. [VG2222]",
});

describe("A number of things", () => {
    it("is grouped by thousands", () => {
        assert.deepEqual([0, 999, 1000, 12345, 1234567].map(count), ["0", "999", "1,000", "12,345", "1,234,567"]);
    });
});

describe("A message", () => {
    it("takes a value as it is, also one that looks like a hole or a pattern of replacement", () => {
        assert.equal(inner({ what: "{what} $& $1" }), "{what} $& $1 broke. [VG1111]");
    });

    it("keeps the code of a message inside it", () => {
        const error = outer({ object: "b", error: inner({ what: "It" }) });
        assert.equal(error, "b failed: It broke. [VG1111] Try again. [VG2222]");
        assert.equal(withoutCodes(error), "b failed: It broke. Try again.");
    });

    it("is made of whatever was thrown", () => {
        const known = inner({ what: "It" });
        assert.equal(messageFrom(new Error(known)), known);
        assert.match(messageFrom(new Error("EACCES")), /^Unexpected error: EACCES .* \[VG9001\]$/);
        assert.match(messageFrom(undefined), /^Unexpected error: undefined /);
    });
});
