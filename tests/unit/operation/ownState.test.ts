/** The one reading of `pulumi stack export`, for runs and for commands: what counts as recorded, and as a create that never ended. */
import assert from "node:assert/strict";
import { systemClock } from "../../../provider/dist/api/clock.js";
import { pack } from "../../../provider/dist/evidence/library.js";
import { digestOfResource, noncePrefixOf } from "../../../provider/dist/evidence/marker.js";
import { LifecycleError, messages } from "../../../provider/dist/messages/index.js";
import { OwnState } from "../../../provider/dist/operation/ownState.js";
import { parseExport } from "../../../provider/dist/session/stackExport.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { waitFor } from "../../support/waitFor.ts";

const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;

function resource(type: string, name: string, more: object = {}) {
    return { urn: urnOf(type, name), type, ...more };
}

const content = "videograph:index:Content";
const library = "videograph:index:ContentLibrary";
const entries = pack([["harbour", "id-3", { fingerprint: "e" }]]);
const creating = (name: string, inputs: object, more: object = {}) => ({
    type: "creating",
    resource: resource(content, name, { inputs, ...more }),
});
const printed = (resources: object[], ...pending_operations: object[]) =>
    JSON.stringify({ deployment: { resources, pending_operations } });

const text = printed(
    [
        resource("pulumi:pulumi:Stack", "shop-dev", { created: "2026-01-01T00:00:00.123456789Z" }),
        resource("pulumi:providers:videograph", "eu", { id: "p", inputs: { version: "1.2.3" } }),
        resource(content, "own", { id: "id-1", outputs: { __meta: { fingerprint: "e" } } }),
        resource(content, "read", { id: "id-2", external: true }),
        resource(library, "films", { id: "id-0", outputs: { __meta: { entries } } }),
        resource("aws:s3:Bucket", "elsewhere", { id: "bucket" }),
    ],
    creating("new", { title: "New" }),
    { type: "updating", resource: resource(library, "films") },
    { type: "updating", resource: resource(content, "own") },
);

function ownState(pulumi: () => Promise<string>, more: Partial<OwnState["options"]> = {}): OwnState {
    const exported = async () => parseExport(await pulumi()) ?? assert.fail();
    const options = { clock: systemClock, organization: () => undefined, skipsCheckpoints: false, warn: () => {} };
    return new OwnState({ ...options, exported, ...more });
}

/** What a run reads of such an export for the create of a content. */
function reader(pulumi: () => Promise<string>, more: Partial<OwnState["options"]> = {}) {
    const own = ownState(pulumi, more);
    const asker = { signal: new AbortController().signal, progress: () => {} };
    return (name: string, create: Partial<Parameters<OwnState["of"]>[2]> = {}) =>
        own.of(urnOf(content, name), "Content", { ...asker, ...create });
}
type State = Awaited<ReturnType<ReturnType<typeof reader>>>;
const neighboursIn = (state: State) => state?.neighbours?.map(({ id }) => id);

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
        assert.deepEqual([providers[0]?.inputs, providers.length], [{ version: "1.2.3" }, 1]);
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
        assert.equal(parseExport("error: no stack"), undefined);
        assert.deepEqual(parseExport('{"deployment":{}}')?.resources, []);
    });

    it("has an object for a run only if a resource manages it (S9)", async () => {
        const state = (await reader(async () => text)("new")) ?? assert.fail();
        const managed = ["id-1", "id-2", "id-3"].filter((id) => state.has({ id }));
        assert.deepEqual(managed, ["id-1", "id-3"]);
    });

    it("shows the provider's objects to a create that joins after it was read, too (W15)", async () => {
        const stateFor = reader(async () => text);
        for (const name of ["new", "later"]) assert.deepEqual(neighboursIn(await stateFor(name)), ["id-1"]);
    });

    it("tells a program's provider from the engine's, whatever its name (D1, W15)", async () => {
        const type = "pulumi:providers:videograph";
        const other = "default_1_2_3_github_/a.example/b-c";
        const by = (name: string) => ({ provider: `${urnOf(type, name)}::any` });
        const neighboursOf = async (name: string, inputs: object) => {
            const providers = [other, "default_1_2_4", "eu"].map((one) => resource(type, one, { inputs: {} }));
            const made = [other, "default", "eu"].map((one) =>
                resource(content, one, { ...by(one), id: one, outputs: { __meta: { fingerprint: one } } }),
            );
            const resources = [...providers, resource(type, "default", { inputs }), ...made];
            return neighboursIn(await reader(async () => printed(resources, creating("new", {}, by(name))))("new"));
        };
        for (const mark of ["__fromStack", "videograph:own:region"]) {
            assert.deepEqual(await neighboursOf("default", { [mark]: "" }), ["default"]);
            assert.deepEqual(await neighboursOf("default_1_2_4", { [mark]: "" }), [other]);
        }
        // Two versions of the engine's own.
        assert.deepEqual(await neighboursOf("default_1_2_4", {}), [other, "default"]);
        assert.deepEqual(await neighboursOf("eu", {}), ["eu"]);
    });

    it("says which objects another process serves, and for an import which other resource has one (VG6012, VG6013)", async () => {
        const by = (face: string) => ({ provider: `${urnOf(`pulumi:providers:${face}`, "default")}::any` });
        const made = (name: string, id: string, face: string) =>
            resource(content, name, { ...by(face), id, outputs: { __meta: { fingerprint: "e" } } });
        const mine = [made("a", "mine", "videograph"), made("b", "both", "videograph")];
        const others = [made("c", "both", "pulumi-nodejs"), made("d", "theirs", "pulumi-nodejs")];
        const read = { ...made("e", "read", "pulumi-nodejs"), external: true };
        const root = resource("pulumi:pulumi:Stack", "shop-dev", { created: "now" });
        const ids = ["mine", "both", "theirs", "read"];
        for (const objects of [
            [...mine, ...others],
            [...others, ...mine],
        ]) {
            const exported = async () => printed([root, ...objects, read], creating("new", {}, by("videograph")));
            const state = (await reader(exported)("new")) ?? assert.fail();
            const holders = ids.map((id) => state.holderElsewhere(id)?.split("::").at(-1));
            assert.deepEqual(holders, [undefined, "c", "d", undefined]);
            assert.deepEqual(
                ids.map((id) => state.has({ id })),
                [true, true, true, false],
            );
            let exports = 0;
            const { signal } = new AbortController();
            const own = ownState(async () => {
                exports++;
                return exported();
            });
            const holderOf = (id: string, name: string) => own.holderOf(id, urnOf(content, name), signal);
            assert.deepEqual(
                [await holderOf("mine", "new"), await holderOf("mine", "a"), await holderOf("read", "new")],
                [urnOf(content, "a"), undefined, undefined],
            );
            assert.equal(exports, 1);
        }
    });

    it("is read once for the creates that come while it is being read (K11)", async () => {
        const ends: (() => void)[] = [];
        const stateFor = reader(() => new Promise((resolve) => ends.push(() => resolve(text))));
        const first = stateFor("new");
        await waitFor("the export", () => ends.length === 1);
        const later = [stateFor("another"), stateFor("one-more")];
        ends[0]?.();
        assert.ok((await Promise.all([first, ...later])).every((state) => state?.has({ id: "id-1" })));
        assert.equal(ends.length, 1);
    });

    it("is read again only for a create that an earlier run may have begun (K11)", async () => {
        // The nonce, the fingerprint and the engine's port.
        const own = { first: "n1-e-9000", late: "n2-e-9000", killed: "n3-e-9000" };
        const pending = [...Object.entries(own), ["killed", "n0-e-8000"] as const];
        let runs = 0;
        const stateFor = reader(async () => {
            runs++;
            return printed([], ...pending.map(([name, __attempt]) => creating(name, { __attempt })));
        });
        const runsAfter = async (name: keyof typeof own, unfinished: number) => {
            assert.equal((await stateFor(name, { attempt: own[name] }))?.unfinished.length, unfinished);
            return runs;
        };
        assert.equal(await runsAfter("first", 0), 1);
        assert.equal(await runsAfter("late", 0), 1);
        assert.equal(await runsAfter("killed", 1), 2);
    });

    it("shows a run which earlier creates never ended; an update plan that is run again has the attempt of the first time", async () => {
        const pending = ["second", "second", "first"].map((__attempt) => creating("new", { __attempt }));
        const digest = digestOfResource(urnOf(content, "new"), "Content");
        const prefixes = (...attempts: string[]) => attempts.map((one) => noncePrefixOf(one, digest));
        const creates = async (attempt: string, handled: string[] = []) => {
            const own = resource(content, "new", { id: "id-1", outputs: { __meta: { fingerprint: "e", handled } } });
            const state = await reader(async () => printed([own], ...pending))("new", { attempt });
            return state && { pending: state.unfinished.map(({ nonce }) => nonce), handled: state.handled };
        };
        assert.deepEqual(await creates("second"), { pending: prefixes("second", "first"), handled: [] });
        // The recorded create has taken care of one, and has that from an earlier one perhaps.
        const handled = prefixes("first", "forgotten");
        assert.deepEqual(await creates("second", handled), { pending: prefixes("second"), handled: prefixes("first") });
        // The state of another stack.
        assert.equal(await creates("third"), undefined);
    });

    it("that cannot be read, or is another stack's, is said once, and not read again (E1)", async () => {
        const failure = new LifecycleError(messages.ownStateUnread({ error: "the words." }));
        for (const [answer, words] of [
            [
                () => Promise.reject(failure),
                /the words\. A create that a killed run sent from another machine would not be found/,
            ],
            [
                async () => printed([]),
                /`pulumi stack export --stack dev` gave a state without the creates of this run\./,
            ],
        ] as const)
            for (const skipsCheckpoints of [false, true]) {
                const said: string[] = [];
                let runs = 0;
                const pulumi = () => {
                    runs++;
                    return answer();
                };
                const stateFor = reader(pulumi, { skipsCheckpoints, warn: (message) => said.push(message) });
                const isRead = (await Promise.all([stateFor("new"), stateFor("another")])).concat(
                    await stateFor("later"),
                );
                // Without checkpoints the state names no create at all, and nothing is missed.
                if (skipsCheckpoints) assert.deepEqual(said, []);
                else assert.deepEqual([isRead, said.length], [[undefined, undefined, undefined], 1]);
                if (!skipsCheckpoints) assert.match(said[0] ?? "", words);
                assert.equal(runs, 1);
            }
    });

    it("is that of the run if it names one of the creates that share it", async () => {
        const stateFor = reader(async () => printed([], creating("second", { __attempt: "two" })));
        const states = await Promise.all([
            stateFor("first", { attempt: "one" }),
            stateFor("second", { attempt: "two" }),
        ]);
        assert.deepEqual(
            states.map((state) => state !== undefined),
            [false, true],
        );
    });

    it("that is slow shows on the row of each create how long it takes, until an interrupt (E1)", async () => {
        const clock = new FakeClock();
        const controller = new AbortController();
        const lines: string[] = [];
        const said: string[] = [];
        const exported = (_: string, signal = controller.signal) =>
            new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        const stateFor = reader(async () => "", { clock, exported, warn: (message) => said.push(message) });
        const ask = (name: string) =>
            stateFor(name, { signal: controller.signal, progress: (line) => lines.push(`${name}: ${line}`) });
        const creates = ["new", "another"].map(ask);
        // The state is being read already.
        creates.push(clock.sleep(6_000).then(() => ask("late")));
        void clock.sleep(25_000).then(() => controller.abort(new Error("interrupted")));
        const ended = Promise.allSettled(creates);
        for (const one of await clock.runUntil(ended))
            assert.equal(one.status === "rejected" && one.reason.message, "interrupted");
        const names = ["new", "another", "late"];
        const shown = ["10 s", "20 s"].flatMap((time) => names.map((name) => `${name}, ${time}`));
        const all = shown.map((one) => one.replace(",", ": reading the stack's state, for"));
        assert.deepEqual([lines, said], [all, []]);
    });

    it("that is known takes no timer: a library asks for each of its entries", async () => {
        const clock = new FakeClock();
        const stateFor = reader(async () => text, { clock });
        await clock.runUntil(stateFor("new"));
        const next = stateFor("another");
        assert.equal(clock.sleeping, 0);
        assert.deepEqual(neighboursIn(await next), ["id-1"]);
    });
});
