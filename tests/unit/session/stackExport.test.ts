/** A state is read piece by piece, however large it is. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseExport, readExport } from "../../../provider/dist/session/stackExport.js";
import "../../support/seed.ts";

const content = "videograph:index:Content";

async function* piecesOf(text: string, size: number) {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe("The elements of a state's lists", () => {
    it("are those that JSON.parse gives, wherever the text is cut and whatever is in it", async () => {
        const awkward = fc.constantFrom('"', "\\", '\\"', "{", "]", "resources", "deployment", "\\u0022", "é😀\n");
        const text = fc.string({ unit: awkward });
        const value = fc.letrec((tie) => ({
            value: fc.oneof(
                { maxDepth: 3 },
                text,
                fc.integer(),
                fc.constant(null),
                fc.array(tie("value")),
                fc.dictionary(text, tie("value")),
            ),
        })).value;
        const values = fc.dictionary(text, value);
        const resource = fc.record({
            type: fc.constant(content),
            urn: text,
            id: text,
            inputs: values,
            outputs: values,
        });
        const operation = fc.record({ type: fc.constant("creating"), resource });
        const state = fc.record({
            before: value,
            deployment: fc.record({
                ...{ manifest: value, resources: fc.array(resource), other: value },
                pending_operations: fc.array(operation),
            }),
            after: value,
        });
        await fc.assert(
            fc.asyncProperty(
                state,
                fc.constantFrom(0, 4),
                fc.integer({ min: 1, max: 40 }),
                async (state, indent, size) => {
                    const text = JSON.stringify(state, undefined, indent);
                    const { resources, pending_operations } = JSON.parse(text).deployment as typeof state.deployment;
                    const read = await readExport(piecesOf(text, size));
                    assert.deepEqual(
                        read.resources.map(({ urn, id, olds }) => ({ urn, id, outputs: olds })),
                        resources.map(({ urn, id, outputs }) => ({ urn, id, outputs })),
                    );
                    assert.deepEqual(
                        read.creates.map(({ urn, inputs }) => ({ urn, inputs })),
                        pending_operations.map(({ resource: { urn, inputs } }) => ({ urn, inputs })),
                    );
                    assert.equal(parseExport(text.slice(0, -1)), undefined);
                },
            ),
        );
    });

    it("are none in other texts", () => {
        for (const text of [
            "",
            "null",
            "[]",
            "error: no stack",
            'error: {"deployment":{}}',
            '"{}"',
            '{"deployment":{"resources":[',
        ])
            assert.equal(parseExport(text), undefined, text);
    });

    it("are not kept where they are of other packages: 85 MB take no memory", async () => {
        const large = JSON.stringify({
            type: "kubernetes:core:ConfigMap",
            urn: "u",
            inputs: { data: 'any text, quoted: "'.repeat(3_000) },
        });
        const own = JSON.stringify({ type: content, urn: "urn:pulumi:a::b::c::d", id: "own" });
        let bytes = 0;
        let most = 0;
        async function* pieces() {
            yield '{"deployment":{"resources":[';
            for (; bytes < 85e6; bytes += large.length) {
                yield `${large},`;
                most = Math.max(most, process.memoryUsage().heapUsed);
            }
            yield `${own}]}}`;
        }
        const before = process.memoryUsage().heapUsed;
        const { resources } = await readExport(pieces());
        assert.deepEqual(
            resources.map(({ id }) => id),
            ["own"],
        );
        // What is kept would be there at the end: garbage of the reading, and of other tests of this process, comes on top.
        assert.ok(most - before < bytes, `${(most - before) / 1e6} MB`);
    });
});
