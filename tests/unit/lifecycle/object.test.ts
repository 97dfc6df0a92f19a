/**
 * The lifecycle that all resources share, with a resource and a service of its own in virtual time: what is sent, what is
 * recorded, and what is kept when something fails (L4, L5, L8, S2, S3).
 */
import assert from "node:assert/strict";
import { ConnectionError } from "../../../provider/dist/api/errors.js";
import type { CallOptions } from "../../../provider/dist/api/index.js";
import { told } from "../../../provider/dist/create/recorded.js";
import type { Definition } from "../../../provider/dist/inputs/definition.js";
import { Interrupted, LifecycleError, NotFoundTrust, PartialFailure } from "../../../provider/dist/lifecycle/index.js";
import {
    type ManagedLifecycle,
    managed,
    type Resource,
    type Service,
    Unusable,
    type Waiting,
} from "../../../provider/dist/lifecycle/managed.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { WaitTimeout } from "../../../provider/dist/wait/watcher.js";
import {
    lost,
    missing,
    refused,
    stateOf,
    type Thing,
    type ThingProcess,
    ThingService,
    unavailable,
    urn,
} from "../../support/things.ts";
import { rejection } from "../api/support.ts";

type Properties = Record<string, unknown>;
type Told = Thing & { note?: string; size?: number };

const text = { kind: "string" } as const;
const part = {
    kind: "object",
    name: "Part",
    doc: "",
    fields: { name: { doc: "", type: text }, file: { doc: "", type: text } },
} as const;
const definition: Definition = {
    name: "Content",
    idName: "id",
    inputs: {
        title: { doc: "", type: text, change: "inPlace", required: true },
        note: { doc: "", type: text, change: "inPlace", empty: "" },
        metadata: { doc: "", type: { kind: "map" }, change: "inPlace", empty: {} },
        shape: { doc: "", type: text, change: "createOnly", requiredForCreate: "round or square" },
        parts: { doc: "", type: { kind: "list", of: part }, change: "perItem", itemKey: "name", writeOnly: true },
        wait: { doc: "", type: { kind: "boolean" }, change: "local" },
        importId: { doc: "", type: text, change: "local" },
    },
    outputs: { status: { doc: "", type: text }, size: { doc: "", type: { kind: "number" } } },
};
const timeouts = { create: 60_000, update: 50_000, delete: 40_000 };
const inputs = { title: "a", shape: "round" };
const message = (what: string) => what as Message;
const metaOf = (outputs: Properties) => outputs.__meta as Properties;

/** The body of a request, read as the service reads it. */
function read({ metadata, ...body }: Properties): Properties {
    if (metadata === undefined) return body;
    const pairs = metadata as { key: string; value: string }[];
    return { ...body, metadata: Object.fromEntries(pairs.map(({ key, value }) => [key, value])) };
}

describe("an object of the service", () => {
    let service: ThingService;
    let process: ThingProcess;
    /** With what each request was sent. */
    let sent: [string, unknown, CallOptions][];
    let waits: Waiting<Told>[];
    let lifecycle: ManagedLifecycle<Told>;
    let putFault: Error | undefined;
    let setItem: Service<Told>["setItem"];

    const resource: Resource<Told> = {
        definition,
        timeouts,
        service: () => {
            const kind = service.kind("round");
            const noted = <T>(request: string, body: unknown, options: CallOptions, act: () => Promise<T>) => {
                sent.push([request, body, options]);
                return act();
            };
            return {
                ...kind,
                get: (id, options) => noted(`GET ${id}`, undefined, options, () => kind.get(id, options)),
                remove: (id, options) => noted(`DELETE ${id}`, undefined, options, () => kind.remove(id, options)),
                post: (body, options) =>
                    noted("POST", body, options, async () => ({
                        object: await service.post(read({ ...body }) as unknown as Thing),
                    })),
                put: (id, body, options) =>
                    noted(`PUT ${id}`, body, options, () =>
                        service.answer(`PUT ${id}`, options.signal, () => {
                            if (putFault !== undefined) throw putFault;
                            const thing = service.things.find((one) => one.id === id);
                            Object.assign(thing ?? assert.fail(), read({ ...body }));
                        }),
                    ),
                setItem: (id, item, options) =>
                    noted(`ITEM ${id}`, item, options, async () => setItem?.(id, item, options)),
            };
        },
        hasInputs: ({ status }) => status !== "Making",
        due: () => undefined,
        isWaitDue: (_object, { wait }) => wait === true,
        wait: async (_object, waiting) => {
            waits.push(waiting);
            return waiting.service.get(waiting.id, {});
        },
        failure: (id, error) => message(`${id}: ${error instanceof Error ? error.message : error}`),
    };

    beforeEach(() => {
        service = new ThingService();
        [sent, waits, putFault, setItem] = [[], [], undefined, undefined];
        lifecycle = managed(resource);
        process = start();
    });

    function start(token = "token", trustAll = false): ThingProcess {
        const started = service.start({ token });
        const trust = new NotFoundTrust({ fingerprint: token, trustAll, clock: service.clock });
        Object.assign(started.operation.environment, { trust });
        return started;
    }

    const run = <T>(promise: Promise<T>) => service.clock.runUntil(promise);
    const create = (news: Properties = inputs) => run(lifecycle.create(news, process.operation));
    const update = (id: string, olds: Properties, news: Properties) =>
        run(lifecycle.update(id, olds, news, process.operation));
    const remove = (id: string, olds: Properties) => run(lifecycle.delete(id, olds, process.operation));
    const failed = (promise: Promise<unknown>) => rejection(PartialFailure, promise);
    const requests = () => sent.map(([request]) => request);
    /** What the requests since the last call were. */
    const since = () => {
        const all = requests();
        sent = [];
        return all;
    };
    const optionsOf = (start: string) => sent.find(([request]) => request.startsWith(start))?.[2] ?? assert.fail(start);
    const last = () => service.things[0] ?? assert.fail("There is no object");

    describe("that is created", () => {
        it("L1: is sent with its marker, and recorded with it, the credentials and the time", async () => {
            const { id, outputs } = await create({ ...inputs, metadata: { k: "v" }, wait: false });
            assert.deepEqual(requests(), ["POST"]);
            const { managed_by: marker, ...metadata } = last().metadata;
            assert.deepEqual(metadata, { k: "v" });
            assert.deepEqual(outputs, {
                ...{ ...inputs, metadata: { k: "v" }, wait: false, status: undefined, size: undefined },
                __meta: { v: 1, env: "token", unseen: service.clock.now(), mark: marker },
            });
            assert.equal(id, last().id);
            assert.equal(waits.length, 0);
        });

        it("L4: its POST is never cut off, and ends only where it was not sent", async () => {
            await create();
            const { signal, unlessSent, redactor } = optionsOf("POST");
            assert.equal(signal, undefined);
            assert.equal(unlessSent, process.operation.signal);
            assert.equal(redactor?.redact("of round"), "of [shape]");
        });

        it("L3: is waited for with its time limit, as a new one, and then has been seen", async () => {
            Object.assign(process.operation.timeouts, { update: 1 });
            const { id, outputs } = await create({ ...inputs, wait: true });
            assert.deepEqual(
                waits.map((waiting) => [waiting.id, waiting.fresh, waiting.deadline.left]),
                [[id, true, timeouts.create]],
            );
            assert.equal("unseen" in metaOf(outputs) && metaOf(outputs).unseen, undefined);
            Object.assign(process.operation.timeouts, { create: 7_000 });
            await create({ title: "b", shape: "round", wait: true });
            assert.equal(waits[1]?.deadline.left, 7_000);
        });

        it("L4: is not finished until what its answer lacked was read", async () => {
            const unfinished = { ...resource, isUnfinished: ({ size }: Told) => size === undefined };
            lifecycle = managed({ ...unfinished, isWaitDue: (_object, _inputs, meta) => meta.unfinished === true });
            const { outputs } = await create();
            assert.equal(metaOf(outputs).unfinished, undefined);
            assert.equal(waits.length, 1);
            lifecycle = managed(unfinished);
            assert.equal(metaOf((await create({ title: "b", shape: "round" })).outputs).unfinished, true);
            lifecycle = managed({ ...unfinished, isUnfinished: () => false });
            assert.equal(metaOf((await create({ title: "c", shape: "round" })).outputs).unfinished, undefined);
        });

        it("L4: is kept with its id and inputs when the wait fails", async () => {
            lifecycle = managed({ ...resource, wait: () => Promise.reject(new LifecycleError(message("no answer"))) });
            const { id, outputs, message: text } = await failed(create({ ...inputs, wait: true }));
            assert.equal(id, last().id);
            assert.equal(text, `${id}: no answer`);
            assert.equal(outputs.title, "a");
            assert.equal(typeof metaOf(outputs).unseen, "number");
            assert.equal(metaOf(outputs).mark, last().metadata.managed_by);
        });

        it("L4: has been seen where the wait has shown it, whatever became of it", async () => {
            const after = async (error: Error) => {
                service = new ThingService();
                process = start();
                lifecycle = managed({ ...resource, wait: () => Promise.reject(error) });
                const { outputs } = await failed(create({ ...inputs, wait: true }));
                return [outputs.status, typeof metaOf(outputs).unseen];
            };
            const shown = { ...service.add({ title: "other" }), status: "Failed" };
            assert.deepEqual(await after(new Unusable(message("broken"), shown)), ["Failed", "undefined"]);
            const waited = (status: string | undefined) => new WaitTimeout("1", { status }, 1);
            assert.deepEqual(await after(waited("Making")), [undefined, "undefined"]);
            assert.deepEqual(await after(waited(undefined)), [undefined, "number"]);
            assert.deepEqual(await after(Object.assign(new Error("odd"), { lastStatus: "Making" })), [
                undefined,
                "number",
            ]);
        });

        it("L4: that is found again is brought to what is declared, and is then as declared", async () => {
            service.posts.push({ accepted: 0, error: lost() });
            const { id, outputs } = await create({ ...inputs, note: "b", wait: true });
            assert.deepEqual(service.ids, [id]);
            assert.equal(outputs.note, "b");
            assert.equal(metaOf(outputs).unseen, undefined);
        });

        it("L5: that was created just now is not updated, whatever the answer tells of it", async () => {
            service.posts.push({ accepted: 0 });
            const post = service.post.bind(service);
            service.post = async (thing) => ({ ...(await post(thing)), title: "other" });
            const { outputs } = await create();
            assert.deepEqual(requests(), ["POST"]);
            assert.equal(outputs.title, "a");
        });

        it("L4: that is found again and cannot be updated says so, and is recorded as it is", async () => {
            process.kill();
            service.posts.push({ accepted: 0, error: lost() });
            service.fault = (request) =>
                service.count("POST") > 0 && request.startsWith("LIST") ? refused(403) : undefined;
            await assert.rejects(create({ ...inputs, note: "old" }));
            service.fault = () => undefined;
            process = start();
            putFault = refused();
            const { id, outputs, message: text } = await failed(create({ ...inputs, note: "new" }));
            assert.deepEqual(service.ids, [id]);
            assert.equal(
                text,
                `Content ${id} exists, but updating it failed: No such thing. It is kept; the next \`pulumi up\` updates it. [VG3007]`,
            );
            assert.equal(outputs.note, "old");
            assert.equal(outputs.shape, "round");
        });

        it("L4: that was handed over to the engine and cannot be confirmed is kept, unfinished", async () => {
            lifecycle = managed({ ...resource, wait: () => Promise.reject(new LifecycleError(message("no answer"))) });
            const first = await failed(create({ ...inputs, wait: true }));
            await told(process.journal, `${metaOf(first.outputs).mark}`);
            service.fault = () => refused(403);
            const { id, outputs } = await failed(create({ ...inputs, wait: true }));
            assert.equal(id, first.id);
            assert.deepEqual(metaOf(outputs), {
                ...{ v: 1, env: "token", mark: metaOf(first.outputs).mark },
                ...{ unseen: service.clock.now(), unfinished: true },
            });
            assert.deepEqual([outputs.title, outputs.shape], [undefined, "round"]);
        });
    });

    describe("that exists and is adopted", () => {
        it("L8: is recorded under the credentials in use, with the marker that its PUT gave it, and waited for as it is", async () => {
            const { id } = service.add({ title: "theirs", metadata: { k: "v" }, status: "Ready" });
            const { id: adopted, outputs } = await create({ title: "mine", importId: id, wait: true });
            assert.equal(adopted, id);
            assert.deepEqual(outputs, {
                ...{ title: "mine", importId: id, wait: true, status: "Ready", size: undefined },
                __meta: {
                    ...{ v: 1, env: "token", mark: last().metadata.managed_by, imported: true },
                    ...{ unseen: undefined, unfinished: undefined },
                },
            });
            assert.deepEqual(
                waits.map((waiting) => [waiting.id, waiting.fresh, waiting.deadline.left]),
                [[id, false, timeouts.create]],
            );
        });

        it("S9: gets a new marker where it has one of this very resource", async () => {
            const marker = "pulumi:project/dev/a:11111111-22222222-33333333-0-0123456789ab";
            const { operation } = process;
            Object.assign(operation, { urn: "urn:pulumi:dev::project::test:index:Thing::a" });
            const { id } = service.add({ title: "theirs", metadata: { managed_by: marker } });
            const { outputs } = await create({ title: "mine", importId: id });
            assert.notEqual(metaOf(outputs).mark, marker);
            assert.deepEqual(last().metadata, { managed_by: metaOf(outputs).mark });
        });
    });

    describe("that is read", () => {
        it("L6: shows what was changed, without the marker, and was seen under the credentials in use", async () => {
            const { id, outputs } = await create({ ...inputs, metadata: { k: "v" } });
            Object.assign(last(), { title: "other", status: "Ready", size: 3 });
            const olds = { ...outputs, __meta: { ...metaOf(outputs), unfinished: true } };
            process = start("rotated");
            const state = await run(lifecycle.read(id, olds, process.operation));
            const now = { title: "other", shape: "round", metadata: { k: "v" } };
            assert.deepEqual(state, {
                inputs: now,
                outputs: {
                    ...{ ...now, status: "Ready", size: 3 },
                    __meta: {
                        v: 1,
                        env: "rotated",
                        unfinished: undefined,
                        unseen: undefined,
                        mark: metaOf(outputs).mark,
                    },
                },
            });
        });

        it("L6: that is still being made has what only a create can set, as it was sent", async () => {
            const { id, outputs } = await create();
            Object.assign(last(), { shape: "square", status: "Making" });
            const state = () => run(lifecycle.read(id, outputs, process.operation));
            assert.equal((await state())?.outputs.shape, "round");
            Object.assign(last(), { status: "Ready" });
            assert.equal((await state())?.outputs.shape, "square");
        });

        it("L6: leaves the recorded inputs alone where nothing was changed, for outputs have what was given up", async () => {
            const { id, outputs } = await create();
            Object.assign(last(), { size: 4, status: "Ready" });
            const state = await run(lifecycle.read(id, outputs, process.operation));
            assert.deepEqual([state?.inputs, state?.outputs.size], [undefined, 4]);
        });

        it("L8: does not bring back an importId that the program may have given up", async () => {
            const { id } = service.add({ title: "mine" });
            const { outputs } = await create({ title: "mine", importId: id });
            const inputsAfter = async () => (await run(lifecycle.read(id, outputs, process.operation)))?.inputs;
            assert.equal(await inputsAfter(), undefined);
            Object.assign(last(), { title: "theirs" });
            assert.deepEqual(await inputsAfter(), { title: "theirs" });
        });

        it("S4: keeps what the service does not tell this time", async () => {
            const { id, outputs } = await create();
            const state = await run(lifecycle.read(id, { ...outputs, size: 5 }, process.operation));
            assert.equal(state?.outputs.size, 5);
        });

        it("S2: is gone when it is missing or being deleted", async () => {
            const { id, outputs } = await create();
            Object.assign(last(), { status: "Deleting" });
            assert.equal(await run(lifecycle.read(id, outputs, process.operation)), undefined);
            Object.assign(last(), { status: "Ready" });
            assert.ok(await run(lifecycle.read(id, outputs, process.operation)));
            service.things.length = 0;
            const seen = { ...outputs, __meta: { ...metaOf(outputs), unseen: undefined } };
            assert.equal(await run(lifecycle.read(id, seen, process.operation)), undefined);
        });

        it("ends with the process", async () => {
            const { id, outputs } = await create();
            process.interrupt();
            await assert.rejects(run(lifecycle.read(id, outputs, process.operation)), Interrupted);
            await assert.rejects(run(lifecycle.find(id, process.operation)), Interrupted);
        });
    });

    it("N2: that nothing manages is found with the inputs that a program would declare, or not at all", async () => {
        const { id } = service.add({ title: "theirs", metadata: { k: "v" }, status: "Ready" });
        Object.assign(last(), { note: "", size: 3 });
        const found = await run(lifecycle.find(id, process.operation));
        const { createdOn: _, ...declared } = { title: "theirs", metadata: { k: "v" }, shape: "round", createdOn: 0 };
        assert.deepEqual(found, {
            inputs: declared,
            outputs: { ...declared, note: "", status: "Ready", size: 3, __meta: { v: 1, env: "token" } },
        });
        assert.equal(await run(lifecycle.find("none", process.operation)), undefined);
    });

    describe("that is updated", () => {
        it("L5: with a request it was seen under the credentials in use; without one nothing was", async () => {
            const { id, outputs } = await create();
            process = start("rotated");
            const local = await update(id, outputs, { ...inputs, wait: false });
            assert.deepEqual(local.__meta, outputs.__meta);
            assert.deepEqual(since(), ["POST"]);
            const updated = await update(id, local, { ...inputs, note: "b", wait: false });
            assert.deepEqual(requests(), [`GET ${id}`, `PUT ${id}`]);
            assert.deepEqual(metaOf(updated), {
                ...{ v: 1, env: "rotated", unseen: undefined },
                mark: last().metadata.managed_by,
            });
            assert.deepEqual([updated.note, updated.wait], ["b", false]);
        });

        it("L5: is waited for by what the program declares now, with the update's time limit", async () => {
            const { id, outputs } = await create();
            await update(id, { ...outputs, wait: true }, inputs);
            assert.equal(waits.length, 0);
            const updated = await update(id, { ...outputs, status: "Making" }, { ...inputs, wait: true });
            assert.deepEqual(
                waits.map((waiting) => [waiting.fresh, waiting.deadline.left]),
                [[false, timeouts.update]],
            );
            assert.equal(metaOf(updated).unseen, undefined);
        });

        it("L5: is known by the recorded status where nothing is sent", async () => {
            const statuses: unknown[] = [];
            lifecycle = managed({
                ...resource,
                isWaitDue: ({ status }) => {
                    statuses.push(status);
                    return false;
                },
            });
            const { id, outputs } = await create();
            await update(id, { ...outputs, status: "Making" }, inputs);
            await update(id, { ...outputs, status: null }, inputs);
            assert.deepEqual(statuses, [undefined, "Making", undefined]);
        });

        it("S3: neither the recorded nor the declared inputs are repeated", async () => {
            const { id, outputs } = await create({ ...inputs, note: "recorded" });
            since();
            await update(id, outputs, { ...inputs, title: "declared" });
            const { redactor, signal } = optionsOf("PUT");
            assert.equal(redactor?.redact("recorded declared"), "[note] [title]");
            assert.equal(signal, process.operation.signal);
        });
    });

    describe("with parts", () => {
        const parts = ["one", "two", "three"].map((name) => ({ name, file: `${name}.txt` }));
        let id: string;
        let olds: Properties;
        beforeEach(async () => {
            ({ id, outputs: olds } = await create());
            since();
        });

        it("L4: an interrupt before one is sent leaves nothing in doubt", async () => {
            setItem = async () => process.interrupt();
            const { outputs, message: said } = await failed(update(id, olds, { ...inputs, parts }));
            assert.deepEqual(requests(), [`GET ${id}`, `ITEM ${id}`]);
            assert.deepEqual(outputs.parts, parts.slice(0, 1));
            assert.equal(metaOf(outputs).unsettled, undefined);
            assert.match(said, /parts\[1\] \(name "two"\) was not set/);
        });

        const failures: [string, Error, boolean, RegExp][] = [
            ["refused", refused(), false, /Its status is unknown;.*replaceOnChanges: \["parts"\].*VG4026/],
            ["without an answer", lost(), true, /but parts\[0\] \(name "one"\) was not set: The connection.*VG4023/],
            ["answered with an error", unavailable(), true, /VG4023/],
            ["never sent", new ConnectionError("No route.", { sent: false }), false, /VG4023/],
            ["that failed otherwise", new Error("odd"), true, /was not set: odd.*VG4023/],
            ["that failed as if refused", Object.assign(new Error("odd"), { outcome: "refused" }), true, /VG4023/],
        ];
        for (const [what, error, mayHave, said] of failures) {
            it(`L4: one ${what} is ${mayHave ? "in doubt" : "not there"}`, async () => {
                setItem = () => Promise.reject(error);
                const { outputs, message: text } = await failed(update(id, olds, { ...inputs, parts }));
                assert.match(text, said);
                assert.deepEqual(metaOf(outputs).unsettled, mayHave ? { parts: ["one"] } : undefined);
                assert.equal(outputs.parts, undefined);
            });
        }

        it("L8: of an adopted object are sent one by one, and recorded as they are accepted", async () => {
            const { id: importId } = service.add({ title: "theirs" });
            const { outputs } = await create({ title: "theirs", importId, parts });
            assert.deepEqual(requests(), [`GET ${importId}`, ...Array(3).fill(`ITEM ${importId}`)]);
            assert.deepEqual(outputs.parts, parts);
            const { signal, redactor } = optionsOf("ITEM");
            assert.equal(signal, process.operation.signal);
            assert.equal(redactor?.redact("one.txt"), "[parts[0].file]");
        });
    });

    describe("that is deleted", () => {
        let id: string;
        let olds: Properties;
        let after: string[];
        beforeEach(async () => {
            ({ id, outputs: olds } = await create());
            olds = { ...olds, __meta: { ...metaOf(olds), unseen: undefined } };
            after = [];
            lifecycle = managed({ ...resource, afterDelete: async (waiting) => void after.push(waiting.id) });
            since();
        });

        it("L7: is deleted with one request under its own credentials, with the delete's time limit", async () => {
            await remove(id, olds);
            assert.deepEqual(requests(), [`DELETE ${id}`]);
            assert.deepEqual(after, [id]);
            assert.deepEqual(service.ids, []);
            const { signal, deadline, redactor } = optionsOf("DELETE");
            assert.equal(signal, process.operation.signal);
            assert.equal(deadline?.left, timeouts.delete);
            assert.equal(redactor?.redact("of round"), "of [shape]");
        });

        it("S2: under other credentials is read first, and left alone where it is another one", async () => {
            process = start("rotated");
            await remove(id, olds);
            assert.deepEqual(since(), [`GET ${id}`, `DELETE ${id}`]);
            assert.deepEqual(after, [id]);
            const { id: other } = service.add({ title: "theirs", metadata: {} });
            process = start("foreign");
            await assert.rejects(remove(other, olds), /does not have its marker/);
            assert.deepEqual([since(), service.ids], [[`GET ${other}`], [other]]);
        });

        it("S2: under other credentials needs no request where it is surely gone", async () => {
            service.things.length = 0;
            process = start("rotated", true);
            await remove(id, olds);
            assert.deepEqual([requests(), after], [[`GET ${id}`], []]);
        });

        it("L7: that is gone already is deleted, and nothing follows", async () => {
            service.things.length = 0;
            await remove(id, olds);
            assert.deepEqual([requests(), after], [[`DELETE ${id}`], []]);
        });

        const whenDeleted = (error: Error) => {
            service.fault = (request) => (request.startsWith("DELETE") ? error : undefined);
        };

        it("L7: a refusal counts where the object is there, and is asked about first", async () => {
            whenDeleted(refused());
            await assert.rejects(remove(id, olds), /No such thing/);
            assert.deepEqual([requests(), after, service.ids], [[`DELETE ${id}`, `GET ${id}`], [], [id]]);
        });

        it("L7: a refusal means nothing while the object is being deleted, or once it is gone", async () => {
            whenDeleted(refused());
            Object.assign(last(), { status: "Deleting" });
            await remove(id, olds);
            assert.deepEqual(after, [id]);
            service.things.length = 0;
            await remove(id, olds);
            assert.deepEqual(after, [id]);
        });

        it("L7: no answer, and any other failure, is no delete, and nothing is asked", async () => {
            Object.assign(last(), { status: "Deleting" });
            for (const error of [
                unavailable(),
                lost(),
                new Error("odd"),
                Object.assign(new Error("odd"), { outcome: "refused" }),
            ]) {
                whenDeleted(error);
                await assert.rejects(remove(id, olds), (thrown) => thrown === error);
            }
            assert.deepEqual(new Set(requests()), new Set([`DELETE ${id}`]));
            assert.deepEqual(after, []);
        });

        it("S2: a new object that is not shown yet is not deleted by a 404", async () => {
            let refusals = 2;
            service.fault = (request) => (request.startsWith("DELETE") && refusals-- > 0 ? missing() : undefined);
            const fresh = { ...olds, __meta: { ...metaOf(olds), unseen: service.clock.now() } };
            await remove(id, fresh);
            assert.deepEqual([requests(), after, service.ids], [Array(3).fill(`DELETE ${id}`), [id], []]);
        });

        it("S2: a new object that cannot be read yet was refused all the same", async () => {
            let hidden = 2;
            service.fault = (request) =>
                request.startsWith("DELETE") ? refused() : hidden-- > 0 ? missing() : undefined;
            const fresh = { ...olds, __meta: { ...metaOf(olds), unseen: service.clock.now() } };
            await assert.rejects(remove(id, fresh), /No such thing/);
            assert.deepEqual([after, service.ids], [[], [id]]);
        });

        it("ends with the process, and is not deleted then", async () => {
            process.interrupt();
            await assert.rejects(remove(id, olds), Interrupted);
            assert.deepEqual(service.ids, [id]);
        });
    });

    describe("that replaces another", () => {
        let olds: Properties;
        let id: string;
        beforeEach(async () => {
            ({ id, outputs: olds } = await create());
            process.kill();
            process = start();
            service.state = stateOf({ has: [id] });
            since();
        });

        it("S2: is created without a look at the other under its own credentials, or where none is known", async () => {
            process.managers.noteRecorded(urn, { id, olds });
            await create({ ...inputs, shape: "square" });
            assert.deepEqual(since(), ["POST"]);
        });

        it("S2: is not created with the token of another environment, and one look shows that a token was rotated", async () => {
            process = start("rotated");
            process.managers.noteRecorded(urn, { id, olds });
            await create({ ...inputs, shape: "square" });
            assert.deepEqual(since(), [`GET ${id}`, "POST"]);
            process = start("foreign");
            process.managers.noteRecorded(urn, { id, olds });
            service.fault = (request) => (request === `GET ${id}` ? missing() : undefined);
            await assert.rejects(create({ ...inputs, shape: "oval" }), /recorded with other credentials/);
            assert.deepEqual(since(), [`GET ${id}`]);
        });
    });
});
