/** The line to the engine is a convenience: without it no operation is the worse for it. What it says: tests/process/. */
import assert from "node:assert/strict";
import Module from "node:module";
import { Engine, engineLine } from "../../../provider/dist/session/engine.js";

describe("the line to the engine", () => {
    it("is missing where the SDK has moved its internals, and the process works without it", () => {
        const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
        const load = loader._load;
        loader._load = (request, ...rest) => {
            if (request.startsWith("@pulumi/pulumi/proto/")) throw new Error(`Cannot find module '${request}'`);
            return load(request, ...rest);
        };
        try {
            assert.equal(engineLine("127.0.0.1:1"), undefined);
            const engine = new Engine("127.0.0.1:1");
            engine.say("info", undefined, "nobody hears it", true);
            engine.watch(() => assert.fail("nothing is watched"));
        } finally {
            loader._load = load;
        }
    });

    it("leads to this machine alone, at the address that is the process's last argument", () => {
        const { argv } = process;
        /** The addresses that a line is opened to. */
        const opened = (...args: string[]) => {
            const addresses: string[] = [];
            process.argv = args;
            new Engine(undefined, (engineAddress) => {
                addresses.push(engineAddress);
                return undefined;
            });
            return addresses;
        };
        try {
            for (const host of ["127.0.0.1", "localhost", "[::1]", "[::]", "0.0.0.0"])
                assert.deepEqual(opened("node", "localhost:1", `${host}:43210`), [`${host}:43210`]);
            for (const other of ["engine.test:80", "127.0.0.1", "localhost:a", "localhost:80/a", "a.localhost:80"])
                assert.deepEqual(opened("node", other), [], other);
            assert.deepEqual(opened(), []);
        } finally {
            process.argv = argv;
        }
    });
});
