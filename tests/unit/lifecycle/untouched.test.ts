/**
 * L9: an update changes what its preview shows, and nothing else. For every input that a PUT changes, of every kind of object: somebody
 * has changed it outside, and the program changes another one. The real CLI: tests/e2e/untouched.test.ts.
 */
import assert from "node:assert/strict";
import { clipDefinition } from "../../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { type Definition, factsOf } from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import type { ResourceHost } from "../../../provider/dist/session/resourceHost.js";
import { Machine, type Made, type Properties, urnOf } from "../../support/machine.ts";

const source = [{ url: "https://media.example.com/a.mp4" }];

/** Of each input: the declared value, what somebody makes of it in the dashboard, and the program's next one. */
const values: Record<string, [declared: unknown, outside: unknown, next: unknown]> = {
    title: ["One", "Theirs", "Two"],
    description: ["one", "theirs", "two"],
    tags: [["one"], ["theirs"], ["two"]],
    metadata: [{ one: "1" }, { one: "theirs", more: "theirs" }, { one: "2" }],
    saveOriginalCopy: [false, true, true],
    dvrDurationInMins: [10, 20, 30],
};

interface Life {
    kind?: "ContentLibrary";
    definition: Definition;
    /** The inputs that only a create can set. */
    given(machine: Machine): Properties;
    /** Around the inputs of the object. */
    wrap?(inputs: Properties): Properties;
}

const content = { definition: contentDefinition, given: () => ({ content: source, playbackPolicy: ["public"] }) };
const lives: Record<string, Life> = {
    Content: content,
    "entry of a library": { ...content, kind: "ContentLibrary", wrap: (inputs) => ({ contents: { film: inputs } }) },
    Clip: {
        definition: clipDefinition,
        given: ({ core }) => ({ contentId: core.addContent({ title: "Film" }).contentId, startTime: 0, endTime: 1 }),
    },
    Livestream: { definition: livestreamDefinition, given: () => ({ region: "us-east-1", record: false }) },
};

for (const [name, life] of Object.entries(lives)) {
    const { definition, given, wrap = (inputs: Properties) => inputs, kind = definition.name } = life;
    describe(`L9: an update of a ${name}`, () => {
        const { shape } = definition.inputs;
        const inPlace = Object.keys(shape).filter((input) => factsOf(shape[input]).change === "inPlace");
        const urn = urnOf("one", kind);
        let machine: Machine;
        let host: ResourceHost;
        let declared: Properties;
        let made: Made;

        beforeEach(async () => {
            machine = new Machine();
            const process = machine.start();
            host = process.host(kind);
            const all = Object.fromEntries(inPlace.map((input) => [input, values[input]?.[0]]));
            declared = { ...given(machine), ...all };
            made = await process.create(await checked(declared), { urn }, host);
        });

        const id = () => {
            const { film } = (made.outputs.contents ?? {}) as Record<string, { contentId: string }>;
            return film?.contentId ?? made.id;
        };
        const shown = (input: string): unknown => {
            const { managed_by: _, ...metadata } = machine.metadataOf(id());
            return { ...machine.core.content(id()), ...machine.core.livestream(id()), metadata }[input];
        };
        const changeOutside = (input: string, value = values[input]?.[1]) => {
            if (input !== "metadata") return machine.change(id(), { [input]: value });
            const { managed_by } = machine.metadataOf(id());
            machine.setMetadata(id(), { ...(value as object), managed_by });
        };
        const checked = async (inputs: Properties, olds?: Properties) => {
            const request = { urn, news: wrap(inputs), ...(olds && { olds: wrap(olds) }) };
            const { inputs: all, problems } = await host.check(request);
            assert.deepEqual(problems, []);
            return all;
        };
        const update = async (news: Properties, olds: Properties) => {
            const inputs = await checked(news, olds);
            machine.core.clearRequests();
            const change = { urn, id: made.id, olds: made.outputs, oldInputs: wrap(olds), news: inputs };
            assert.equal((await host.diff(change)).kind, "update");
            assert.deepEqual(machine.since(), []);
            made = { id: made.id, outputs: await machine.run(host.update({ ...change, timeouts: {} })) };
            assert.match(machine.since().join(), /^GET [^,]+,PUT [^,]+$/);
        };
        /** What the program would have after a refresh with `ignoreChanges` of this input. */
        const refreshed = async (input: string, before: Properties) => {
            const request = { urn, timeouts: {}, id: made.id, olds: made.outputs, inputs: wrap(before) };
            const read = await machine.run(host.read(request));
            assert.ok(read);
            made = { id: made.id, outputs: read.outputs };
            const { contents = { film: read.inputs } } = read.inputs ?? assert.fail("the refresh shows no drift");
            const { film } = contents as { film: Properties };
            return { ...before, [input]: film[input] };
        };

        for (const input of inPlace) {
            const another = input === "title" ? "description" : "title";
            /** The service's answers do not show it, so it is sent as the program has it. */
            const isShown = input !== "dvrDurationInMins";

            it(`leaves ${input} as somebody has changed it, also again after a refresh with ignoreChanges`, async () => {
                changeOutside(input);
                const next = { ...declared, [another]: values[another]?.[2] };
                await update(next, declared);
                assert.deepEqual(shown(another), values[another]?.[2]);
                assert.deepEqual(shown(input), values[input]?.[isShown ? 1 : 0]);
                if (!isShown) return;

                const ignoring = await refreshed(input, next);
                assert.deepEqual(ignoring[input], values[input]?.[1]);
                await update({ ...ignoring, [another]: "Three" }, ignoring);
                assert.deepEqual([shown(another), shown(input)], ["Three", values[input]?.[1]]);
            });

            if (isShown)
                it(`restores ${input} after a refresh, which has shown the change`, async () => {
                    changeOutside(input);
                    const drifted = await refreshed(input, declared);
                    await update({ ...declared, [another]: values[another]?.[2] }, drifted);
                    assert.deepEqual([shown(input), shown(another)], [values[input]?.[0], values[another]?.[2]]);
                });

            it(`sets ${input} to what the program changes it to, over what somebody has made of it`, async () => {
                changeOutside(input);
                const next = values[input]?.[2];
                await update({ ...declared, [input]: next }, declared);
                // A preview shows the keys of a map one by one.
                assert.deepEqual(shown(input), input === "metadata" ? { one: "2", more: "theirs" } : next);
            });
        }

        it("of metadata changes the keys that the preview shows, and no others", async () => {
            const before = { ...declared, metadata: { one: "1", two: "2", three: "3", gone: "4" } };
            await update(before, declared);
            // Sooner, another answer than the record would be taken for an old one for a while.
            await machine.clock.advance(60_000);
            changeOutside("metadata", { one: "theirs", two: "2", more: "theirs" });
            await update({ ...declared, metadata: { one: "1", three: "new", constructor: "new", gone: "4" } }, before);
            const expected = { one: "theirs", more: "theirs", three: "new", constructor: "new" };
            assert.deepEqual(shown("metadata"), expected);
        });
    });
}
