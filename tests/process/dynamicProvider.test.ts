/** The SDK's real dynamic-provider process, spoken to as the engine does: over gRPC. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Emulator, startEmulator } from "videograph-emulator";
import { startEngine } from "../support/engineRows.ts";
import { hasEnded } from "../support/processes.ts";

const require = createRequire(import.meta.url);
const repository = join(import.meta.dirname, "..", "..");
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = fromSdk("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
const providerRpc = require("@pulumi/pulumi/proto/provider_grpc_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const { Status } = require("@pulumi/pulumi/proto/status_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

/** An answer of the generated client, which has no types. */
type Answer = Record<string, () => unknown>;
type Properties = Record<string, unknown>;
const provider = 'exports.handler = () => require("pulumi-videograph/provider").content;';
const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/videograph:Content::trailer";

describe("the provider process", () => {
    let home: string;
    let emulator: Emulator;
    let engine: Awaited<ReturnType<typeof startEngine>>;
    let child: ChildProcess;
    let call: (method: string, request: unknown) => Promise<Answer>;

    beforeEach(async function () {
        this.timeout(60_000);
        home = await mkdtemp(join(tmpdir(), "videograph-process-"));
        emulator = await startEmulator({ processingTimeMs: 100, fetchSources: false });
        engine = await startEngine();
        // An address is no argument of ours to check here: the SDK's own entry point.
        const entry = join(repository, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
        child = spawn(process.execPath, [entry, engine.address], {
            cwd: repository,
            env: { ...process.env, HOME: home, PULUMI_HOME: home },
            stdio: ["ignore", "pipe", "inherit"],
        });
        if (child.stdout === null) throw new Error("no output");
        const [port] = await once(createInterface(child.stdout), "line");
        const client = new providerRpc.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
        call = (method, request) =>
            new Promise((resolve, reject) => {
                client[method](request, (error: Error | null, answer: never) =>
                    error ? reject(error) : resolve(answer),
                );
            });
        const configure = new messages.ConfigureRequest();
        configure.setArgs(
            Struct.fromJavaScript({
                "videograph:baseUrl": emulator.url,
                "videograph:accessTokenId": emulator.token.id,
                "videograph:secretKey": emulator.token.secret,
            }),
        );
        await call("configure", configure);
    });

    afterEach(async () => {
        if (!hasEnded(child)) {
            child.kill("SIGKILL");
            await once(child, "exit");
        }
        engine.kill();
        await emulator.close();
        await rm(home, { recursive: true });
    });

    const create = (inputs: Properties) => {
        const request = new messages.CreateRequest();
        request.setProperties(
            Struct.fromJavaScript({ __provider: provider, __urn: "dev::shop::::trailer", ...inputs }),
        );
        return call("create", request);
    };
    const propertiesOf = (answer: Answer) =>
        (answer.getProperties?.() as { toJavaScript(): Properties } | undefined)?.toJavaScript() ?? {};
    const video = {
        title: "Trailer",
        content: [{ url: "https://media.example.com/a.mp4" }],
        playbackPolicy: ["public"],
    };

    it("L1: creates, waits, and tells on the resource's row", async () => {
        const answer = await create(video);
        const outputs = propertiesOf(answer);
        assert.equal(outputs.status, "Ready");
        assert.equal(answer.getId?.(), emulator.contents()[0]?.contentId);
        assert.ok(engine.lines.some((line) => line.urn === urn && line.ephemeral && /Preparing/.test(line.message)));
    });

    it("a malformed URN goes to the stack's row: the engine would panic", async () => {
        await create({ ...video, __urn: "not-a-urn" });
        assert.ok(engine.lines.length > 0);
        assert.deepEqual([...new Set(engine.lines.map((line) => line.urn))], [""]);
    });

    it("L4: a failure keeps id, outputs and implementation", async () => {
        emulator.inject({ method: "GET", path: "/contents/*", kind: "status", status: 403 });
        const error = (await create({ ...video, __timeouts: { create: "30s" } }).then(
            () => assert.fail("It should have failed"),
            (thrown) => thrown,
        )) as { metadata: { get(key: string): Buffer[] } };
        const [details] = error.metadata.get("grpc-status-details-bin");
        assert.ok(details);
        const [any] = Status.deserializeBinary(details).getDetailsList();
        const failed = messages.ErrorResourceInitFailed.deserializeBinary(any.getValue_asU8());
        assert.equal(failed.getId(), emulator.contents()[0]?.contentId);
        assert.equal(failed.getProperties().toJavaScript().__provider, provider);
        assert.equal(failed.getReasonsList().length, 1);
    });

    it("concurrent first calls all see the configuration", async () => {
        const ids = ["a", "b", "c"].map((title) => emulator.addContent({ title }).contentId);
        const read = (id: string) => {
            const request = new messages.ReadRequest();
            request.setId(id);
            const state = { __provider: provider, title: "old", __meta: { v: 1, env: "" } };
            request.setProperties(Struct.fromJavaScript({ ...state, __get: true }));
            return call("read", request);
        };
        const answers = await Promise.all(ids.map(read));
        assert.deepEqual(
            answers.map((answer) => answer.getId?.()),
            ids,
        );
    });

    it("S8: ends at once when it is idle and interrupted", async () => {
        await create(video);
        child.kill("SIGINT");
        const [code] = await once(child, "exit");
        assert.equal(code, 0);
    });

    it("S8: ends by itself when the engine is gone", async () => {
        await create(video);
        engine.kill();
        const [code] = await once(child, "exit");
        assert.equal(code, 0);
    });
});
