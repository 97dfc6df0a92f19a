/** A state is read piece by piece, however large it is. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ListElements, readExport } from "../../../provider/dist/session/stackExport.js";
import "../../support/seed.ts";

describe("The elements of lists in JSON", () => {
    function elementsOf(pieces: Iterable<string>) {
        const taken: [list: string, element: unknown][] = [];
        const elements = new ListElements((element, list) => taken.push([list, element]));
        for (const piece of pieces) elements.push(piece);
        return { taken, isComplete: elements.isComplete };
    }

    it("are those that JSON.parse gives, wherever the text is cut and whatever is in it", () => {
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
        const elements = fc.array(fc.dictionary(text, value));
        const state = fc.record({
            before: value,
            deployment: fc.record({ manifest: value, resources: elements, other: value, pending_operations: elements }),
            after: value,
        });
        fc.assert(
            fc.property(state, fc.constantFrom(0, 4), fc.integer({ min: 1, max: 40 }), (state, indent, size) => {
                const text = JSON.stringify(state, undefined, indent);
                const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
                    text.slice(at * size, (at + 1) * size),
                );
                const { resources, pending_operations } = JSON.parse(text).deployment;
                const of = (list: string, all: unknown[]) => all.map((one) => [list, one]);
                const taken = [...of("resources", resources), ...of("pending_operations", pending_operations)];
                assert.deepEqual(elementsOf(pieces), { taken, isComplete: true });
                assert.equal(elementsOf([text.slice(0, -1)]).isComplete, false);
            }),
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
            assert.deepEqual(elementsOf([text]), { taken: [], isComplete: false }, text);
    });

    it("are not kept where they are of other packages: 85 MB take no memory", async () => {
        const large = JSON.stringify({
            type: "kubernetes:core:ConfigMap",
            urn: "u",
            inputs: { data: 'any text, quoted: "'.repeat(3_000) },
        });
        const own = JSON.stringify({ type: "videograph:index:Content", urn: "urn:pulumi:a::b::c::d", id: "own" });
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
