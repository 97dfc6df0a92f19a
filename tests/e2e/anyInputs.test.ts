/** Six programs of the generator through the real CLI (S3, L2): Outputs, secrets, promises, undefined and null at any place. Outputs in plain strings: tests/unit/lifecycle/anyInputs.test.ts. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Kind, placesIn, validInputs } from "../support/anyInputs.ts";
import type { Properties } from "../support/machine.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

/** How programs write a value. */
const forms: readonly ((literal: string) => string)[] = [
    (literal) => `pulumi.output(${literal})`,
    (literal) => `pulumi.secret(${literal})`,
    (literal) => `Promise.resolve(${literal})`,
    (literal) => `pulumi.output(Promise.resolve(pulumi.output(${literal})))`,
    (literal) => `first.id.apply(() => pulumi.secret(${literal}))`,
];

/** The program's text of a value, with some text in place of that at one place. */
function written(
    value: unknown,
    place: readonly (string | number)[] | undefined,
    text: (literal: string) => string,
): string {
    const [next, ...rest] = place ?? [];
    const inner = (key: string | number, item: unknown) => written(item, key === next ? rest : undefined, text);
    const literal = Array.isArray(value)
        ? `[${value.map((item, index) => inner(index, item)).join(", ")}]`
        : typeof value === "object" && value !== null
          ? `{ ${Object.entries(value)
                .map(([key, item]) => `[${JSON.stringify(key)}]: ${inner(key, item)}`)
                .join(", ")} }`
          : JSON.stringify(value);
    return place?.length === 0 ? text(literal) : literal;
}

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
    const programs = () => {
        const one = (kind: Kind) =>
            validInputs(kind)
                .map(known)
                .chain((inputs) =>
                    fc
                        .tuple(fc.constantFrom(...placesIn(inputs)), fc.constantFrom(...forms))
                        .map(([{ path }, form]) => ({ kind, args: written(inputs, path, form) })),
                );
        return fc.sample(fc.tuple(...generated.map(one)), { numRuns: 6, seed });
    };
    /** Half of them with the types of each face. */
    const programOf = (all: ReturnType<typeof programs>) => {
        const declared = all.flatMap((resources, index) =>
            resources.map(({ kind, args }) => {
                const unset = ["undefined", "null", "pulumi.output(undefined)"][index % 3];
                const all = kind === "ContentLibrary" ? args : `{ ...${args}, description: ${unset} }`;
                const face = index % 2 === 0 ? "videograph" : "native";
                return `new ${face}.${kind}(${JSON.stringify(`${index} ${kind}`)}, ${all});`;
            }),
        );
        return `const native = require("pulumi-videograph/native");
            const first = new videograph.Content("first", { title: "First", content: [{ url: "https://media.example.com/a.mp4" }] });
            ${declared.join("\n")}`;
    };

    it("are created, left alone and refreshed without a change (L2, S3)", async () => {
        const stack = await testbed.stack(programOf(programs()));
        await stack.up();
        const size = testbed.emulator.contents().length + testbed.emulator.livestreams().length;
        assert.ok(size > 18);
        await stack.up("--refresh", "--expect-no-changes");
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE").length, size);
    });
});
