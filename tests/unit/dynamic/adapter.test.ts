/** The calls of the engine's dynamic-provider process, and what it is answered. The resource is a scripted one. */
import assert from "node:assert/strict";
import { Adapter } from "../../../provider/dist/dynamic/adapter.js";
import { type Difference, PartialFailure, type Properties } from "../../../provider/dist/lifecycle/index.js";
import { type Message, messages } from "../../../provider/dist/messages/index.js";
import { oneSession, ScriptedLifecycle } from "../../support/oneSession.ts";

const type = "pulumi-nodejs:dynamic/videograph:Content";
const urn = `urn:pulumi:dev::shop::${type}::a`;
const hidden = {
    __provider: 'exports.handler = () => require("pulumi-videograph/provider").content;',
    __urn: "dev::shop::::a",
    __timeouts: { create: "1m", update: "2m", delete: "3m" },
};
const kept = { __urn: hidden.__urn, __timeouts: hidden.__timeouts };
const timeouts = { create: 60_000, update: 120_000, delete: 180_000 };
const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

function start(secretOutput?: string) {
    const one = oneSession();
    const lifecycle = new ScriptedLifecycle();
    const adapter = new Adapter(one.session, "Content", lifecycle, secretOutput);
    one.session.configure({}, () => undefined);
    return { ...one, lifecycle, adapter };
}

/** The error as the SDK looks at it. */
const failed = (promise: Promise<unknown>): Promise<Error & Properties> =>
    promise.then(
        () => assert.fail("It should have failed"),
        (error) => error,
    );

describe("the dynamic provider's configuration", () => {
    /** The settings that hold, where the SDK hands over this configuration. */
    const configured = async (config: Record<string, string>, variables: NodeJS.ProcessEnv = {}) => {
        const { session } = oneSession({ variables });
        const adapter = new Adapter(session, "Content", new ScriptedLifecycle());
        await adapter.configure({ config: { get: (key) => config[key] } });
        return session.settings;
    };
    const stack = {
        "videograph:region": "stack region",
        "videograph:secretKey": "stack key",
        "videograph:baseUrl": "stack url",
    };
    const variables = { VIDEOGRAPH_REGION: "env region", VIDEOGRAPH_SECRET_KEY: "env key" };

    it("is the stack's, which the environment overrides", async () => {
        assert.deepEqual(await configured(stack, variables), {
            region: "env region",
            secretKey: "env key",
            baseUrl: "stack url",
            sources: { region: "environment", secretKey: "environment", baseUrl: "stack" },
        });
    });

    it("wins over the environment where an explicit provider says that it is its own", async () => {
        const settings = await configured({ ...stack, "videograph:ownSettings": "secretKey,baseUrl" }, variables);
        assert.deepEqual(settings, {
            region: "env region",
            secretKey: "stack key",
            baseUrl: "stack url",
            sources: { region: "environment", secretKey: "provider", baseUrl: "provider" },
        });
    });

    it("holds as soon as configure was called: the SDK does not wait for it", () => {
        const { session } = oneSession({ variables: {} });
        const adapter = new Adapter(session, "Content", new ScriptedLifecycle());
        void adapter.configure({ config: { get: (key) => (key === "videograph:region" ? "eu" : undefined) } });
        assert.equal(session.settings.region, "eu");
    });
});

describe("the dynamic provider's check", () => {
    it("hands over what the program declares, and records it with the hidden inputs", async () => {
        const { adapter, lifecycle, session } = start();
        lifecycle.checked = { inputs: { title: "checked", description: undefined } };
        const news = { title: "new", ...hidden, __urn: "acme/dev::shop::::a" };
        const { inputs, failures } = await adapter.check({ title: "old", ...hidden, __get: true }, news);
        assert.deepEqual(inputs, { title: "checked", ...hidden });
        assert.deepEqual(failures, []);
        assert.deepEqual(lifecycle.calls, [["check", { title: "new" }, { title: "old" }, session.known]]);
    });

    it("of a new resource has no recorded inputs", async () => {
        const { adapter, lifecycle, session } = start();
        const { inputs } = await adapter.check({}, { title: "new" });
        assert.deepEqual(inputs, { title: "new" });
        assert.deepEqual(lifecycle.calls, [["check", { title: "new" }, undefined, session.known]]);
        await adapter.check({}, { title: "new", ...hidden });
        assert.equal(session.managers.predecessorOf(urn), undefined);
    });

    it("S3, S5: tells every problem without a property, whose value would be shown", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.checked = { problems: ["title is wrong" as Message] };
        const { failures } = await adapter.check({}, { ...hidden, __timeouts: { create: "soon" } });
        assert.deepEqual(failures, [
            { property: "", reason: "title is wrong" },
            {
                property: "",
                reason: messages.badInput({
                    property: "customTimeouts.create",
                    expected: 'a duration such as "90s" or "1h30m"',
                }),
            },
        ]);
    });

    it("L6: has its notes on the resource's row", async () => {
        const { adapter, lifecycle, said } = start();
        lifecycle.checked = { notes: ["a note" as Message] };
        await adapter.check({}, hidden);
        assert.deepEqual(
            said.map(({ urn: row, message }) => [row, message]),
            [[urn, "a note"]],
        );
    });
});

describe("the dynamic provider's diff", () => {
    it("hands over what is recorded and what is declared, without the hidden inputs", async () => {
        const { adapter, lifecycle } = start();
        await adapter.diff("c1", { title: "old", ...kept }, { title: "new", ...hidden });
        assert.deepEqual(lifecycle.calls, [
            ["diff", { id: "c1", olds: { title: "old" }, oldInputs: undefined, news: { title: "new" } }, urn],
        ]);
    });

    const answers: [string, Difference, object][] = [
        ["nothing is due", { kind: "none" }, { changes: false }],
        ["an input makes an update: the engine shows it", { kind: "update", because: ["title"] }, {}],
        ["an update is due for another reason", { kind: "update", because: ["status"] }, { changes: true }],
        ["an input makes a replacement", { kind: "replace", because: ["title"] }, { replaces: ["title"] }],
        [
            "a replacement is due for another reason",
            { kind: "replace", because: ["status"] },
            { changes: true, replaces: ["status"] },
        ],
        [
            "an input is one reason of several",
            { kind: "replace", because: ["status", "title"] },
            { replaces: ["status", "title"] },
        ],
    ];
    for (const [name, difference, answer] of answers) {
        it(`L5: tells where ${name}`, async () => {
            const { adapter, lifecycle } = start();
            lifecycle.difference = difference;
            assert.deepEqual(await adapter.diff("c1", {}, {}), answer);
        });
    }

    for (const key of ["", "a\\"]) {
        it(`L5: does not have the engine write a path with the key ${JSON.stringify(key)}, which it could not read`, async () => {
            const { adapter, lifecycle } = start();
            lifecycle.difference = { kind: "update", because: ["metadata"] };
            const sides = [{ metadata: { [key]: "1" } }, { metadata: { a: "1" } }] as const;
            assert.deepEqual(await adapter.diff("c1", sides[0], sides[1]), { changes: true });
            assert.deepEqual(await adapter.diff("c1", sides[1], sides[0]), { changes: true });
        });
    }
});

describe("the dynamic provider's operations", () => {
    it("create what is declared, and record what a read and a delete need of the hidden inputs", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.outputs = { title: "new", status: "Ready", url: undefined };
        assert.deepEqual(await adapter.create({ title: "new", ...hidden }), {
            id: "c1",
            outs: { title: "new", status: "Ready", ...kept },
        });
        assert.deepEqual(lifecycle.calls, [["create", { title: "new" }]]);
        assert.deepEqual([lifecycle.operation?.urn, lifecycle.operation?.timeouts], [urn, timeouts]);
    });

    it("update the object, and record the hidden inputs of now", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.outputs = { title: "new" };
        const olds = { title: "old", __urn: "dev::shop::::before" };
        assert.deepEqual(await adapter.update("c1", olds, { title: "new", ...hidden }), {
            outs: { title: "new", ...kept },
        });
        assert.deepEqual(lifecycle.calls, [["update", "c1", { title: "old" }, { title: "new" }]]);
        assert.deepEqual([lifecycle.operation?.urn, lifecycle.operation?.timeouts], [urn, timeouts]);
    });

    it("read the object, with the inputs that a refresh records", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.state = { inputs: { title: "now", a: undefined }, outputs: { title: "now", status: "Ready" } };
        assert.deepEqual(await adapter.read("c1", { title: "old", ...kept }), {
            id: "c1",
            props: { title: "now", status: "Ready", ...kept },
            inputs: { title: "now", ...kept },
        });
        assert.deepEqual(lifecycle.calls, [["read", "c1", { title: "old" }]]);
        assert.deepEqual([lifecycle.operation?.urn, lifecycle.operation?.timeouts], [urn, timeouts]);
    });

    it("L7: read an object that is gone as the engine knows it: by an empty id", async () => {
        assert.deepEqual(await start().adapter.read("c1", { title: "old" }), { id: "", props: {} });
    });

    it("find an object that is not managed here, which stays unmanaged", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.state = { inputs: { title: "theirs" }, outputs: { title: "theirs", status: "Ready" } };
        assert.deepEqual(await adapter.read("c2", { ...hidden, __get: true }), {
            id: "c2",
            props: { title: "theirs", status: "Ready", __get: true },
        });
        assert.deepEqual(lifecycle.calls, [["find", "c2"]]);
        lifecycle.state = undefined;
        const error = await failed(adapter.read("c2", { __get: true }));
        assert.equal(error.message, messages.noSuchObject({ kind: "Content", id: "c2" }));
    });

    it("delete the recorded object", async () => {
        const { adapter, lifecycle } = start();
        assert.equal(await adapter.delete("c1", { title: "old", ...kept }), undefined);
        assert.deepEqual(lifecycle.calls, [["delete", "c1", { title: "old" }]]);
        assert.deepEqual([lifecycle.operation?.urn, lifecycle.operation?.timeouts], [urn, timeouts]);
    });

    it("S3: mark the secret output, and all that hold it, in every answer", async () => {
        const { adapter, lifecycle } = start("streamKey");
        const outputs = { streamKey: "key", url: "rtmp://live/key", status: "Idle", nothing: undefined };
        const secret = {
            streamKey: { ...signature, value: "key" },
            url: { ...signature, value: "rtmp://live/key" },
            status: "Idle",
        };
        lifecycle.outputs = outputs;
        lifecycle.state = { inputs: {}, outputs };
        assert.deepEqual((await adapter.create({})).outs, secret);
        assert.deepEqual((await adapter.update("c1", {}, {})).outs, secret);
        assert.deepEqual((await adapter.read("c1", {})).props, secret);
        assert.deepEqual((await adapter.read("c1", { __get: true })).props, { ...secret, __get: true });
        lifecycle.error = new PartialFailure("c1", outputs, "not Ready" as Message);
        assert.deepEqual((await failed(adapter.create({}))).properties, { ...secret, __provider: undefined });
    });
});

describe("the dynamic provider's failures", () => {
    const partial = () => new PartialFailure("c1", { title: "half" }, "not Ready [VG4003]" as Message);
    const state = { title: "half", ...hidden };

    it("L4: keep the object that a create or an update did not finish, and its implementation", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.error = partial();
        for (const call of [
            adapter.create({ title: "new", ...hidden }),
            adapter.update("c1", {}, { title: "new", ...hidden }),
        ]) {
            const { id, properties, reasons, message } = await failed(call);
            assert.deepEqual([id, properties, reasons], ["c1", state, ["not Ready [VG4003]"]]);
            assert.equal(message, "not Ready [VG4003]");
        }
    });

    it("record nothing where nothing was created, and where the engine expects no resource", async () => {
        const { adapter, lifecycle } = start();
        lifecycle.error = new Error("no");
        for (const call of [adapter.create(hidden), adapter.update("c1", {}, hidden)]) {
            assert.equal("id" in (await failed(call)), false);
        }
        lifecycle.error = partial();
        for (const call of [
            adapter.check({}, hidden),
            adapter.diff("c1", {}, hidden),
            adapter.read("c1", hidden),
            adapter.delete("c1", hidden),
        ]) {
            const error = await failed(call);
            assert.equal("id" in error, false);
            assert.equal(error.message, "not Ready [VG4003]");
            assert.equal(String(error), "pulumi-videograph");
        }
    });
});
