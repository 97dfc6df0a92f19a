/** What a process knows around a resource's lifecycle: what was asked before, what the journal holds, what errors say. */
import assert from "node:assert/strict";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import { messages } from "../../../provider/dist/messages/index.js";
import { NativeResource } from "../../../provider/dist/native/resource.js";
import { toStruct } from "../../../provider/dist/native/wire.js";
import { PartialFailure } from "../../../provider/dist/operation/operation.js";
import type { ResourceHost } from "../../../provider/dist/session/resourceHost.js";
import { Machine, type Process, type Properties, stateOf, urnOf } from "../../support/machine.ts";
import { rejection } from "../api/support.ts";

const source = (name: string) => [{ url: `https://media.example.com/${name}.mp4` }];
const inputs = { title: "One", content: source("a"), waitForReady: false };
const other = { ...inputs, content: source("b") };
const urn = urnOf("one");
const nativeUrn = "urn:pulumi:dev::shop::videograph:index:Content::one";
const timeouts = {};
/** The engine's unknown number; within the package there is one unknown value. */
const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

interface Recorded {
    id: string;
    outputs: Properties;
}

describe("a resource's host", () => {
    let machine: Machine;
    let process: Process;

    beforeEach(() => {
        machine = new Machine();
        process = machine.start();
    });

    const next = () => {
        process.kill();
        machine.state = stateOf({ has: machine.ids });
        process = machine.start();
    };

    /** A create under way whose answer never comes. */
    const loseCreate = async (urn: string) => {
        machine.core.inject({ method: "POST", kind: "hang", when: "after" });
        void process.content.create({ urn, timeouts, inputs }).catch(() => undefined);
        await machine.clock.advance(10);
    };

    it("hands over what is set, and one unknown value", async () => {
        await process.create({ ...inputs, description: null, tags: null });
        const [body] = machine.core.requests.flatMap(({ method, body }) => (method === "POST" ? [body] : []));
        assert.deepEqual(Object.keys(body as object).sort(), ["content", "metadata", "playback_policy", "title"]);
        const { problems } = await process.content.check({ urn, news: { ...inputs, tags: unknownNumber } });
        assert.deepEqual(problems, []);
    });

    it("L4: an update that an onError hook asks for after a partial failure keeps the object, also where it fails before it changes anything", async () => {
        machine.core.inject({ kind: "processing", fail: "no video" });
        const { id, outputs: olds, failed } = await process.create({ ...inputs, waitForReady: true });
        assert.match(failed ?? "", /no video/);
        machine.core.inject({ kind: "status", status: 403 });
        const news = { ...inputs, title: "Two" };
        const update = process.content.update({ urn, timeouts, id, olds, oldInputs: news, news });
        const repeated = await machine.run(rejection(PartialFailure, update));
        assert.deepEqual([repeated.id, repeated.outputs], [id, olds]);
        assert.match(repeated.message, /HTTP 403/);
    });

    it("L8: two resources with one importId are refused, whichever is checked again, if both are known", async () => {
        const adopts = async (name: string, importId: unknown) => {
            const request = { urn: urnOf(name), news: { title: "a", importId } };
            return (await process.content.check(request)).problems;
        };
        const twice = [messages.importIdTwice({ other: urnOf("a") })];
        assert.deepEqual(await adopts("a", "c1"), []);
        assert.deepEqual(await adopts("b", "c1"), twice);
        assert.deepEqual(await adopts("a", "c1"), []);
        assert.deepEqual(await adopts("c", "c1"), twice);
        assert.deepEqual(await adopts("b", "c2"), []);
        for (const name of ["d", "e"]) assert.deepEqual(await adopts(name, unknownNumber), []);
    });

    for (const name of ["diff", "read", "update", "delete"] as const)
        it(`S1: closes the entry of what the engine hands over to ${name}`, async () => {
            machine.skipsCheckpoints = true;
            const { id, outputs: olds } = await process.create(inputs);
            next();
            assert.equal(machine.files.size, 1);
            await machine.run<unknown>(process.content[name]({ urn, timeouts, id, olds, news: inputs }));
            assert.equal(machine.files.size, 0);
        });

    it("L8: deletes what another declared resource has recorded neither, but a livestream whose id a content has", async () => {
        const made = await process.create(inputs);
        const stage = { urn: urnOf("stage", "Livestream") };
        const stream = await process.create({ title: "Stage", region: "us-east-1" }, stage, process.livestream);
        next();
        await process.diff(made, inputs, { urn: urnOf("renamed") });
        await process.delete(made);
        assert.deepEqual(machine.ids, [made.id]);
        await process.diff({ ...made, id: stream.id }, inputs, { urn: urnOf("namesake") });
        await process.delete(stream, stage, process.livestream);
        assert.equal(machine.core.livestream(stream.id)?.status ?? "Deleting", "Deleting");
    });

    it("W10: asks for objects only, whatever else a program declares, where several are gone", async () => {
        const create = (name: string) => process.create(inputs, { urn: urnOf(name) });
        const [a, b, c] = [await create("a"), await create("b"), await create("c")];
        next();
        for (const [kind, olds, news] of [
            ["ContentReadiness", { contentIds: [], contents: [] }, { contentIds: [] }],
            ["ContentLibrary", { contents: {} }, { contents: {} }],
        ] as const)
            for (const name of ["a", "b"])
                await process.host(kind).diff({ urn: urnOf(name, kind), id: `${name}-${kind}`, olds, news });
        await process.diff(a, inputs, { urn: urnOf("a") });
        for (const { id } of [b, c]) machine.core.deleteContent(id);
        await Promise.all([process.delete(b, { urn: urnOf("b") }), process.delete(c, { urn: urnOf("c") })]);
        assert.ok(!machine.since().some((request) => request.includes("-Content")));
    });

    it("W11: a content and a livestream with one id have properties of their own", async () => {
        const { id } = await process.create(inputs);
        const olds = { title: "Stage", description: "live" };
        await process.livestream.diff({ urn: urnOf("stage", "Livestream"), id, olds, news: { title: "Stage" } });
        const { title, description } = process.session.claims.propertiesOf(id) ?? {};
        assert.deepEqual({ title, description }, { title: inputs.title, description: undefined });
    });

    it("W11: the refresh of a native .get leaves the open create of the resource that has the object alone", async () => {
        process.isEnding = true;
        const { id } = await process.create(inputs);
        process.isEnding = false;
        assert.equal(machine.files.size, 1);
        const stack = new NativeResource(machine.start().session, "Content");
        const urn = "urn:pulumi:other::other::videograph:index:Content::got";
        const got = new providerProto.ReadRequest().setId(id).setUrn(urn).setInputs(toStruct({}));
        const first = await machine.run(stack.read(got));
        await machine.run(stack.read(got.setProperties(first.getProperties())));
        assert.equal(machine.files.size, 1);
    });

    it("L5: a native type takes the importId that ignoreChanges gives it from the record of the dynamic one, and no other", async () => {
        const resource = new NativeResource(process.session, "Content");
        const check = async (importId: string) => {
            const request = new providerProto.CheckRequest().setUrn(nativeUrn);
            request.setOlds(toStruct({ ...inputs, importId: "c1" })).setNews(toStruct({ ...inputs, importId }));
            return (await resource.check(request)).getFailuresList().map((failure) => failure.getReason());
        };
        assert.deepEqual(await check("c1"), []);
        assert.match(String(await check("c2")), /VG8004/);
    });

    it("L8: the replacement of one resource keeps an object that another one has recorded too, or the engine imported for it", async () => {
        const b = { urn: urnOf("b") };
        for (const [what, steps] of Object.entries({
            "recorded before": [(made: Recorded) => process.diff(made, inputs, b), replaced],
            "recorded after": [replaced, (made: Recorded) => process.diff(made, inputs, b)],
            imported: [
                replaced,
                async ({ id, outputs: olds }: Recorded) => {
                    // With the marker of the other resource the import is refused.
                    machine.setMetadata(id, {});
                    await machine.run(process.content.find({ id, ...b, timeouts, isImport: true }));
                    await process.content.check({ ...b, olds, news: inputs });
                },
            ],
        })) {
            const made = await process.create(inputs);
            next();
            for (const step of steps) await step(made);
            await process.create(other);
            await process.delete(made);
            assert.ok(machine.ids.includes(made.id), what);
        }
        async function replaced(made: Recorded) {
            assert.equal((await process.diff(made, other)).kind, "replace");
        }
    });

    it("N1: deletes what `pulumi do` has read before, also twice in one process: no program has declared it", async () => {
        const verb = { urn: urnOf("Content") };
        for (const _ of ["once", "twice"]) {
            const made = await process.create(inputs, verb);
            await machine.run(process.content.find({ id: made.id, ...verb, timeouts, isImport: true }));
            await process.delete(made, verb);
            assert.deepEqual(machine.ids, []);
        }
    });

    for (const [what, fault, isDeclared, isNamed] of [
        ["A13: a destroy names interrupted creates of the stack, once", true, false, true],
        ["A13: a destroy names none that the program declares, whose create takes care of it", true, true, false],
        ["K9: a destroy names no create that the engine was given", false, false, false],
        ["A13: a destroy names no create that its own process is at, such as that of a library", "now", false, false],
    ] as const)
        it(what, async () => {
            const made = await process.create(inputs);
            const lost = urnOf("lost");
            if (fault) await loseCreate(lost);
            else await process.create(inputs, { urn: lost });
            if (fault !== "now") next();
            if (isDeclared) await process.content.check({ urn: lost, news: inputs });
            await process.delete(made);
            await process.delete(made);
            const named = messages.pendingCreates({ resources: 'Content "lost"' });
            assert.equal(process.said.filter((line) => line === named).length, isNamed ? 1 : 0);
        });

    describe("in a preview", () => {
        const { CheckRequest, CreateRequest, DiffRequest, ReadRequest, UpdateRequest } = providerProto;
        const struct = toStruct(inputs);
        const recorded = toStruct({ ...inputs, __meta: { v: 1, fingerprint: "" } });
        const attempt = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        const request = <T extends InstanceType<typeof DiffRequest> | InstanceType<typeof UpdateRequest>>(one: T) => {
            one.setUrn(nativeUrn).setId("recorded").setOlds(recorded).setNews(struct);
            return one;
        };
        const planned = new CreateRequest().setUrn(nativeUrn).setProperties(struct).setPreview(true);
        const got = new ReadRequest().setUrn(nativeUrn).setInputs(toStruct({}));
        type Call = (face: { native: NativeResource; content: ResourceHost }, id: string) => unknown;
        /** What the engine calls, for a resource whose create was killed before. */
        const calls: Record<string, Call> = {
            "a check": ({ content }) => content.check({ urn, news: { ...inputs, __attempt: attempt } }),
            "a native check": ({ native }) => native.check(new CheckRequest().setUrn(nativeUrn).setNews(struct)),
            "a diff": ({ content }) => content.diff({ urn, id: "recorded", olds: inputs, news: inputs }),
            "a native diff": ({ native }) => native.diff(request(new DiffRequest())),
            "a native create": ({ native }) => native.create(planned),
            "a native update": ({ native }) => native.update(request(new UpdateRequest()).setPreview(true)),
            "a native .get": ({ native }, id) => native.read(got.setId(id)),
            "a .get": ({ content }, id) => content.find({ urn, timeouts, id }),
        };
        for (const [what, call] of Object.entries(calls))
            it(`${what} writes nothing`, async () => {
                process.isEnding = true;
                const { id } = await process.create(inputs);
                process.kill();
                const before = [...machine.files];
                const { session, content } = machine.start();
                const native = new NativeResource(session, "Content");
                await machine.run(Promise.resolve(call({ native, content }, id)));
                assert.deepEqual([...machine.files], before);
                assert.equal(before.length, 1);
            });
    });

    it("A13: an up that leaves a resource as it is names, once, an interrupted create of it", async () => {
        const made = await process.create(inputs);
        next();
        await loseCreate(urn);
        next();
        for (const changed of [inputs, { ...inputs, title: "Two" }]) await process.diff(made, changed);
        const named = messages.pendingCreates({ resources: 'Content "one"' });
        assert.deepEqual(process.said, [named]);
        // What replaces it takes it up.
        next();
        await process.diff(made, other);
        assert.ok(!process.said.includes(named));
    });
});
