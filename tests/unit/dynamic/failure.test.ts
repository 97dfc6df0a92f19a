/** What is thrown at the SDK: its message is all that anybody sees of it. */
import assert from "node:assert/strict";
import { failure } from "../../../provider/dist/dynamic/failure.js";
import { PartialFailure } from "../../../provider/dist/lifecycle/index.js";
import type { Message } from "../../../provider/dist/messages/index.js";

const partial = () => new PartialFailure("c1", { title: "a" }, "not\nReady" as Message);

describe("an error for the engine", () => {
    it("has the message in one paragraph, and lists as lists", () => {
        const text = (message: string) => failure(new Error(message)).message;
        assert.equal(text("one \n two\n\nthree\n"), "one two three");
        assert.equal(text("two failed:\n  - a\n  - b\nTry again."), "two failed:\n  - a\n  - b Try again.");
        assert.equal(text("one\n - two"), "one - two");
    });

    it("is a fresh one, whatever was thrown, and never without a message", () => {
        for (const thrown of [new Error(""), new Error(" \n "), ""]) {
            assert.equal(failure(thrown).message, "The operation failed without a message.");
        }
        for (const thrown of [undefined, null, 5]) assert.equal(failure(thrown).message, String(thrown));
        const error = Object.assign(new Error("a"), { id: "c1", reasons: ["b"] });
        assert.notEqual(failure(error), error);
        // The SDK takes any error with an id for a created resource.
        assert.deepEqual({ ...failure(error), toString: 0, stack: 0 }, { toString: 0, stack: 0 });
    });

    it("has no stack trace for the stack's row", () => {
        const error = failure(new Error("a"));
        assert.equal(`${error}: ${error.stack}`, "pulumi-videograph: see the error of the resource");
    });

    it("L4: keeps the object of a partial failure, with the outputs as they are to be recorded", () => {
        const error = failure(partial(), (outputs) => ({ ...outputs, __provider: "p" }));
        assert.equal(error.message, "not Ready");
        const { id, properties, reasons } = error as Error & Record<string, unknown>;
        assert.deepEqual(
            { id, properties, reasons },
            { id: "c1", properties: { title: "a", __provider: "p" }, reasons: ["not Ready"] },
        );
    });

    it("is no created resource where nothing may be recorded, and where nothing was created", () => {
        assert.equal("id" in failure(partial()), false);
        const plain = failure(new Error("a"), () => assert.fail("there are no outputs"));
        assert.equal("id" in plain, false);
    });
});
