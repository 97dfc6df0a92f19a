/**
 * The tests that every resource has to pass: basic, every input, every change, every drift, disappearance, adoption,
 * reading, failed creates, export and import. What differs between resources is a {@link Kind}.
 */
import assert from "node:assert/strict";
import type { Emulator } from "videograph-emulator";
import { type Lab, useLab } from "../support/lab.ts";
import { type Args, declare, declareAll } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import type { Face } from "../support/testStack.ts";

/** An object as the service holds it, whichever kind it is of. */
export type ServiceObject = Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly metadata: readonly { key: string; value: string }[];
};

export interface Kind {
    readonly className: "Content" | "Livestream";
    /** The collection's path below the API's prefix. */
    readonly path: string;
    minimal(lab: Lab): Args;
    /** Every input there is, none with its default. */
    every(lab: Lab): Args;
    /** One other value for each input that changes in place, and for each that replaces. */
    readonly inPlace: Args;
    replacing(lab: Lab): Args;
    /** What resets an input that is taken out of the program. */
    readonly reset: Args;
    /** One change from outside for each managed property that the service shows, in the program's spelling. */
    readonly drift: Args;
    /** The outputs a created object must have besides its inputs. */
    readonly computed: readonly string[];
    objects(emulator: Emulator): Map<string, ServiceObject>;
    change(emulator: Emulator, id: string, property: string, value: unknown): void;
    remove(emulator: Emulator, id: string): void;
    /** Adds an object from outside that fits the arguments; returns its id. */
    add(emulator: Emulator, args: Args): string;
    /** The object's property in the program's spelling, without the mark. */
    property(object: ServiceObject, name: string): unknown;
}

/** The pairs a program knows of: all but the mark of the create. */
export function metadataOf(object: ServiceObject): Record<string, string> {
    return Object.fromEntries(
        object.metadata.filter(({ key }) => key !== "managed_by").map(({ key, value }) => [key, value]),
    );
}

/** The POSTs that make an object: items of an adopted one are set by others. */
function createsOf({ path }: Kind, { emulator }: Lab) {
    return sentBy(emulator, "POST").filter((request) => request.path.endsWith(path));
}

/** A map as the service holds it. */
export function pairs(metadata: unknown): { key: string; value: string }[] {
    return Object.entries(metadata as Record<string, string>).map(([key, value]) => ({ key, value }));
}

/** `native`: through the plugin, whose imports are the engine's own. */
export function standardTests(kind: Kind, face: Face = "dynamic"): void {
    describe(`${kind.className}, as any resource (${face})`, function () {
        this.timeout(180_000);
        const lab = useLab({}, face);
        const objects = () => kind.objects(lab.emulator);
        const object = (id: string) => objects().get(id) ?? assert.fail(`The service has no object ${id}`);
        const one = (args: Args, options?: string) => declare(kind.className, "one", args, options);

        it("is created, changes nothing the second time, is refreshed by one GET and destroyed (L1, L2, L6, L7)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)));
            await stack.up();
            const id = await stack.resourceId("one");
            assert.deepEqual([...objects().keys()], [id]);
            assert.equal(sentBy(lab.emulator, "POST").length, 1);
            const { outputs = {} } = await stack.resource("one");
            for (const name of kind.computed) assert.ok(outputs[name], `The output ${name} is missing`);

            const quiet = async () => {
                await stack.up("--expect-no-changes");
                await stack.preview("--expect-no-changes");
            };
            assert.deepEqual(await requestsOf(lab.emulator, quiet), []);
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.refresh("--expect-no-changes")), [
                `GET ${kind.path}/${id}`,
            ]);

            await stack.destroy();
            assert.equal(objects().size, 0);
            assert.equal(sentBy(lab.emulator, "DELETE").length, 1);
            assert.deepEqual(await stack.resources(), []);
        });

        it("takes every input, and the service shows each (L2)", async () => {
            const every = kind.every(lab);
            const stack = await lab.stack(one(every));
            await stack.up();
            const id = await stack.resourceId("one");
            for (const [name, value] of Object.entries(every)) {
                assert.deepEqual(kind.property(object(id), name), value, `The service has another ${name}`);
            }
            const { outputs = {} } = await stack.resource("one");
            for (const [name, value] of Object.entries(every)) {
                if (typeof outputs[name] === "object" && JSON.stringify(outputs[name]).includes("ciphertext")) continue;
                assert.deepEqual(outputs[name], value, `The state has another ${name}`);
            }
            const quiet = () => stack.up("--expect-no-changes");
            assert.deepEqual(await requestsOf(lab.emulator, quiet), []);
            await stack.refresh("--expect-no-changes");
            assert.deepEqual(await stack.planned(), []);
            await stack.destroy();
            assert.equal(objects().size, 0);
        });

        it("changes in place what can be and replaces for the rest, one resource per input (L5)", async () => {
            const every = kind.every(lab);
            const replacing = kind.replacing(lab);
            const names = [...Object.keys(kind.inPlace), ...Object.keys(replacing)];
            const base = Object.fromEntries(names.map((name) => [name, { ...every, title: `For ${name}` }]));
            const stack = await lab.stack(declareAll(kind.className, base));
            await stack.up();
            const before = new Map(
                await Promise.all(names.map(async (name) => [name, await stack.resourceId(name)] as const)),
            );

            const changes = { ...kind.inPlace, ...replacing };
            const changed = names.map((name) => [name, { ...base[name], [name]: changes[name] }] as const);
            await stack.program(declareAll(kind.className, Object.fromEntries(changed)));
            const planned = await stack.planned();
            for (const name of Object.keys(kind.inPlace))
                assert.ok(planned.includes(`update ${name}`), `${name}: ${planned}`);
            for (const name of Object.keys(replacing))
                assert.ok(planned.includes(`replace ${name}`), `${name}: ${planned}`);
            assert.equal(planned.filter((step) => step.startsWith("update ")).length, Object.keys(kind.inPlace).length);

            lab.emulator.clearRequests();
            await stack.up();
            for (const name of names) {
                const id = await stack.resourceId(name);
                assert.deepEqual(kind.property(object(id), name), changes[name], `The service has another ${name}`);
                const puts = sentBy(lab.emulator, "PUT").filter(({ path }) => path.endsWith(`/${before.get(name)}`));
                const inPlace = name in kind.inPlace;
                assert.equal(id === before.get(name), inPlace, `${name} has ${inPlace ? "another" : "the same"} id`);
                assert.equal(puts.length, inPlace ? 1 : 0, `The change of ${name} took ${puts.length} PUTs`);
            }
            assert.equal(sentBy(lab.emulator, "POST").length, Object.keys(replacing).length);
            assert.equal(objects().size, names.length);
            assert.deepEqual(await stack.planned(), []);
            await stack.destroy();
            assert.equal(objects().size, 0);
        });

        it("resets an input that is taken out, once (L5)", async () => {
            const names = Object.keys(kind.reset);
            const every = kind.every(lab);
            const base = Object.fromEntries(names.map((name) => [name, { ...every, title: `Without ${name}` }]));
            const stack = await lab.stack(declareAll(kind.className, base));
            await stack.up();
            const without = names.map((name) => [name, { ...base[name], [name]: undefined }] as const);
            await stack.program(declareAll(kind.className, Object.fromEntries(without)));
            lab.emulator.clearRequests();
            await stack.up();
            assert.equal(sentBy(lab.emulator, "PUT").length, names.length);
            assert.equal(sentBy(lab.emulator, "POST").length, 0);
            for (const name of names) {
                const id = await stack.resourceId(name);
                assert.deepEqual(kind.property(object(id), name), kind.reset[name], `${name} is not reset`);
            }
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
            await stack.refresh("--expect-no-changes");
        });

        it("shows each change made outside on refresh, and the next up restores it (L6)", async () => {
            const names = Object.keys(kind.drift);
            const every = kind.every(lab);
            const all: Record<string, Args> = Object.fromEntries(
                names.map((name) => [name, { ...every, title: `Drift of ${name}` }]),
            );
            const stack = await lab.stack(declareAll(kind.className, { ...all, untouched: kind.minimal(lab) }));
            await stack.up();
            const ids = new Map(
                await Promise.all(names.map(async (name) => [name, await stack.resourceId(name)] as const)),
            );
            for (const [name, id] of ids) kind.change(lab.emulator, id, name, kind.drift[name]);

            lab.emulator.clearRequests();
            const shown = await stack.attempt("refresh", "--yes", "--skip-preview", "--diff", "--expect-no-changes");
            assert.equal(shown.code, 7, "A refresh that expects no changes should have ended with 7");
            assert.equal(sentBy(lab.emulator, "GET").length, names.length + 1, "A refresh takes one GET per resource");
            assert.equal(lab.emulator.requests.length, names.length + 1);
            for (const name of names) {
                const { inputs = {} } = await stack.resource(name);
                assert.deepEqual(inputs[name], kind.drift[name], `The state does not show the drift of ${name}`);
            }

            const planned = await stack.planned();
            assert.ok(!planned.some((step) => step.endsWith(" untouched")), `It plans ${planned}`);
            for (const name of names) {
                const step = name in kind.inPlace ? "update" : "replace";
                assert.ok(planned.includes(`${step} ${name}`), `${name} drifted, but the plan is ${planned}`);
            }
            await stack.up();
            for (const name of names) {
                const id = await stack.resourceId(name);
                assert.deepEqual(kind.property(object(id), name), all[name]?.[name], `${name} is not restored`);
                if (name in kind.inPlace) assert.equal(id, ids.get(name));
            }
            assert.equal(objects().size, names.length + 1);
            await stack.refresh("--expect-no-changes");
            assert.deepEqual(await stack.planned(), []);
        });

        it("does not manage what is not declared (L6)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)));
            await stack.up();
            const id = await stack.resourceId("one");
            const declared = Object.keys(kind.minimal(lab));
            for (const [name, value] of Object.entries(kind.drift)) {
                if (!declared.includes(name)) kind.change(lab.emulator, id, name, value);
            }
            await stack.refresh();
            assert.deepEqual(await stack.planned(), []);
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
            for (const [name, value] of Object.entries(kind.drift)) {
                if (!declared.includes(name)) assert.deepEqual(kind.property(object(id), name), value);
            }
        });

        it("leaves the state when it disappears, and the next up recreates it (L6)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)) + declare(kind.className, "stays", kind.minimal(lab)));
            await stack.up();
            const id = await stack.resourceId("one");
            kind.remove(lab.emulator, id);
            await stack.refresh();
            assert.deepEqual(
                (await stack.resources()).map(({ urn }) => urn.split("::").at(-1)),
                ["stays"],
            );
            assert.deepEqual(await stack.planned(), ["create one"]);
            await stack.up();
            assert.notEqual(await stack.resourceId("one"), id);
            assert.equal(objects().size, 2);
        });

        it("is destroyed although it is already gone (L7)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)));
            await stack.up();
            kind.remove(lab.emulator, await stack.resourceId("one"));
            await stack.destroy();
            assert.deepEqual(await stack.resources(), []);
        });

        // The engine asks no dynamic provider for an import, so these have importId; the native types have the engine's imports alone.
        if (face === "dynamic") importIdTests(kind, lab);
        else importTests(kind, lab);

        it("reads an existing object by get without owning it", async () => {
            const every = kind.every(lab);
            const id = kind.add(lab.emulator, every);
            const get = (wanted: string) => `
                const got = videograph.${kind.className}.get("got", "${wanted}");
                exports.title = got.title;
                exports.playbackUrl = got.playbackUrl;
                exports.tags = got.tags;`;
            const stack = await lab.stack(get(id));
            await stack.up();
            const { title, tags, playbackUrl } = await stack.outputs();
            assert.equal(title, object(id).title);
            assert.deepEqual(tags, every.tags);
            assert.equal(typeof playbackUrl, "string");
            kind.change(lab.emulator, id, "title", "Changed outside");
            await stack.up();
            assert.equal((await stack.outputs()).title, "Changed outside");
            assert.ok((await stack.resource("got")).external);
            await stack.destroy();
            assert.ok(objects().has(id), "Destroying the stack deleted what it only read");

            await stack.program(get("no-such-id"));
            await stack.upFails(/no-such-id/);
        });

        it("is not recreated by an update that fails, and the next up finishes it (L4)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)));
            await stack.up();
            const id = await stack.resourceId("one");
            await stack.program(one({ ...kind.minimal(lab), title: "Another title" }));
            lab.emulator.inject({ kind: "status", status: 422, method: "PUT" });
            await stack.upFails(/422/);
            lab.emulator.clearFaults();
            await stack.up();
            assert.equal(await stack.resourceId("one"), id);
            assert.equal(object(id).title, "Another title");
            assert.equal(objects().size, 1);
        });

        it("leaves nothing behind when its create is refused, for destroy and for the next up (L4)", async () => {
            const stack = await lab.stack(one(kind.minimal(lab)));
            const fault = lab.emulator.inject({ kind: "status", status: 400, method: "POST" });
            await stack.upFails(/400/);
            assert.equal(sentBy(lab.emulator, "POST").length, 1, "A refused create must not be sent again");
            await stack.destroy();
            fault.remove();
            await stack.up();
            assert.equal(objects().size, 1);
        });

        it("survives export and import of its state", async () => {
            const stack = await lab.stack(one(kind.every(lab)));
            await stack.up();
            const id = await stack.resourceId("one");
            await stack.import(await stack.export());
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
            await stack.refresh("--expect-no-changes");
            await stack.program(one({ ...kind.every(lab), title: "After the import" }));
            await stack.up();
            assert.equal(object(id).title, "After the import");
            await stack.destroy();
            assert.equal(objects().size, 0);
        });
    });
}

function importIdTests(kind: Kind, lab: Lab): void {
    const objects = () => kind.objects(lab.emulator);
    const one = (args: Args, options?: string) => declare(kind.className, "one", args, options);

    it("takes over an existing object by importId, and the preview after it is empty (L8)", async () => {
        const every = kind.every(lab);
        const id = kind.add(lab.emulator, every);
        const created = await lab.stack(one(every));
        await created.up();
        const stack = await lab.stack(one({ ...every, importId: id }));
        lab.emulator.clearRequests();
        await stack.up();
        assert.equal(createsOf(kind, lab).length, 0);
        assert.equal(await stack.resourceId("one"), id);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.planned()), []);
        assert.deepEqual(await stack.planned(), []);
        const keys = async (from: typeof stack) => Object.keys((await from.resource("one")).outputs ?? {}).sort();
        assert.deepEqual(
            (await keys(stack)).filter((key) => key !== "importId"),
            await keys(created),
        );
        await stack.refresh("--expect-no-changes");

        // Another id is an error; taking it out changes nothing, and the object is owned from now on.
        await stack.program(one({ ...every, importId: `${id}-other` }));
        await stack.previewFails(/importId/);
        await stack.program(one(every));
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up()), []);
        assert.equal(await stack.resourceId("one"), id);
        await stack.destroy();
        assert.ok(!objects().has(id));
    });

    it("fails to take over what does not exist, and says so (L8)", async () => {
        const stack = await lab.stack(one({ ...kind.minimal(lab), importId: "no-such-id" }));
        await stack.upFails(/no-such-id/);
        assert.equal(objects().size, 0);
        assert.deepEqual(await stack.resources(), []);
    });
}

function importTests(kind: Kind, lab: Lab): void {
    const objects = () => kind.objects(lab.emulator);
    const one = (args: Args, options?: string) => declare(kind.className, "one", args, options);

    it("is imported by the command, and the preview after it is empty (N2)", async () => {
        const every = kind.every(lab);
        const id = kind.add(lab.emulator, every);
        const stack = await lab.stack("");
        // The package's import puts the plugin where the command looks; `pulumi import` runs no program.
        await stack.up();
        const imported = ["import", `videograph:index:${kind.className}`, "one", id, "--yes", "--skip-preview"];
        await stack.run(...imported, "--protect=false", "--generate-code=false");
        const { inputs = {} } = await stack.resource("one");
        lab.emulator.clearRequests();
        // What the generated code says, and after it what the user knows beyond that.
        await stack.program(one(inputs));
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.preview("--expect-no-changes")), []);
        await stack.program(one(every));
        await stack.up();
        assert.equal(createsOf(kind, lab).length, 0);
        assert.equal(await stack.resourceId("one"), id);
        await stack.refresh("--expect-no-changes");
        assert.deepEqual(await stack.planned(), []);
        await stack.destroy();
        assert.ok(!objects().has(id));
    });

    it("is imported by the resource option, and what differs is updated (L8)", async () => {
        const every = kind.every(lab);
        const id = kind.add(lab.emulator, every);
        const declared = { ...every, title: "Another title" };
        const stack = await lab.stack(one(declared, JSON.stringify({ import: id })));
        await stack.up();
        assert.equal(createsOf(kind, lab).length, 0);
        assert.equal(await stack.resourceId("one"), id);
        assert.equal(objects().get(id)?.title, "Another title");
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.preview("--expect-no-changes")), []);
        await stack.refresh("--expect-no-changes");
        await stack.program(one(declared));
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        await stack.destroy();
        assert.ok(!objects().has(id));
    });

    it("is imported again after its state was lost, and refused to another resource (S9)", async () => {
        const every = kind.every(lab);
        const stack = await lab.stack(one(every));
        await stack.up();
        const { urn, id } = await stack.resource("one");
        await stack.run("state", "delete", urn, "--yes");
        await stack.program(declare(kind.className, "other", every, JSON.stringify({ import: id })));
        await stack.upFails(/is already managed by Pulumi as e2e\/test\/one/);
        await stack.program(one(every, JSON.stringify({ import: id })));
        await stack.up();
        assert.equal(await stack.resourceId("one"), id);
        assert.deepEqual([...objects().keys()], [id]);
        assert.deepEqual(await stack.planned(), []);
        await stack.program(one(every));
        await stack.destroy();
        assert.equal(objects().size, 0);
    });

    it("fails to import what does not exist, and says how importId is replaced (L8)", async () => {
        const stack = await lab.stack(one(kind.minimal(lab), JSON.stringify({ import: "no-such-id" })));
        await stack.upFails(/no-such-id/);
        await stack.program(one({ ...kind.minimal(lab), importId: "an-id" }));
        await stack.previewFails(/importId.*resource option `import`/s);
        assert.equal(objects().size, 0);
    });
}
