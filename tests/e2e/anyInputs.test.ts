/** Six programs of the generator through the real CLI (S3, L2): Outputs, secrets, promises, undefined and null at any place. Outputs in plain strings: tests/unit/lifecycle/anyInputs.test.ts. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Kind, placesIn, validInputs } from "../support/anyInputs.ts";
import type { Properties } from "../support/machine.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

/** How programs write a value. */
const forms = `[
    (value) => pulumi.output(value),
    (value) => pulumi.secret(value),
    (value) => Promise.resolve(value),
    (value) => pulumi.output(Promise.resolve(pulumi.output(value))),
    (value) => first.id.apply(() => pulumi.secret(value)),
]`;

describe("Programs with any inputs", () => {
    const testbed = useTestbed({ fetchSources: false });
    const generated: Kind[] = ["Content", "Livestream", "ContentLibrary"];
    const seed = 47;

    /** Without what only some accounts and videos have. */
    const known = (inputs: Properties): Properties => {
        const { thumbnail: _, watermark: __, waitForReady: ___, region, contents, ...rest } = inputs;
        return {
            ...rest,
            ...(region !== undefined && { region: "us-east-1" }),
            ...(contents !== undefined && {
                contents: Object.fromEntries(
                    Object.entries(contents as Properties).map(([key, entry]) => [key, known(entry as Properties)]),
                ),
            }),
        };
    };
    /** Inputs of each kind, and a place in them whose value is written in one of the forms. */
    const programs = () => {
        const one = (kind: Kind) =>
            validInputs(kind)
                .map(known)
                .chain((inputs) =>
                    fc
                        .tuple(fc.constantFrom(...placesIn(inputs)), fc.nat(4))
                        .map(([{ path }, form]) => ({ kind, inputs, path, form })),
                );
        return fc.sample(fc.tuple(...generated.map(one)), { numRuns: 6, seed });
    };
    /** Half of them with the types of each face. */
    const programOf = (all: ReturnType<typeof programs>) => `
        const first = new videograph.Content("first", { title: "First", content: [{ url: "https://media.example.com/a.mp4" }] });
        const forms = ${forms};
        for (const [index, resources] of Object.entries(${JSON.stringify(all)}))
            for (const { kind, inputs, path, form } of resources) {
                const last = path.pop();
                const parent = path.reduce((value, key) => value[key], inputs);
                parent[last] = forms[form](parent[last]);
                const description = [undefined, null, pulumi.output(undefined)][index % 3];
                const args = kind === "ContentLibrary" ? inputs : { ...inputs, description };
                new [dynamic, native][index % 2][kind](index + " " + kind, args);
            }`;

    it("are created, left alone and refreshed without a change (L2, S3)", async () => {
        const stack = await testbed.stack(programOf(programs()));
        await stack.up();
        const size = testbed.emulator.contents().length + testbed.emulator.livestreams().length;
        assert.ok(size > 18);
        await stack.up("--refresh", "--expect-no-changes");
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE").length, size);
    });
});
