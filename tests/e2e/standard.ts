/**
 * The tests that every resource has to pass: basic, every input, every change, every drift, disappearance, adoption,
 * reading, failed creates, export and import. What differs between resources is a {@link Kind}; all kinds are in one stack.
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

/** What becomes of one input of one resource: by the program, or from outside. */
interface Change extends Declared {
    readonly input: string;
    readonly step: "update" | "replace";
    /** The program's arguments afterwards. */
    readonly after: Args;
    /** The service's value afterwards. */
    readonly expected: unknown;
    readonly outside?: unknown;
}

const program = (all: readonly Declared[]) =>
    all.map(({ kind, name, args, options }) => declare(kind.className, name, args, options)).join("");

const importing = (id: string) => JSON.stringify({ import: id });

/** `most`: of so many inputs in each way. */
function changesOf(kind: Kind, testbed: Testbed, most: number): Change[] {
    const change = (
        what: string,
        input: string,
        more: Omit<Change, keyof Declared | "input" | "after"> & { after?: Args },
    ) => {
        const name = `${kind.className} ${what} ${input}`;
        const args: Args = { ...kind.every(testbed), title: name };
        return { kind, name, args, input, ...more, after: { ...args, ...more.after } };
    };
    const entries = (values: Args) => Object.entries(values).slice(0, most);
    return [
        ...entries(kind.inPlace).map(([input, expected]) =>
            change("updated", input, { step: "update", after: { [input]: expected }, expected }),
        ),
        ...entries(kind.replacing(testbed)).map(([input, expected]) =>
            change("replaced", input, { step: "replace", after: { [input]: expected }, expected }),
        ),
        ...entries(kind.reset).map(([input, expected]) =>
            change("without", input, { step: "update", after: { [input]: undefined }, expected }),
        ),
        ...entries(kind.drift).map(([input, outside]) => {
            const step = input in kind.inPlace ? "update" : "replace";
            const drifted = change("drifted", input, { step, expected: undefined, outside });
            return { ...drifted, expected: drifted.args[input] };
        }),
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

        it("live: created, left alone, exported, changed outside and by the program as an update plan says, gone, destroyed (L1, L2, L5, L6, L7)", async () => {
            // What decides is the same in both faces: every input through the plugin, whose runs are the cheaper ones.
            const most = face === "native" ? Number.POSITIVE_INFINITY : 2;
            const changes = kinds.flatMap((kind) => changesOf(kind, testbed, most));
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
            if (face === "native") await stack.import(await stack.export());
            assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

            // What is declared is shown, and what is not is not managed.
            for (const one of changes) {
                if (one.outside !== undefined) one.kind.change(testbed.emulator, id(one), one.input, one.outside);
            }
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
                if (one.outside === undefined) continue;
                const { inputs = {} } = await stack.resource(one.name);
                assert.deepEqual(inputs[one.input], one.outside, `The state does not show that ${one.name}`);
            }

            const changed = changes.map((one) => ({ ...one, args: one.after }));
            await stack.program(program([...changed, ...minimal, ...gone]));
            testbed.emulator.clearRequests();
            // The run is bound to the plan of the preview.
            stack.env.PULUMI_EXPERIMENTAL = "true";
            const planned = (await stack.planned("--save-plan=plan.json")).filter(
                (step) => !/^(create|delete)-/.test(step),
            );
            const steps = [...changes, ...gone.map(({ name }) => ({ step: "create", name }))];
            assert.deepEqual(planned.sort(), steps.map(({ step, name }) => `${step} ${name}`).sort());
            assert.deepEqual(sent(testbed.emulator), []);
            await stack.up("--plan=plan.json");
            const after = await idsOf(stack);
            for (const one of changes) {
                const now = after[one.name] ?? "";
                const value = one.kind.property(object(now), one.input);
                assert.deepEqual(value, one.expected, `${one.name}: the service has another value`);
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
        if (face === "dynamic") {
            importIdTest();
            getTest();
        } else {
            importTest();
            refusedTest();
        }

        function getTest(): void {
            it("are read by get and not owned", async () => {
                const ids = new Map(kinds.map((kind) => [kind, kind.add(testbed.emulator, kind.every(testbed))]));
                const get = ({ className }: Kind, id?: string) => `{
                const got = videograph.${className}.get("${className}", "${id}");
                exports.${className} = { title: got.title, playbackUrl: got.playbackUrl, tags: got.tags };
            }`;
                const stack = await testbed.stack(kinds.map((kind) => get(kind, ids.get(kind))).join("\n"));
                const read = async () => (await stack.outputs()) as Record<string, Record<string, unknown>>;
                await stack.up();
                const first = await read();
                for (const [kind, id] of ids) {
                    const { title, tags, playbackUrl } = first[kind.className] ?? {};
                    assert.equal(title, object(id).title);
                    assert.deepEqual(tags, kind.every(testbed).tags);
                    assert.equal(typeof playbackUrl, "string");
                    kind.change(testbed.emulator, id, "title", "Changed outside");
                }
                await stack.up();
                const second = await read();
                for (const { className } of kinds) {
                    assert.equal(second[className]?.title, "Changed outside");
                    assert.ok((await stack.resource(className)).external);
                }
                // Deleted by its owner, it leaves the state; the program has to go without it.
                const [gone] = [...ids.values()];
                for (const [kind, id] of ids) if (id === gone) kind.remove(testbed.emulator, id);
                await stack.refresh();
                assert.equal((await stack.resources()).length, kinds.length - 1);
                await stack.destroy();
                assert.equal(objects().size, kinds.length - 1, "Destroying the stack deleted what it only read");
            });
        }

        /** Which face it is makes no difference. */
        function refusedTest(): void {
            it("leave nothing of a create that is refused and keep their id when an update is; the next up finishes it (L4)", async () => {
                const titled = (title: string) => program(each("one", (kind) => ({ ...kind.minimal(testbed), title })));
                const refused = async (method: string, status: number) => {
                    const fault = testbed.emulator.inject({ kind: "status", status, method });
                    testbed.emulator.clearRequests();
                    await stack.upOfAllFails(new RegExp(String(status)));
                    fault.remove();
                    assert.equal(
                        sentBy(testbed.emulator, method).length,
                        kinds.length,
                        "What is refused must not be sent again",
                    );
                };
                const stack = await testbed.stack(titled("One"));
                await refused("POST", 400);
                await stack.up();
                const ids = await idsOf(stack);
                await stack.program(titled("Another title"));
                await refused("PUT", 422);
                await stack.up();
                assert.deepEqual(await idsOf(stack), ids);
                assert.deepEqual([...objects().keys()].sort(), Object.values(ids).sort());
                for (const { title } of objects().values()) assert.equal(title, "Another title");
            });
        }

        function importIdTest(): void {
            it("are adopted by importId, equal those that are created, and the preview after it is empty (L8)", async () => {
                const ids = new Map(kinds.map((kind) => [kind, kind.add(testbed.emulator, kind.every(testbed))]));
                const before = objects().size;
                const created = each("created", (kind) => kind.every(testbed));
                const adopted = each("adopted", (kind) => ({ ...kind.every(testbed), importId: ids.get(kind) }));
                const missing = each("missing", (kind) => ({
                    ...kind.minimal(testbed),
                    importId: `no-such-id-of-${kind.className}`,
                }));
                const stack = await testbed.stack(program([...created, ...adopted, ...missing]));
                await stack.upOfAllFails(/no-such-id/);
                assert.equal(objects().size, before + created.length);
                const resources = await idsOf(stack);
                assert.equal(Object.keys(resources).length, created.length + adopted.length);
                const keys = async (name: string) => Object.keys((await stack.resource(name)).outputs ?? {}).sort();
                for (const [kind, id] of ids) {
                    assert.equal(resources[`${kind.className} adopted`], id);
                    assert.deepEqual(
                        (await keys(`${kind.className} adopted`)).filter((key) => key !== "importId"),
                        await keys(`${kind.className} created`),
                    );
                }
                await stack.program(program([...created, ...adopted]));
                assert.deepEqual(await requestsOf(testbed.emulator, () => stack.preview("--expect-no-changes")), []);

                // Without importId nothing changes, and the object is owned from now on.
                await stack.program(program([...created, ...each("adopted", (kind) => kind.every(testbed))]));
                assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), []);
                assert.deepEqual(await idsOf(stack), resources);
                await stack.destroy();
                assert.equal(objects().size, 0);
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
                const made = await idsOf(stack);
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
                const imported = program([...own, ...command, ...withOption(option)]);
                await stack.program(imported);
                await stack.up();
                const ids = await idsOf(stack);
                for (const { name, id } of [...command, ...option]) assert.equal(ids[name], id);
                assert.deepEqual([...objects().keys()], all);
                for (const { id } of option) assert.equal(object(id).title, "Another title");
                // What an import could not read is known from the program by now.
                const moved = command.map((one) => ({ ...one, args: { ...one.args, ...one.kind.replacing(testbed) } }));
                await stack.program(program([...own, ...moved, ...withOption(option)]));
                // The refresh before it shows no change.
                const planned = (await stack.planned("--refresh")).filter((step) => /^(replace|update) /.test(step));
                assert.deepEqual(planned.sort(), command.map(({ name }) => `replace ${name}`).sort());

                const lost = own.map((one) => ({ ...one, id: made[one.name] ?? "" }));
                const urns = await Promise.all(lost.map(async ({ name }) => (await stack.resource(name)).urn));
                await stack.editState((resources) => resources.filter(({ urn }) => !urns.includes(urn)));
                const kept = [...command, ...option];
                const thieves = lost.map((one) => ({ ...one, name: `${one.name} of another` }));
                const nothing = each("missing", (kind) => kind.minimal(testbed)).map((one) => ({
                    ...one,
                    id: "no-such-id",
                }));
                await stack.program(program([...kept, ...withOption([...thieves, ...nothing])]));
                const refused = lost.map(({ name }) => new RegExp(`is already managed by Pulumi as e2e/test/${name}`));
                await stack.upOfAllFails(...refused, /no-such-id/);
                await stack.program(
                    program(each("missing", (kind) => ({ ...kind.minimal(testbed), importId: "an-id" }))),
                );
                await stack.previewFails(/importId.*resource option `import`/s);
                await stack.program(program([...kept, ...withOption(lost)]));
                await stack.up();
                assert.deepEqual(await idsOf(stack), ids);
                assert.deepEqual([...objects().keys()], all);
                await stack.program(program([...kept, ...own]));
                assert.deepEqual(await requestsOf(testbed.emulator, () => stack.preview("--expect-no-changes")), []);
                await stack.destroy();
                assert.equal(objects().size, 0);
            });
        }
    });
}

/** The ids in the state, by the resource's name. */
async function idsOf(stack: TestStack): Promise<Record<string, string | undefined>> {
    return Object.fromEntries((await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));
}
