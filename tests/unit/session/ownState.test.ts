/** The one reading of `pulumi stack export`, for runs and for commands: what counts as recorded, and as a create that never ended. */
import assert from "node:assert/strict";
import { systemClock } from "../../../provider/dist/api/clock.js";
import { pack } from "../../../provider/dist/evidence/library.js";
import { digestOfResource, noncePrefixOf } from "../../../provider/dist/evidence/marker.js";
import { StackExportReader } from "../../../provider/dist/session/ownStateReader.js";
import { parseExport } from "../../../provider/dist/session/stackExport.js";
import { waitFor } from "../../support/waitFor.ts";

const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;

function resource(type: string, name: string, more: object = {}) {
    return { urn: urnOf(type, name), type, ...more };
}

const content = "videograph:index:Content";
const library = "videograph:index:ContentLibrary";
const entries = pack([["harbour", "id-3", { fingerprint: "e" }]]);
const text = JSON.stringify({
    deployment: {
        resources: [
            resource("pulumi:pulumi:Stack", "shop-dev", { created: "2026-01-01T00:00:00.123456789Z" }),
            resource("pulumi:providers:videograph", "eu", { id: "p", inputs: { version: "1.2.3" } }),
            resource(content, "own", { id: "id-1", outputs: { __meta: { fingerprint: "e" } } }),
            resource(content, "read", { id: "id-2", external: true }),
            resource(library, "films", { id: "id-0", outputs: { __meta: { entries } } }),
            resource("aws:s3:Bucket", "elsewhere", { id: "bucket" }),
        ],
        pending_operations: [
            { type: "creating", resource: resource(content, "new", { inputs: { title: "New" } }) },
            { type: "updating", resource: resource(library, "films") },
            { type: "updating", resource: resource(content, "own") },
        ],
    },
});

const reader = (pulumi: () => Promise<string>) =>
    new StackExportReader({ clock: systemClock, organization: () => undefined, skipsCheckpoints: false, pulumi });

describe("a stack's export", () => {
    it("shows the birth, the recorded objects of this package with their metadata, and the providers", () => {
        const { birth, root, resources, providers } = parseExport(text) ?? assert.fail();
        assert.equal(birth, "2026-01-01T00:00:00.123456789Z");
        assert.equal(root, urnOf("pulumi:pulumi:Stack", "shop-dev"));
        assert.deepEqual(
            resources.map(({ kind, id, isExternal }) => `${kind} ${id}${isExternal ? " (external)" : ""}`),
            ["Content id-1", "Content id-2 (external)", "ContentLibrary id-0", "Content id-3"],
        );
        assert.deepEqual(resources.at(-1)?.olds, { __meta: { fingerprint: "e" } });
        assert.deepEqual(
            providers.map(({ inputs }) => inputs),
            [{ version: "1.2.3" }],
        );
    });

    it("shows the creates that never ended; a library creates in updates as well", () => {
        const { creates } = parseExport(text) ?? assert.fail();
        assert.deepEqual(
            creates.map(({ kind, inputs, isUpdate }) => ({ kind, inputs, isUpdate })),
            [
                { kind: "Content", inputs: { title: "New" }, isUpdate: false },
                { kind: "ContentLibrary", inputs: {}, isUpdate: true },
            ],
        );
    });

    it("is nothing where the CLI has printed something else", () => {
        assert.equal(parseExport(undefined), undefined);
        assert.equal(parseExport("error: no stack"), undefined);
        assert.deepEqual(parseExport('{"deployment":{}}')?.resources, []);
    });

    it("has an object for a run only if a resource manages it (S9)", async () => {
        const exported = reader(async () => text);
        const state = (await exported.of(urnOf(content, "new"), "Content", {})) ?? assert.fail();
        assert.equal(state.has({ id: "id-1" }), true);
        assert.equal(state.has({ id: "id-3" }), true);
        assert.equal(state.has({ id: "id-2" }), false);
    });

    it("shows the provider's objects to a create that joins after it was read, too (W15)", async () => {
        const exported = reader(async () => text);
        const neighboursOf = async (name: string) =>
            (await exported.of(urnOf(content, name), "Content", {}))?.neighbours?.map(({ id }) => id);
        const first = await neighboursOf("new");
        assert.deepEqual(first, ["id-1"]);
        assert.deepEqual(await neighboursOf("later"), first);
    });

    it("tells a program's provider from the engine's, whatever its name (D1, W15)", async () => {
        const type = "pulumi:providers:videograph";
        const made = (id: string, name: string) => ({
            ...{ id, provider: `${urnOf(type, name)}::any` },
            outputs: { __meta: { fingerprint: id } },
        });
        const neighboursOf = async (name: string, inputs: object) => {
            const resources = [
                ...["default_1_2_3_github_/a.example/b-c", "default_1_2_4", "eu"].map((one) =>
                    resource(type, one, { inputs: {} }),
                ),
                resource(type, "default", { inputs }),
                ...["default_1_2_3_github_/a.example/b-c", "default", "eu"].map((one) =>
                    resource(content, `of ${one}`, made(`${one}'s`, one)),
                ),
            ];
            const creating = resource(content, "new", { provider: `${urnOf(type, name)}::any` });
            const pending_operations = [{ type: "creating", resource: creating }];
            const printed = JSON.stringify({ deployment: { resources, pending_operations } });
            const exported = reader(async () => printed);
            return (await exported.of(urnOf(content, "new"), "Content", {}))?.neighbours?.map(({ id }) => id);
        };
        for (const mark of ["__fromStack", "videograph:own:region"]) {
            assert.deepEqual(await neighboursOf("default", { [mark]: "" }), ["default's"]);
            assert.deepEqual(await neighboursOf("default_1_2_4", { [mark]: "" }), [
                "default_1_2_3_github_/a.example/b-c's",
            ]);
        }
        // Two versions of the engine's own.
        assert.deepEqual(await neighboursOf("default_1_2_4", {}), [
            "default_1_2_3_github_/a.example/b-c's",
            "default's",
        ]);
        assert.deepEqual(await neighboursOf("eu", {}), ["eu's"]);
    });

    it("is read once for the creates that come while it is being read (K11)", async () => {
        const ends: (() => void)[] = [];
        const pulumi = () => new Promise<string>((resolve) => ends.push(() => resolve(text)));
        const exported = reader(pulumi);
        const of = (name: string) => exported.of(urnOf(content, name), "Content", {});
        const first = of("new");
        await waitFor("the export", () => ends.length === 1);
        const later = [of("another"), of("one-more")];
        ends[0]?.();
        assert.ok((await Promise.all([first, ...later])).every((state) => state?.has({ id: "id-1" })));
        assert.equal(ends.length, 1);
    });

    it("is read again only for a create that an earlier run may have begun (K11)", async () => {
        const creating = ([name = "", __attempt]: readonly string[]) => ({
            type: "creating",
            resource: resource(content, name, { inputs: { __attempt } }),
        });
        // The nonce, the fingerprint and the engine's port.
        const own = { first: "n1-e-9000", late: "n2-e-9000", killed: "n3-e-9000" };
        const pending_operations = [...Object.entries(own), ["killed", "n0-e-8000"]].map(creating);
        const printed = JSON.stringify({ deployment: { resources: [], pending_operations } });
        let runs = 0;
        const exported = reader(async () => {
            runs++;
            return printed;
        });
        const runsAfter = async (name: keyof typeof own, unfinished: number) => {
            const state = await exported.of(urnOf(content, name), "Content", { attempt: own[name] });
            assert.equal(state?.unfinished.length, unfinished);
            return runs;
        };
        assert.equal(await runsAfter("first", 0), 1);
        assert.equal(await runsAfter("late", 0), 1);
        assert.equal(await runsAfter("killed", 1), 2);
    });

    it("shows a run which earlier creates never ended; an update plan that is run again has the attempt of the first time", async () => {
        const urn = urnOf(content, "new");
        const creating = (__attempt: string) => ({
            type: "creating",
            resource: resource(content, "new", { inputs: { __attempt } }),
        });
        const pending_operations = ["second", "second", "first"].map(creating);
        const prefixes = (...attempts: string[]) =>
            attempts.map((one) => noncePrefixOf(one, digestOfResource(urn, "Content")));
        const creates = async (attempt: string, handled: string[] = []) => {
            const resources = [
                resource(content, "new", { id: "id-1", outputs: { __meta: { fingerprint: "e", handled } } }),
            ];
            const printed = JSON.stringify({ deployment: { resources, pending_operations } });
            const exported = reader(async () => printed);
            const state = await exported.of(urn, "Content", { attempt });
            return state && { pending: state.unfinished.map(({ noncePrefix }) => noncePrefix), handled: state.handled };
        };
        assert.deepEqual(await creates("second"), { pending: prefixes("second", "first"), handled: [] });
        // The recorded create has taken care of one, and has that from an earlier one perhaps.
        const handled = prefixes("first", "forgotten");
        assert.deepEqual(await creates("second", handled), { pending: prefixes("second"), handled: prefixes("first") });
        // The state of another stack.
        assert.equal(await creates("third"), undefined);
    });
});
