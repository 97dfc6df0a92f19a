/** The line to the engine is a convenience: without it, or when it breaks, no operation is the worse for it. */
import assert from "node:assert/strict";
import Module from "node:module";
import { setImmediate } from "node:timers/promises";
import { Engine, engineLine } from "../../../provider/dist/session/engine.js";
import { startEngine } from "../../support/engineRows.ts";

type Line = NonNullable<ReturnType<typeof engineLine>>;

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/videograph:Content::trailer";

/** Waits for what comes over the loopback. */
async function until(comes: () => boolean): Promise<void> {
    for (const start = performance.now(); !comes(); await setImmediate()) {
        if (performance.now() - start > 2_000) assert.fail("it does not come");
    }
}

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

    describe("of an engine", () => {
        let server: Awaited<ReturnType<typeof startEngine>>;
        let line: Line | undefined;
        let engine: Engine;

        beforeEach(async () => {
            server = await startEngine();
            engine = new Engine(server.address, (address) => {
                line = engineLine(address);
                return line;
            });
        });
        afterEach(() => {
            line?.client.close();
            server.kill();
        });

        it("L6: has each line on its resource's row", async () => {
            engine.say("info", urn, "waits", true);
            await until(() => server.lines.length === 1);
            engine.say("warning", urn, "read this", false);
            await until(() => server.lines.length === 2);
            assert.deepEqual(server.lines, [
                { severity: "INFO", urn, message: "waits", ephemeral: true },
                { severity: "WARNING", urn, message: "read this", ephemeral: false },
            ]);
        });

        it("L6: has a line for anything but a URN on the stack's row: the engine would panic", async () => {
            const none = [
                undefined,
                "trailer",
                "urn:pulumi:::p::t::n",
                "urn:pulumi:s::p::t::",
                "urn:pulumi:s::p::a b::n",
            ];
            const urns = [...none, "urn:pulumi:s::p::t::a name"];
            for (const text of urns) engine.say("info", text, "", false);
            await until(() => server.lines.length === urns.length);
            assert.deepEqual(server.lines.map(({ urn }) => urn).sort(), [...none.map(() => ""), urns.at(-1)]);
        });

        it("S8: tells when the engine is gone, and not before", async () => {
            let gone = false;
            engine.watch(() => {
                gone = true;
            });
            engine.say("info", urn, "there", false);
            await until(() => server.lines.length === 1);
            assert.equal(gone, false);
            server.kill();
            await until(() => gone);
        });
    });
});
