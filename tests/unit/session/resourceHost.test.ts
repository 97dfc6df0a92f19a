/** What a process knows around a resource's lifecycle: what was asked before, what the journal holds, what errors say. */
import assert from "node:assert/strict";
import { AuthenticationError } from "../../../provider/dist/api/errors.js";
import { LifecycleError, PartialFailure, type Properties } from "../../../provider/dist/lifecycle/index.js";
import { type Message, messageFrom, messages } from "../../../provider/dist/messages/index.js";
import { ResourceHost } from "../../../provider/dist/session/resourceHost.js";
import { entryOf, oneSession, ScriptedLifecycle } from "../../support/oneSession.ts";

const urnOf = (name: string) => `urn:pulumi:dev::shop::t::${name}`;
const urn = urnOf("a");
const marker = "pulumi:shop/dev/a:11111111-22222222-33333333-0-0123456789ab";
const nonce = "0123456789ab";
const recordedOutputs = { title: "old", __meta: { v: 1, env: "e", mark: marker } };
const timeouts = { create: 1_000 };
/** The engine's unknown number; within the package there is one unknown value. */
const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const none = () => undefined;

function start(variables?: NodeJS.ProcessEnv, isEnding = false) {
    const { signal } = new AbortController();
    const ending = { signal, isEnding: true, during: <T>(body: () => Promise<T>) => body(), start: none };
    const one = oneSession({ ...(variables && { variables }), ...(isEnding && { lifetime: ending }) });
    one.session.configure({}, none);
    const lifecycle = new ScriptedLifecycle();
    const host = new ResourceHost(one.session, lifecycle);
    const { journal } = one.session;
    /** The lasting lines, and the rows they are on. */
    const lines = () => one.said.map(({ severity, urn: row, message }) => [severity, row, message]);
    const methods = () => lifecycle.calls.map(([method]) => method);
    return { ...one, lifecycle, host, journal, lines, methods };
}
type Started = ReturnType<typeof start>;

const failed = (promise: Promise<unknown>): Promise<LifecycleError> =>
    promise.then(
        () => assert.fail("It should have failed"),
        (error) => error,
    );

describe("a resource's host", () => {
    let one: Started;
    let host: ResourceHost;
    let lifecycle: ScriptedLifecycle;

    beforeEach(() => {
        one = start();
        ({ host, lifecycle } = one);
    });

    it("knows the names of its inputs", () => {
        assert.equal(host.isInput("title"), true);
        assert.equal(host.isInput("status"), false);
    });

    it("hands every operation its resource, its limits and what the engine has, without what is not set", async () => {
        const given = { title: null, description: "d", number: unknownNumber, list: [unknownNumber] };
        const clean = { description: "d", number: unknown, list: [unknown] };
        lifecycle.outputs = { title: "new" };
        lifecycle.state = { inputs: {}, outputs: {} };
        const request = { urn, timeouts };
        assert.deepEqual(await host.create({ ...request, inputs: given }), { id: "c1", outputs: { title: "new" } });
        assert.equal(await host.read({ ...request, id: "c1", olds: given }), lifecycle.state);
        assert.equal(await host.find({ ...request, id: "c2" }), lifecycle.state);
        assert.deepEqual(await host.update({ ...request, id: "c1", olds: given, news: { ...given, a: 1 } }), {
            title: "new",
        });
        await host.delete({ ...request, id: "c1", olds: given });
        assert.deepEqual(lifecycle.calls, [
            ["create", clean],
            ["read", "c1", clean],
            ["find", "c2"],
            ["update", "c1", clean, { ...clean, a: 1 }],
            ["delete", "c1", clean],
        ]);
        assert.deepEqual([lifecycle.operation?.urn, lifecycle.operation?.timeouts], [urn, timeouts]);
        assert.deepEqual(one.said, []);
    });
});

describe("a host's check", () => {
    it("is the lifecycle's, with what the run knows and without what is not set", async () => {
        const { host, lifecycle, session } = start();
        lifecycle.checked = { inputs: { title: "checked" } };
        const checked = await host.check({
            urn,
            olds: { title: null, a: 1 },
            news: { title: unknownNumber, b: null },
        });
        assert.deepEqual(checked, { inputs: { title: "checked" }, problems: [] });
        assert.deepEqual(lifecycle.calls, [["check", { title: unknown }, { a: 1 }, session.known]]);
        await host.check({ urn, news: {} });
        assert.deepEqual(lifecycle.calls[1], ["check", {}, undefined, session.known]);
    });

    it("S5: says what is wrong with the settings, then with the inputs, then with other resources", async () => {
        const { host, lifecycle, session } = start({ VIDEOGRAPH_BASE_URL: "ftp://video.test" });
        lifecycle.checked = { problems: ["title is wrong" as Message] };
        await host.check({ urn: urnOf("first"), news: { importId: "c1" } });
        assert.deepEqual((await host.check({ urn, news: { importId: "c1" } })).problems, [
            ...session.problems(),
            "title is wrong",
            messages.importIdTwice({ other: urnOf("first") }),
        ]);
        assert.equal(session.problems().length, 1);
    });

    it("L6: has its notes and warnings on the row", async () => {
        const { host, lifecycle, lines } = start();
        lifecycle.checked = { notes: ["n1" as Message, "n2" as Message], warnings: ["w" as Message] };
        await host.check({ urn, news: {} });
        assert.deepEqual(lines(), [
            ["info", urn, "n1"],
            ["info", urn, "n2"],
            ["warning", urn, "w"],
        ]);
    });

    it("S3: fails without a secret of the configuration", async () => {
        const { host, lifecycle } = start();
        lifecycle.error = new TypeError("the-secret-key is odd");
        const error = await failed(host.check({ urn, news: {} }));
        assert.ok(error instanceof LifecycleError);
        assert.equal(error.message, messageFrom(new TypeError("[secretKey] is odd")));
    });
});

describe("two resources with one importId", () => {
    const adopts = async (host: ResourceHost, name: string | undefined, importId: unknown) =>
        (await host.check({ urn: name === undefined ? undefined : urnOf(name), news: { importId } })).problems;

    it("L8: are refused, whichever is checked again", async () => {
        const { host } = start();
        assert.deepEqual(await adopts(host, "a", "c1"), []);
        assert.deepEqual(await adopts(host, "b", "c1"), [messages.importIdTwice({ other: urnOf("a") })]);
        assert.deepEqual(await adopts(host, "a", "c1"), []);
        assert.deepEqual(await adopts(host, "c", "c1"), [messages.importIdTwice({ other: urnOf("a") })]);
        assert.deepEqual(await adopts(host, "b", "c2"), []);
    });

    it("are none where the id or the resource is not known", async () => {
        const { host } = start();
        for (const importId of [undefined, unknown, 5]) {
            assert.deepEqual(await adopts(host, "a", importId), []);
            assert.deepEqual(await adopts(host, "b", importId), []);
        }
        assert.deepEqual(await adopts(host, undefined, "c1"), []);
        assert.deepEqual(await adopts(host, "b", "c1"), []);
        assert.deepEqual(await adopts(host, undefined, "c1"), []);
    });
});

describe("a host's diff", () => {
    const difference = { kind: "replace", because: ["title"] } as const;

    it("is the lifecycle's, with the inputs that the check was given", async () => {
        const { host, lifecycle, session } = start();
        lifecycle.difference = { kind: "replace", because: ["title"] };
        await host.check({ urn, olds: { title: "recorded", a: null }, news: {} });
        await host.check({ urn: urnOf("b"), olds: { title: "other" }, news: {} });
        lifecycle.calls.length = 0;
        const change = { id: "c1", olds: { title: "old", a: null }, news: { title: unknownNumber, a: null } };
        assert.deepEqual(await host.diff({ urn, ...change }), difference);
        await host.diff({ urn, ...change, oldInputs: { title: "given", a: null } });
        await host.diff({ urn: undefined, ...change });
        const clean = { id: "c1", olds: { title: "old" }, news: { title: unknown } };
        assert.deepEqual(lifecycle.calls, [
            ["diff", { ...clean, oldInputs: { title: "recorded" } }, urn],
            ["diff", { ...clean, oldInputs: { title: "given" } }, urn],
            ["diff", { ...clean, oldInputs: undefined }, undefined],
        ]);
        assert.deepEqual(session.managers.predecessorOf(urn), { id: "c1", olds: { title: "old" } });
        assert.equal(session.managers.by("c1"), urn);
    });

    it("has the recorded inputs also after a replacement was checked, which is checked without them", async () => {
        const { host, lifecycle } = start();
        await host.check({ urn, olds: { title: "recorded" }, news: {} });
        await host.check({ urn, news: {} });
        lifecycle.calls.length = 0;
        await host.diff({ urn, id: "c1", olds: {}, news: {} });
        assert.deepEqual(lifecycle.calls, [
            ["diff", { id: "c1", olds: {}, oldInputs: { title: "recorded" }, news: {} }, urn],
        ]);
    });

    it("without recorded inputs has none", async () => {
        const { host, lifecycle } = start();
        await host.check({ urn: undefined, olds: { title: "of somebody" }, news: {} });
        await host.check({ urn, news: {} });
        lifecycle.calls.length = 0;
        for (const who of [undefined, urn]) await host.diff({ urn: who, id: "c1", olds: {}, news: {} });
        for (const [, change] of lifecycle.calls) assert.equal((change as Properties).oldInputs, undefined);
    });

    it("S3: fails without a secret of the configuration", async () => {
        const { host, lifecycle } = start();
        lifecycle.error = new Error("the-secret-key");
        assert.doesNotMatch((await failed(host.diff({ urn, id: "c1", olds: {}, news: {} }))).message, /the-secret/);
    });
});

describe("a host's journal", () => {
    const address = { urn, timeouts, id: "c1", olds: recordedOutputs };
    const handedOver: [string, (host: ResourceHost) => Promise<unknown>][] = [
        ["diff", (host) => host.diff({ ...address, news: {} })],
        ["read", (host) => host.read(address)],
        ["update", (host) => host.update({ ...address, news: {} })],
        ["delete", (host) => host.delete(address)],
    ];
    for (const [name, call] of handedOver) {
        it(`S1: closes the entry of what the engine hands over to ${name}`, async () => {
            const { host, journal } = start();
            await journal.open(entryOf(urn, { marker, told: true }));
            await call(host);
            assert.equal(await journal.find(nonce), undefined);
        });
    }

    it("S1: notes that the engine is given a created object", async () => {
        const { host, journal, lifecycle } = start();
        await journal.open(entryOf(urn, { marker }));
        lifecycle.outputs = recordedOutputs;
        await host.create({ urn, timeouts, inputs: {} });
        assert.equal((await journal.find(nonce))?.told, true);
    });

    it("S1: notes that the engine is given an object that is not what was asked for yet", async () => {
        const { host, journal, lifecycle } = start();
        await journal.open(entryOf(urn, { marker }));
        lifecycle.error = new PartialFailure("c1", recordedOutputs, "not Ready: the-secret-key [VG4003]" as Message);
        const error = await failed(host.create({ urn, timeouts, inputs: {} }));
        assert.ok(error instanceof PartialFailure);
        assert.deepEqual([error.id, error.outputs], ["c1", recordedOutputs]);
        assert.equal(error.message, "not Ready: [secretKey] [VG4003]");
        assert.equal((await journal.find(nonce))?.told, true);
    });

    it("K7: tells nothing that leaves after the engine's interrupt, because it throws that away", async () => {
        const { host, journal, lifecycle } = start(undefined, true);
        await journal.open(entryOf(urn, { marker }));
        lifecycle.outputs = recordedOutputs;
        await host.create({ urn, timeouts, inputs: {} });
        assert.equal((await journal.find(nonce))?.told, undefined);
    });

    it("S1: is not told that the engine is given an object where the create failed", async () => {
        const { host, journal, lifecycle } = start();
        await journal.open(entryOf(urn, { marker }));
        lifecycle.error = new AuthenticationError("Refused. [VG1010]" as Message, {
            endpoint: "POST /contents",
            status: 401,
            outcome: "refused",
        });
        const error = await failed(host.create({ urn, timeouts, inputs: {} }));
        assert.ok(error instanceof LifecycleError && !(error instanceof PartialFailure));
        assert.match(error.message, /^Refused\. They come from the environment/);
        assert.equal((await journal.find(nonce))?.told, undefined);
    });
});

describe("a host's delete", () => {
    const request = { urn, timeouts, id: "c1", olds: recordedOutputs };
    it("L8: keeps an object that the engine has imported under another name, and says so", async () => {
        const { host, lines, methods } = start();
        host.noteImport({ object: "Content c1", id: "c1", urn: urnOf("b") }, undefined);
        await host.delete(request);
        assert.deepEqual(methods(), []);
        assert.deepEqual(lines(), [["warning", urn, messages.keptAdopted({ id: "c1" })]]);
        await host.delete({ ...request, id: "c2" });
        assert.deepEqual(methods(), ["delete"]);
    });

    it("L8: keeps the object that a resource of the program adopts, and says so", async () => {
        const { host, journal, lines, methods } = start();
        await journal.open(entryOf(urn, { marker, told: true }));
        await host.check({ urn: urnOf("b"), news: { importId: "c1" } });
        await host.delete(request);
        assert.deepEqual(methods(), ["check"]);
        assert.deepEqual(lines(), [["warning", urn, messages.keptAdopted({ id: "c1" })]]);
        assert.notEqual(await journal.find(nonce), undefined);
        await host.delete({ ...request, id: "c2" });
        assert.deepEqual(methods(), ["check", "delete"]);
    });

    it("A13: a destroy names interrupted creates of the stack on the stack's row, once", async () => {
        const { host, journal, lines } = start();
        await journal.open(entryOf(urnOf("lost"), { nonce: "ffffffffffff" }));
        await host.delete(request);
        await host.delete({ ...request, id: "c2" });
        assert.deepEqual(lines(), [["warning", undefined, messages.pendingCreates({ resources: 'Content "lost"' })]]);
    });

    it("K9: names no create that the engine was given, or of which nothing was sent", async () => {
        const { host, journal, lines } = start();
        await journal.open(entryOf(urnOf("told"), { nonce: "ffffffffffff", told: true }));
        await journal.open(entryOf(urnOf("unsent"), { nonce: "eeeeeeeeeeee", marker: undefined }));
        await host.delete(request);
        assert.deepEqual(lines(), []);
    });

    it("A13: names none that the program declares, whose create takes care of it", async () => {
        const { host, journal, lines } = start();
        await journal.open(entryOf(urnOf("lost"), { nonce: "ffffffffffff" }));
        await host.check({ urn: urnOf("lost"), news: {} });
        await host.delete(request);
        assert.deepEqual(lines(), []);
    });
});
