/** The line to the engine is a convenience: without it no operation is the worse for it. What it says: tests/e2e/content.test.ts. */
import assert from "node:assert/strict";
import Module from "node:module";
import { Engine } from "../../../provider/dist/session/engine.js";

describe("the line to the engine", () => {
    it("is missing where the SDK has moved its internals, and the process works without it", () => {
        const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
        const load = loader._load;
        loader._load = (request, ...rest) => {
            if (request.startsWith("@pulumi/pulumi/proto/")) throw new Error(`Cannot find module '${request}'`);
            return load(request, ...rest);
        };
        try {
            const engine = new Engine("127.0.0.1:1");
            engine.say("info", undefined, "nobody hears it", true);
            engine.watch(() => assert.fail("nothing is watched"));
        } finally {
            loader._load = load;
        }
    });
});
