/** What the engine's dynamic-provider process is answered, where the real CLI (tests/e2e) does not show it (L5, S1, S3, S5). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Adapter, dropPrintedErrors, withSdkErrors } from "../../../provider/dist/dynamic/adapter.js";
import { unknownValue } from "../../../provider/dist/inputs/values.js";
import { anyJson } from "../../support/changedForms.ts";
import { Machine, type Process, type Properties, stateOf } from "../../support/machine.ts";
import { rejection } from "../api/support.ts";

const hidden = {
    __provider: 'exports.handler = () => require("pulumi-videograph/provider").content;',
    __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/videograph:Content::a",
    __timeouts: { create: "1m", update: "5s", delete: "3m" },
};
const kept = { __urn: hidden.__urn, __timeouts: hidden.__timeouts };
const inputs = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], playbackPolicy: ["public"] };
const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

describe("the dynamic provider", () => {
    let machine: Machine;
    let process: Process;
    let adapter: Adapter;

    beforeEach(() => {
        machine = new Machine();
        process = machine.start();
        machine.state = stateOf();
        adapter = new Adapter(process.session, "Content");
    });
    const create = async (more: Properties = {}): Promise<{ id: string; outs: Properties }> => {
        const { id, outs } = await machine.run(adapter.create({ ...inputs, ...more, ...hidden }));
        return { id, outs: structuredClone(outs) as Properties };
    };
    /** The error as the SDK looks at it. */
    const failed = (promise: Promise<unknown>) => machine.run(rejection(Error, promise)) as Promise<Error & Properties>;

    it("S1: draws the attempt of a create, but in a preview, and keeps the recorded one of an object that exists", async () => {
        const attemptOf = async (olds: Properties, __attempt: unknown = "new") =>
            (await adapter.check(olds, { ...inputs, ...hidden, __attempt })).inputs.__attempt;
        assert.match(await attemptOf({}), /^[0-9a-f]{12}-[0-9a-f]{16}-$/);
        assert.notEqual(await attemptOf({}), await attemptOf({}));
        assert.equal(await attemptOf({}, unknownValue), unknownValue);
        assert.equal(await attemptOf({ ...inputs, ...hidden, __attempt: "old" }), "old");
        assert.equal(await attemptOf({ ...inputs, ...hidden }), undefined);
    });

    for (const [what, change, news, answer] of [
        ["nothing is due", {}, {}, { changes: false }],
        ["an input makes an update: the engine shows it", {}, { title: "Two" }, {}],
        ["an update is due for another reason", { status: "Preparing" }, {}, { changes: true }],
        ["an input makes a replacement", {}, { mp4Support: true }, { replaces: ["mp4Support"] }],
        ["a replacement is due for another reason", { status: "Failed" }, {}, { changes: true, replaces: ["status"] }],
    ] as const) {
        it(`L5: tells where ${what}`, async () => {
            const { id, outs } = await create();
            assert.deepEqual(await adapter.diff(id, { ...outs, ...change }, { ...inputs, ...news, ...hidden }), answer);
        });
    }

    it("takes time limits of another type in an edited state for none", async () => {
        const { id, outs } = await create();
        for (const value of [...anyJson, ["5m"]])
            for (const __timeouts of [value, { create: "5m", update: value }]) {
                await machine.run(adapter.read(id, { ...outs, __timeouts }));
                await machine.run(adapter.update(id, outs, { ...inputs, ...hidden, __timeouts }));
            }
    });

    it("records what a read and a delete need of the hidden inputs, also those of an update", async () => {
        const { id, outs } = await create();
        assert.deepEqual(outs, { ...outs, ...kept, title: "One", status: "Ready" });
        const later = { ...inputs, title: "Two", ...hidden, __timeouts: {} };
        const updated = await machine.run(adapter.update(id, outs, later));
        assert.deepEqual(updated.outs, { ...updated.outs, title: "Two", __timeouts: {} });
        machine.core.updateContent(id, { title: "Three" });
        const read = await machine.run(adapter.read(id, outs));
        assert.deepEqual([read.id, read.props?.title, read.props?.__urn], [id, "Three", hidden.__urn]);
        assert.deepEqual(read.inputs, { ...inputs, title: "Three", ...kept });
        assert.equal(await machine.run(adapter.delete(id, outs)), undefined);
        assert.deepEqual(machine.ids, []);
        // An empty id tells the engine that it is gone.
        assert.deepEqual(await machine.run(adapter.read(id, outs)), { id: "", props: {} });
    });

    it("S3: marks the secret output, and all that hold it, in every answer", async () => {
        machine.core.setVariants({ streamKeyInPlaybackUrl: true });
        const live = new Adapter(process.session, "Livestream");
        const news = { title: "One", region: "us-east-1", record: false };
        const { id, outs = {} } = await machine.run(live.create(news));
        const key = machine.core.livestream(id)?.streamKey;
        const plain = { ...outs, streamKey: key };
        const updated = await machine.run(live.update(id, plain, { ...news, title: "Two" }));
        const reads = [await machine.run(live.read(id, plain)), await machine.run(live.read(id, { __get: true }))];
        for (const shown of [outs, updated.outs, ...reads.map(({ props }) => props)]) {
            const { playbackUrl } = shown ?? {};
            assert.deepEqual(shown, { ...shown, streamKey: { ...signature, value: key }, status: "Idle" });
            assert.deepEqual(playbackUrl, { ...signature, value: playbackUrl?.value });
        }
    });

    it("throws what the SDK shows well, without a stack trace", async () => {
        const sdkError = (thrown: unknown) => failed(withSdkErrors(() => Promise.reject(thrown)));
        // The SDK takes any error with an id for a created resource, and hangs at `throw undefined`.
        assert.equal("id" in (await sdkError(Object.assign(new Error("a"), { id: "c1" }))), false);
        // What the SDK prints on the stack's row of an error that the resource's row shows.
        const [error, print] = [await sdkError(undefined), console.error];
        const printed: unknown[] = [];
        console.error = (text) => printed.push(text);
        try {
            dropPrintedErrors();
            console.error(`${error}: ${error.stack}`);
            console.error("another");
        } finally {
            console.error = print;
        }
        assert.deepEqual(printed, ["another"]);
    });

    it("prints none of these errors in the process that the engine starts", async () => {
        const dist = join(import.meta.dirname, "../../../provider/dist/dynamic");
        const program = `require(${JSON.stringify(join(dist, "provider.js"))});
            const { withSdkErrors } = require(${JSON.stringify(join(dist, "adapter.js"))});
            withSdkErrors(() => Promise.reject()).catch((error) => {
                console.error(\`\${error}: \${error.stack}\`);
                console.error("another");
            });`;
        const { stderr } = await promisify(execFile)(globalThis.process.execPath, ["--eval", program]);
        assert.equal(stderr, "another\n");
    });

    it("records nothing where nothing was created, and where the engine expects no resource", async () => {
        const { id, outs } = await create();
        machine.core.inject({ kind: "status", status: 422 });
        for (const call of [
            () => adapter.create({ ...inputs, ...hidden, __urn: hidden.__urn.replace(/a$/, "b") }),
            () => adapter.update(id, outs, { ...inputs, title: "Two", ...hidden }),
            () => adapter.read(id, outs),
            () => adapter.delete(id, outs),
        ]) {
            const error = await failed(call());
            assert.equal("id" in error, false);
            assert.equal(String(error), "pulumi-videograph");
        }
    });
});
