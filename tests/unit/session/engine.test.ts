import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { Engine } from "../../../provider/dist/session/engine.js";
import { waitFor } from "../../support/waitFor.ts";

const require = createRequire(import.meta.url);
const { Server, ServerCredentials } = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

interface Call {
    readonly request: { getMessage(): string };
}

const urn = (name: string) => `urn:pulumi:dev::p::videograph:index:Content::${name}`;

describe("the lines on a row", () => {
    it("arrive in their order, each after the one before it, and before the operation's answer leaves (L1)", async () => {
        const lines: { text: string; taken: () => void }[] = [];
        const server = new Server();
        server.addService(EngineService, {
            log: ({ request }: Call, done: (error: null, answer: unknown) => void) =>
                void lines.push({ text: request.getMessage(), taken: () => done(null, new Empty()) }),
        });
        const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
        try {
            const engine = new Engine(`127.0.0.1:${port}`);
            for (const text of ["3/5 ready", "5/5 ready"]) engine.say("info", urn("films"), text, true);
            const shown = engine.shown(urn("films"));
            const texts = () => lines.map(({ text }) => text);
            await waitFor("the first line", () => lines.length > 0);
            // One of another row needs not wait. It was sent last, so what is not there by then was not sent.
            engine.say("info", urn("stage"), "0/1 ready", true);
            await waitFor("the line of another row", () => texts().includes("0/1 ready"));
            assert.deepEqual(texts(), ["3/5 ready", "0/1 ready"]);
            lines[0]?.taken();
            await waitFor("the second line", () => lines.length === 3);
            const turn = new Promise((resolve) => setImmediate(resolve, "not yet"));
            assert.equal(await Promise.race([shown, turn]), "not yet");
            lines[2]?.taken();
            await shown;
        } finally {
            server.forceShutdown();
        }
    });
});
