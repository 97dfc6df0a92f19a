/**
 * The tests that every resource has to pass: basic, every input, every change, every drift, disappearance, adoption,
 * reading and import. What differs between resources is a {@link Kind}; all kinds are in one stack.
 */
import assert from "node:assert/strict";
import type { Emulator } from "videograph-emulator";
import type { Definition, Input } from "../../provider/dist/definitions/definition.js";
import { type Args, declare } from "../support/program.ts";
import { requestsOf, sent, sentBy } from "../support/requests.ts";
import { type Testbed, useTestbed } from "../support/testbed.ts";
import type { Face, TestStack } from "../support/testStack.ts";

/** An object as the service holds it, whichever kind it is of. */
export type ServiceObject = Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly metadata: readonly { key: string; value: string }[];
};

/** The names of a definition's inputs that are changed in one of these ways: a kind that lacks one does not compile. */
export type InputsOf<D extends Definition, Change extends Input["change"]> = {
    [Name in keyof D["inputs"]]: D["inputs"][Name]["change"] extends Change ? Name : never;
}[keyof D["inputs"]];

/** The same without those that the service never returns. */
export type ReturnedOf<D extends Definition, Change extends Input["change"]> = {
    [Name in InputsOf<D, Change>]: D["inputs"][Name] extends { writeOnly: true } ? never : Name;
}[InputsOf<D, Change>];

export interface Kind {
    readonly className: "Content" | "Clip" | "Livestream";
    /** The collection's path below the API's prefix. */
    readonly path: string;
    minimal(testbed: Testbed): Args;
    /** Every input there is, none with its default. */
    every(testbed: Testbed): Args;
    /** One other value for each input that changes in place, and for each that replaces. */
    readonly inPlace: Args;
    replacing(testbed: Testbed): Args;
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

/** A map as the service holds it. */
export function pairs(metadata: unknown): { key: string; value: string }[] {
    return Object.entries(metadata as Record<string, string>).map(([key, value]) => ({ key, value }));
}

/** One of a program's resources. */
interface Declared {
    readonly kind: Kind;
    readonly name: string;
    readonly args: Args;
    readonly options?: string;
}

/** What becomes of the inputs of one resource: by the program, or from outside. */
interface Change extends Declared {
    readonly step: "update" | "replace";
    /** The program's arguments afterwards. */
    readonly after: Args;
    /** The service's values afterwards. */
    readonly expected: Args;
    readonly outside: Args;
}

const program = (all: readonly Declared[]) =>
    all.map(({ kind, name, args, options }) => declare(kind.className, name, args, options)).join("");

const importing = (id: string) => JSON.stringify({ import: id });

function changesOf(kind: Kind, testbed: Testbed): Change[] {
    const change = (what: string, step: Change["step"], after: Args, expected = after): Change => {
        const name = `${kind.className} ${what}`;
        const args: Args = { ...kind.every(testbed), title: name };
        return { kind, name, args, step, after: { ...args, ...after }, expected, outside: {} };
    };
    const undeclared = (inputs: Args): Args =>
        Object.fromEntries(Object.keys(inputs).map((input) => [input, undefined]));
    const drifted = (step: Change["step"]): Change[] => {
        const outside = Object.entries(kind.drift).filter(([input]) => input in kind.inPlace === (step === "update"));
        const unchanged = change(`drifted, ${step}`, step, {});
        const expected = Object.fromEntries(outside.map(([input]) => [input, unchanged.args[input]]));
        return outside.length === 0 ? [] : [{ ...unchanged, expected, outside: Object.fromEntries(outside) }];
    };
    return [
        change("updated", "update", kind.inPlace),
        change("replaced", "replace", kind.replacing(testbed)),
        change("without", "update", undeclared(kind.reset), kind.reset),
        ...drifted("update"),
        ...drifted("replace"),
    ];
}

/** `native`: through the plugin, whose imports are the engine's own. */
export function standardTests(kinds: readonly Kind[], face: Face = "dynamic"): void {
    describe(`Resources of any kind (${face})`, () => {
        const testbed = useTestbed({}, face);
        const objects = () => new Map(kinds.flatMap((kind) => [...kind.objects(testbed.emulator)]));
        const object = (id: string) => objects().get(id) ?? assert.fail(`The service has no object ${id}`);
        const each = (name: string, args: (kind: Kind) => Args): Declared[] =>
            kinds.map((kind) => ({ kind, name: `${kind.className} ${name}`, args: args(kind) }));

        it("live: created, left alone, changed outside and by the program as an update plan says, gone, destroyed (L1, L2, L5, L6, L7)", async () => {
            const changes = kinds.flatMap((kind) => changesOf(kind, testbed));
            const minimal = each("minimal", (kind) => kind.minimal(testbed));
            const gone = each("gone", (kind) => kind.minimal(testbed));
            const stack = await testbed.stack(program([...changes, ...minimal, ...gone]));
            await stack.up();
            const ids = await idsOf(stack);
            assert.deepEqual([...objects().keys()].sort(), Object.values(ids).sort());
            const id = ({ name }: Declared) => ids[name] ?? assert.fail(`There is no ${name}`);
            assert.equal(sentBy(testbed.emulator, "POST").length, objects().size);
            for (const one of minimal) {
                const { outputs = {} } = await stack.resource(one.name);
                for (const name of one.kind.computed) assert.ok(outputs[name], `The output ${name} is missing`);
            }
            for (const one of changes) {
                const { outputs = {} } = await stack.resource(one.name);
                for (const [name, value] of Object.entries(one.args)) {
                    assert.deepEqual(
                        one.kind.property(object(id(one)), name),
                        value,
                        `The service has another ${name}`,
                    );
                    if (JSON.stringify(outputs[name]).includes("ciphertext")) continue;
                    assert.deepEqual(outputs[name], value, `The state has another ${name}`);
                }
            }
            assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

            // What is declared is shown, and what is not is not managed.
            for (const one of changes)
                for (const [input, value] of Object.entries(one.outside))
                    one.kind.change(testbed.emulator, id(one), input, value);
            const undeclared = minimal.flatMap((one) =>
                Object.entries(one.kind.drift)
                    .filter(([name]) => !(name in one.args))
                    .map(([name, value]) => ({ ...one, property: name, value })),
            );
            for (const { property, value, ...one } of undeclared)
                one.kind.change(testbed.emulator, id(one), property, value);
            for (const one of gone) one.kind.remove(testbed.emulator, id(one));
            testbed.emulator.clearRequests();
            const shown = await stack.attempt("refresh", "--yes", "--skip-preview", "--diff", "--expect-no-changes");
            assert.equal(shown.code, 7, "A refresh that expects no changes should have ended with 7");
            assert.deepEqual(
                sent(testbed.emulator)
                    .filter((request) => !gone.some((one) => request.endsWith(id(one))) && /\/.+\//.test(request))
                    .sort(),
                [...changes, ...minimal].map((one) => `GET ${one.kind.path}/${id(one)}`).sort(),
            );
            const left = await idsOf(stack);
            for (const { name } of gone) assert.equal(left[name], undefined);
            for (const one of changes) {
                const { inputs = {} } = await stack.resource(one.name);
                for (const [input, value] of Object.entries(one.outside))
                    assert.deepEqual(inputs[input], value, `${one.name}: the state does not show ${input}`);
            }

            const changed = changes.map((one) => ({ ...one, args: one.after }));
            await stack.program(program([...changed, ...minimal, ...gone]));
            testbed.emulator.clearRequests();
            // The run is bound to the plan of the preview.
            stack.env.PULUMI_EXPERIMENTAL = "true";
            const planned = await stack.plan("--save-plan=plan.json");
            const steps = [...changes, ...gone.map(({ name }) => ({ step: "create", name }))];
            assert.deepEqual(
                planned.flatMap(({ op, name }) => (/^(create|delete)-/.test(op) ? [] : `${op} ${name}`)).sort(),
                steps.map(({ step, name }) => `${step} ${name}`).sort(),
            );
            for (const { name, step, expected } of changes) {
                if (step !== "replace") continue;
                const { replaceReasons } = planned.find((one) => one.op === step && one.name === name) ?? {};
                assert.deepEqual(replaceReasons?.toSorted(), Object.keys(expected).sort(), name);
            }
            assert.deepEqual(sent(testbed.emulator), []);
            await stack.up("--plan=plan.json");
            const after = await idsOf(stack);
            for (const one of changes) {
                const now = after[one.name] ?? "";
                for (const [input, value] of Object.entries(one.expected))
                    assert.deepEqual(one.kind.property(object(now), input), value, `${one.name}: ${input}`);
                const updates = one.step === "update";
                assert.equal(now === id(one), updates, `${one.name} has ${updates ? "another" : "the same"} id`);
                const puts = sentBy(testbed.emulator, "PUT").filter(({ path }) => path.endsWith(`/${id(one)}`));
                assert.equal(puts.length, updates ? 1 : 0, `${one.name}: ${puts.length} PUTs`);
            }
            assert.equal(
                sentBy(testbed.emulator, "POST").length,
                changes.filter(({ step }) => step === "replace").length + gone.length,
            );
            for (const { property, value, ...one } of undeclared)
                assert.deepEqual(one.kind.property(object(id(one)), property), value);

            assert.deepEqual([...objects().keys()].sort(), Object.values(after).sort());

            for (const one of minimal) one.kind.remove(testbed.emulator, id(one));
            testbed.emulator.clearRequests();
            const there = [...objects().keys()];
            await stack.destroy();
            for (const one of there)
                assert.equal(
                    sentBy(testbed.emulator, "DELETE").filter(({ path }) => path.endsWith(`/${one}`)).length,
                    1,
                );
            assert.equal(objects().size, 0);
            assert.deepEqual(await stack.resources(), []);
        });

        // The engine asks no dynamic provider for an import, so these have importId; the native types have the engine's imports alone.
        // That `.get` reads in both faces: providers.test.ts.
        if (face === "dynamic") importIdTest();
        else importTest();

        function importIdTest(): void {
            it("are adopted by importId, equal those that are created, and the preview after it is empty (L8); those that get reads are not owned", async () => {
                const add = (kind: Kind) => kind.add(testbed.emulator, kind.every(testbed));
                const ids = new Map(kinds.map((kind) => [kind, add(kind)]));
                const others = new Map(kinds.map((kind) => [kind, add(kind)]));
                const created = each("created", (kind) => kind.every(testbed));
                const owned = each("adopted", (kind) => kind.every(testbed));
                const adopted = each("adopted", (kind) => ({ ...kind.every(testbed), importId: ids.get(kind) }));
                const missing = each("missing", (kind) => ({
                    ...kind.minimal(testbed),
                    importId: `no-such-id-of-${kind.className}`,
                }));
                const got = [...others].map(([{ className }, id]) => {
                    const read = `videograph.${className}.get("${className} got", "${id}")`;
                    return `exports.${className} = ${read}.title;\n`;
                });
                const written = (...all: Declared[]) => program(all) + got.join("");
                const reads = [...others].map(([{ path }, id]) => `GET ${path}/${id}`).sort();
                const stack = await testbed.stack(written(...created, ...adopted, ...missing));
                await stack.upOfAllFails(/no-such-id/);
                assert.equal(objects().size, ids.size + others.size + created.length);
                const resources = await idsOf(stack);
                assert.equal(Object.keys(resources).length, created.length + adopted.length + got.length);
                const keys = async (name: string) => Object.keys((await stack.resource(name)).outputs ?? {}).sort();
                for (const [kind, id] of ids) {
                    assert.equal(resources[`${kind.className} adopted`], id);
                    assert.deepEqual(
                        (await keys(`${kind.className} adopted`)).filter((key) => key !== "importId"),
                        await keys(`${kind.className} created`),
                    );
                }
                await stack.program(written(...created, ...adopted));
                const preview = () => stack.preview("--expect-no-changes");
                assert.deepEqual((await requestsOf(testbed.emulator, preview)).sort(), reads);

                // Without importId nothing changes, and the object is owned from now on.
                await stack.program(written(...created, ...owned));
                for (const [kind, id] of others) kind.change(testbed.emulator, id, "title", "Changed outside");
                assert.deepEqual((await requestsOf(testbed.emulator, () => stack.up())).sort(), reads);
                assert.deepEqual(await idsOf(stack), resources);
                const shown = await stack.outputs();
                for (const { className } of kinds) assert.equal(shown[className], "Changed outside");
                await stack.destroy();
                assert.deepEqual([...objects().keys()].sort(), [...others.values()].sort());
            });
        }

        function importTest(): void {
            it("are imported by the command and the resource option, after a loss of the state too, by one resource alone (L8, N2, S9)", async () => {
                const add = (kind: Kind) => kind.add(testbed.emulator, kind.every(testbed));
                const every = (name: string, title?: string) =>
                    each(name, (kind) => ({ ...kind.every(testbed), ...(title !== undefined && { title }) }));
                const command = every("command").map((one) => ({ ...one, id: add(one.kind) }));
                const option = every("option", "Another title").map((one) => ({ ...one, id: add(one.kind) }));
                const withOption = (all: (Declared & { id: string })[]) =>
                    all.map((one) => ({ ...one, options: importing(one.id) }));

                // The package's import puts the plugin where the command looks; `pulumi import` runs no program.
                const own = every("own");
                const stack = await testbed.stack(program(own));
                await stack.up();
                const lost = (await stack.resources()).map(({ id = "", urn }) => ({
                    ...(own.find(({ name }) => urn.endsWith(`::${name}`)) ?? assert.fail(urn)),
                    id,
                }));
                const all = [...objects().keys()];
                const file = JSON.stringify({
                    resources: command.map(({ kind: { className }, name, id }) => ({
                        ...{ type: `videograph:index:${className}`, name, id },
                    })),
                });
                await stack.write("import.json", file);
                const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
                await stack.run("import", "--file", "import.json", ...flags);
                // What the generated code says, and after it what the user knows beyond that.
                const generated = await Promise.all(
                    command.map(async (one) => ({ ...one, args: (await stack.resource(one.name)).inputs ?? {} })),
                );
                await stack.program(program([...own, ...generated]));
                assert.deepEqual(await requestsOf(testbed.emulator, () => stack.preview("--expect-no-changes")), []);

                const thieves = lost.map((one) => ({ ...one, name: `${one.name} of another` }));
                const nothing = each("missing", (kind) => kind.minimal(testbed)).map((one) => ({
                    ...one,
                    id: "no-such-id",
                }));
                const isOwn = (urn: string) => own.some(({ name }) => urn.endsWith(`::${name}`));
                await stack.editState((resources) => resources.filter(({ urn }) => !isOwn(urn)));
                await stack.program(program([...command, ...withOption([...option, ...thieves, ...nothing])]));
                const refused = lost.map(({ name }) => new RegExp(`is already managed by Pulumi as e2e/test/${name}`));
                await stack.upOfAllFails(...refused, /no-such-id/);
                await stack.program(program([...command, ...withOption([...option, ...lost])]));
                await stack.up();
                const ids = await idsOf(stack);
                const expected = [...command, ...option, ...lost].map(({ name, id }) => [name, id]);
                assert.deepEqual(ids, Object.fromEntries(expected));
                assert.deepEqual([...objects().keys()], all);
                for (const { id } of option) assert.equal(object(id).title, "Another title");
                // What an import could not read is known from the program by now. The refresh shows no other change.
                const moved = command.map((one) => ({ ...one, args: { ...one.args, ...one.kind.replacing(testbed) } }));
                await stack.program(program([...own, ...moved, ...option]));
                const planned = (await stack.planned("--refresh")).filter((step) => /^(replace|update) /.test(step));
                assert.deepEqual(planned.sort(), command.map(({ name }) => `replace ${name}`).sort());
            });
        }
    });
}

/** The ids in the state, by the resource's name. */
async function idsOf(stack: TestStack): Promise<Record<string, string | undefined>> {
    return Object.fromEntries((await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));
}
