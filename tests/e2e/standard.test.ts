/**
 * The tests that every resource has to pass, with the types of both faces: basic, every input, every change, every drift, disappearance,
 * adoption, reading and import. What differs between resources is a {@link Kind}; all kinds are in one stack.
 */
import assert from "node:assert/strict";
import { factsOf } from "../../provider/dist/definitions/definition.js";
import { type Args, declare } from "../support/program.ts";
import type { Face } from "../support/projectFolder.ts";
import { requestsOf, sent, sentBy } from "../support/requests.ts";
import { step } from "../support/step.ts";
import { type Testbed, useTestbed } from "../support/testbed.ts";
import { type Kind, kinds } from "./kinds.ts";

const faces: readonly Face[] = ["dynamic", "native"];

/** One of a program's resources. */
interface Declared {
    readonly face: Face;
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

function program(all: readonly Declared[]): string {
    const declarations = all.map(({ face, kind, name, args, options }) =>
        declare(kind.definition.name, name, args, options).replace("videograph", face),
    );
    return declarations.join("");
}

const importing = (id: string) => JSON.stringify({ import: id });

/** One of the values of each input that has such a one: of those alone that are changed in this way. */
function inputsOf(
    kind: Kind,
    testbed: Testbed,
    which: "value" | "other" | "outside" | "reset",
    step?: Change["step"],
): Args {
    const isChanged = (input: string) =>
        step === undefined ||
        (factsOf(kind.definition.inputs.shape[input]).change === "inPlace") === (step === "update");
    const values = Object.entries(kind.inputs(testbed)).map(([input, values]) => [input, values[which]] as const);
    return Object.fromEntries(values.filter(([input, value]) => value !== undefined && isChanged(input)));
}

function changesOf(face: Face, kind: Kind, testbed: Testbed): Change[] {
    const change = (what: string, step: Change["step"], after: Args, expected = after): Change => {
        const name = `${face} ${kind.definition.name} ${what}`;
        const args: Args = { ...inputsOf(kind, testbed, "value"), title: name };
        return { face, kind, name, args, step, after: { ...args, ...after }, expected, outside: {} };
    };
    const drifted = (step: Change["step"]): Change[] => {
        const outside = inputsOf(kind, testbed, "outside", step);
        const inputs = Object.keys(outside);
        const unchanged = change(`drifted, ${step}`, step, {});
        const expected = Object.fromEntries(inputs.map((input) => [input, unchanged.args[input]]));
        return inputs.length === 0 ? [] : [{ ...unchanged, expected, outside }];
    };
    const reset = inputsOf(kind, testbed, "reset");
    const undeclared = Object.fromEntries(Object.keys(reset).map((input) => [input, undefined]));
    return [
        change("updated", "update", inputsOf(kind, testbed, "other", "update")),
        change("replaced", "replace", inputsOf(kind, testbed, "other", "replace")),
        change("without", "update", undeclared, reset),
        ...drifted("update"),
        ...drifted("replace"),
    ];
}

describe("Resources of any kind", () => {
    const testbed = useTestbed();
    const objects = () => new Map(kinds.flatMap((kind) => [...kind.objects(testbed.emulator)]));
    const object = (id: string) => objects().get(id) ?? assert.fail(`The service has no object ${id}`);
    const each = (face: Face, name: string, args: (kind: Kind) => Args): Declared[] =>
        kinds.map((kind) => ({ face, kind, name: `${face} ${kind.definition.name} ${name}`, args: args(kind) }));
    const inBothFaces = (name: string) => faces.flatMap((face) => each(face, name, (kind) => kind.minimal(testbed)));
    const every = (kind: Kind) => inputsOf(kind, testbed, "value");
    const add = (kind: Kind) => kind.add(testbed.emulator, every(kind));

    it("live: created, left alone, changed outside and by the program as an update plan says, gone, destroyed, in both faces (L1, L2, L5, L6, L7)", async () => {
        const changes = faces.flatMap((face) => kinds.flatMap((kind) => changesOf(face, kind, testbed)));
        const minimal = inBothFaces("minimal");
        const gone = inBothFaces("gone");
        const stack = await testbed.stack(program([...changes, ...minimal, ...gone]));
        await stack.up();
        const ids = await stack.ids();
        const id = ({ name }: Declared) => ids[name] ?? assert.fail(`There is no ${name}`);

        await step("L1: what is created is as declared, once, and the state has it", async () => {
            assert.deepEqual([...objects().keys()].sort(), Object.values(ids).sort());
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
        });

        await step("L2: a second run changes nothing and asks nothing", async () => {
            assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        });

        for (const one of changes)
            for (const [input, value] of Object.entries(one.outside))
                one.kind.change(testbed.emulator, id(one), input, value);
        const undeclared = minimal.flatMap((one) =>
            Object.entries(inputsOf(one.kind, testbed, "outside"))
                .filter(([name]) => !(name in one.args))
                .map(([name, value]) => ({ ...one, property: name, value })),
        );
        for (const { property, value, ...one } of undeclared)
            one.kind.change(testbed.emulator, id(one), property, value);
        for (const one of gone) one.kind.remove(testbed.emulator, id(one));
        // Of a livestream no status is a difference, and a key that was rotated outside is as secret as the first (S3).
        const statuses = ["Active", "Failed", "Something new"];
        for (const [index, { streamUUID }] of testbed.emulator.livestreams().entries())
            testbed.emulator.updateLivestream(streamUUID, {
                status: statuses[index % statuses.length] ?? "",
                streamKey: `rotated-stream-key-${index}`,
            });

        await step(
            "L6: a refresh shows what is declared and has changed, forgets what is gone, and reads each object once",
            async () => {
                testbed.emulator.clearRequests();
                const shown = await stack.attempt(
                    "refresh",
                    "--yes",
                    "--skip-preview",
                    "--diff",
                    "--expect-no-changes",
                );
                assert.equal(shown.code, 7, "A refresh that expects no changes should have ended with 7");
                assert.deepEqual(
                    sent(testbed.emulator)
                        .filter((request) => !gone.some((one) => request.endsWith(id(one))) && /\/.+\//.test(request))
                        .sort(),
                    [...changes, ...minimal].map((one) => `GET ${one.kind.path}/${id(one)}`).sort(),
                );
                const left = await stack.ids();
                for (const { name } of gone) assert.equal(left[name], undefined);
                for (const one of changes) {
                    const { inputs = {} } = await stack.resource(one.name);
                    for (const [input, value] of Object.entries(one.outside))
                        assert.deepEqual(inputs[input], value, `${one.name}: the state does not show ${input}`);
                }
            },
        );

        const changed = changes.map((one) => ({ ...one, args: one.after }));
        await stack.program(program([...changed, ...minimal, ...gone]));
        await step(
            "L5: a preview plans the update or the replacement of what has changed, for these reasons, and says once what a replacement ends",
            async () => {
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
                for (const { name, step, kind } of changes) {
                    const said = planned.find((one) => one.op === step && one.name === name)?.says.join("") ?? "";
                    const [line, ...more] = said.match(/.* gets a new id.*/g) ?? [];
                    assert.deepEqual([line !== undefined, more], [step === "replace", []], `${name} ${step}: ${said}`);
                    if (line !== undefined)
                        assert.equal(/stream key/.test(line), kind.definition.name === "Livestream", line);
                    if (line !== undefined) assert.match(line, /: https?:[^ ]*m3u8 ends|, and https?:[^ ]*m3u8 ends/);
                }
                assert.deepEqual(sent(testbed.emulator), []);
            },
        );

        await step(
            "L5: the run does what the plan says, with one PUT for each update, and leaves alone what is not declared",
            async () => {
                assert.doesNotMatch((await stack.up("--plan=plan.json")).output, /gets a new id/);
                const after = await stack.ids();
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
            },
        );

        await step("L7: a destroy deletes each object once, and ends well where some are gone", async () => {
            for (const one of minimal) one.kind.remove(testbed.emulator, id(one));
            testbed.emulator.clearRequests();
            const there = [...objects().keys()];
            await stack.destroy();
            for (const one of there) {
                const deletes = sentBy(testbed.emulator, "DELETE").filter(({ path }) => path.endsWith(`/${one}`));
                assert.equal(deletes.length, 1);
            }
            assert.equal(objects().size, 0);
            assert.deepEqual(await stack.resources(), []);
        });
    });

    // The engine asks no dynamic provider for an import, so these have importId; the native types have the engine's imports alone.
    // That `.get` reads in both faces: providers.test.ts.
    it("are adopted by importId, equal those that are created, and the preview after it is empty (L8); those that get reads are not owned (dynamic)", async () => {
        const ids = new Map(kinds.map((kind) => [kind, add(kind)]));
        const others = new Map(kinds.map((kind) => [kind, add(kind)]));
        const created = each("dynamic", "created", every);
        const owned = each("dynamic", "adopted", every);
        const adopted = owned.map((one) => ({ ...one, args: { ...one.args, importId: ids.get(one.kind) } }));
        const missing = each("dynamic", "missing", (kind) => ({
            ...kind.minimal(testbed),
            importId: `no-such-id-of-${kind.definition.name}`,
        }));
        const got = [...others].map(([{ definition }, id]) => {
            const read = `dynamic.${definition.name}.get("${definition.name} got", "${id}")`;
            return `exports.${definition.name} = ${read}.title;\n`;
        });
        const written = (...all: Declared[]) => program(all) + got.join("");
        const reads = [...others].map(([{ path }, id]) => `GET ${path}/${id}`).sort();
        const stack = await testbed.stack(written(...created, ...adopted, ...missing));
        const keys = async ({ name }: Declared) => Object.keys((await stack.resource(name)).outputs ?? {}).sort();
        let resources: Awaited<ReturnType<typeof stack.ids>> = {};
        await step(
            "L8: what is adopted has the object of its id and the outputs of a created one, and an id that is not there is an error",
            async () => {
                await stack.upOfAllFails(/no-such-id/);
                assert.equal(objects().size, ids.size + others.size + created.length);
                resources = await stack.ids();
                assert.equal(Object.keys(resources).length, created.length + adopted.length + got.length);
                for (const [index, one] of owned.entries()) {
                    assert.equal(resources[one.name], ids.get(one.kind));
                    const like = created[index] ?? assert.fail();
                    assert.deepEqual(
                        (await keys(one)).filter((key) => key !== "importId"),
                        await keys(like),
                    );
                }
            },
        );

        await step("L8: the preview after it is empty, and reads only what the program gets", async () => {
            await stack.program(written(...created, ...adopted));
            const preview = () => stack.preview("--expect-no-changes");
            assert.deepEqual((await requestsOf(testbed.emulator, preview)).sort(), reads);
        });

        await step("L8: without importId nothing changes, and the object is owned from now on", async () => {
            await stack.program(written(...created, ...owned));
            for (const [kind, id] of others) kind.change(testbed.emulator, id, "title", "Changed outside");
            assert.deepEqual((await requestsOf(testbed.emulator, () => stack.up())).sort(), reads);
            assert.deepEqual(await stack.ids(), resources);
            const shown = await stack.outputs();
            for (const { definition } of kinds) assert.equal(shown[definition.name], "Changed outside");
        });

        await step("L7: a destroy deletes what is owned, and nothing that get reads", async () => {
            await stack.destroy();
            assert.deepEqual([...objects().keys()].sort(), [...others.values()].sort());
        });
    });

    it("are imported by the command and the resource option, after a loss of the state too, by one resource alone (L8, N2, S9; native)", async () => {
        const command = each("native", "command", every).map((one) => ({ ...one, id: add(one.kind) }));
        const option = each("native", "option", (kind) => ({ ...every(kind), title: "Another title" })).map((one) => ({
            ...one,
            id: add(one.kind),
        }));
        const withOption = (all: (Declared & { id: string })[]) =>
            all.map((one) => ({ ...one, options: importing(one.id) }));

        // The package's import puts the plugin where the command looks; `pulumi import` runs no program.
        const own = each("native", "own", every);
        const stack = await testbed.stack(program(own));
        await stack.up();
        const made = await stack.ids();
        const lost = own.map((one) => ({ ...one, id: made[one.name] ?? assert.fail(one.name) }));
        const all = [...objects().keys()];
        const resources = command.map(({ kind: { definition }, name, id }) => ({
            ...{ type: `videograph:index:${definition.name}`, name, id },
        }));
        await step(
            "L8, N2: after `pulumi import` the preview of the generated code is empty, and asks nothing",
            async () => {
                await stack.write("import.json", JSON.stringify({ resources }));
                const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
                await stack.run("import", "--file", "import.json", ...flags);
                // What the generated code says, and after it what the user knows beyond that.
                const generated = await Promise.all(
                    command.map(async (one) => ({ ...one, args: (await stack.resource(one.name)).inputs ?? {} })),
                );
                await stack.program(program([...own, ...generated]));
                assert.deepEqual(await requestsOf(testbed.emulator, () => stack.preview("--expect-no-changes")), []);
            },
        );

        await step(
            "S9: what another resource has made is refused, also once the state is lost, and so is an id that is not there",
            async () => {
                const thieves = lost.map((one) => ({ ...one, name: `${one.name} of another` }));
                const nothing = each("native", "missing", (kind) => kind.minimal(testbed));
                const isOwn = (urn: string) => own.some(({ name }) => urn.endsWith(`::${name}`));
                await stack.editState((resources) => resources.filter(({ urn }) => !isOwn(urn)));
                const missing = nothing.map((one) => ({ ...one, id: "no-such-id" }));
                await stack.program(program([...command, ...withOption([...option, ...thieves, ...missing])]));
                const refused = lost.map(({ name }) => new RegExp(`is already managed by Pulumi as e2e/test/${name}`));
                await stack.upOfAllFails(...refused, /no-such-id/);
            },
        );

        await step(
            "L8: the resource option imports, also the own objects of a lost state, and brings them to what is declared",
            async () => {
                await stack.program(program([...command, ...withOption([...option, ...lost])]));
                await stack.up();
                const expected = [...command, ...option, ...lost].map(({ name, id }) => [name, id]);
                assert.deepEqual(await stack.ids(), Object.fromEntries(expected));
                assert.deepEqual([...objects().keys()], all);
                for (const { id } of option) assert.equal(object(id).title, "Another title");
            },
        );

        await step(
            "N2: what an import could not read is known from the program by now, and a refresh shows no other change",
            async () => {
                const replaced = command.map((one) => ({
                    ...one,
                    args: { ...one.args, ...inputsOf(one.kind, testbed, "other", "replace") },
                }));
                await stack.program(program([...own, ...replaced, ...option]));
                const planned = (await stack.planned("--refresh")).filter((step) => /^(replace|update) /.test(step));
                assert.deepEqual(planned.sort(), command.map(({ name }) => `replace ${name}`).sort());
            },
        );
    });
});
