/**
 * S1 and S8 at the worst moments, with real kills: `kill -9` of the CLI, of the provider, or of both. Whatever the moment,
 * the next run ends with exactly one object for each resource, and no provider process is left behind.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { type Args, declare } from "../support/program.ts";
import type { PulumiRun } from "../support/pulumiRun.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

/** What the tests do to a Content and to a Livestream alike. */
interface Kind {
    readonly path: string;
    /** Declares one of it. */
    declare(more?: Args, options?: string): string;
    /** A change of its arguments that makes another object of it. */
    readonly replacing: Args;
    /** What is really there. */
    ids(): string[];
}

describe("After a kill -9 (S1, S8)", function () {
    this.timeout(180_000);
    const lab = useLab();
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const content: Kind = {
        path: "/contents",
        declare: (more) =>
            declare("Content", "video", { title: "One", content: [{ url: lab.media.video() }], ...more }),
        replacing: { playbackPolicy: ["signed"] },
        ids: () => lab.emulator.contents().map(({ contentId }) => contentId),
    };
    const livestream: Kind = {
        path: "/livestreams",
        declare: (more, options) =>
            declare("Livestream", "stream", { title: "One", region: "us-east-1", ...more }, options),
        replacing: { record: true },
        ids: () => lab.emulator.livestreams().map(({ streamUUID }) => streamUUID),
    };
    const kinds = [content, livestream];
    const ids = () => kinds.flatMap((kind) => kind.ids());

    /** One of each kind. A client's first request goes alone; with a provider process each, both are under way at once. */
    const both = (more: (kind: Kind) => Args = () => ({})) =>
        content.declare(more(content)) +
        `const provider = new videograph.Provider("second");\n${livestream.declare(more(livestream), "{ provider }")}`;

    /** Both requests have come, or have been carried out. */
    const bothRequests = (method: string, accepted: boolean) =>
        Promise.all(
            kinds.map(({ path }) =>
                lab.emulator.waitForRequest(
                    (request) =>
                        request.method === method && request.path.includes(path) && (request.accepted || !accepted),
                    60_000,
                ),
            ),
        );
    const accepted = (method: string) => bothRequests(method, true);
    const carriedOut = (method: string) => sentBy(lab.emulator, method).filter(({ accepted }) => accepted);
    const stackOf = async (program: string) => {
        const stack = await lab.stack(program);
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        return stack;
    };
    const startUp = (stack: TestStack) => stack.start("up", "--yes", "--skip-preview");

    /** What the next run sends. The engine's lock outlives a killed CLI: that is what `cancel` is for. */
    async function nextRun(stack: TestStack, run: (stack: TestStack) => Promise<unknown>): Promise<string[]> {
        lab.emulator.clearFaults();
        await stack.run("cancel", "--yes");
        return requestsOf(lab.emulator, () => run(stack));
    }
    const nextUp = (stack: TestStack) => nextRun(stack, () => stack.up());
    const creates = (requests: readonly string[]) => requests.filter((request) => request.startsWith("POST"));
    const about = (requests: readonly string[], { path }: Kind) => requests.filter((request) => request.includes(path));

    /** The state, the service and the journal agree, and nothing is left to do. */
    async function allIsWell(stack: TestStack): Promise<void> {
        const recorded = (await stack.resources()).map(({ id = "" }) => id);
        assert.deepEqual(ids().sort(), recorded.sort());
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        assert.deepEqual(await journalOf(stack), []);
        assert.deepEqual(providersIn(stack.folder), []);
    }

    /** Both creates are carried out and never answered; then everything is killed. Gives the ids. */
    async function killedBeforeTheAnswer(stack: TestStack): Promise<string[]> {
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
        const up = startUp(stack);
        await accepted("POST");
        await killBoth(stack, up);
        return ids();
    }

    describe("of a create", () => {
        it("that was accepted and never answered, the object is found and nothing is sent again", async () => {
            const stack = await stackOf(both());
            const created = await killedBeforeTheAnswer(stack);
            const requests = await nextUp(stack);
            // Looking for it, the final look, and what any create reads.
            for (const kind of kinds) assert.ok(about(requests, kind).length <= 8, `${requests}`);
            assert.deepEqual(creates(requests), []);
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
            await stack.destroy();
            assert.deepEqual(ids(), []);
        });

        it("that was answered and not recorded by the engine, the journal has its id", async () => {
            lab.emulator.inject({ kind: "latency", ms: 1_000, when: "after", method: "POST" });
            const stack = await stackOf(both((kind) => (kind === content ? { waitForReady: false } : {})));
            const up = startUp(stack);
            await accepted("POST");
            up.freeze();
            const created = ids();
            assert.equal(created.length, 2);
            await waitFor("the journal to have the ids", async () => {
                const journal = (await journalOf(stack)).join();
                return created.every((id) => journal.includes(id));
            });
            await killBoth(stack, up);
            assert.deepEqual(await stack.resources(), []);
            const requests = await nextUp(stack);
            assert.deepEqual(ids(), created);
            for (const kind of kinds) {
                // No search: the final look for a second object is the one list.
                assert.deepEqual(about(requests, kind)[0], `GET ${kind.path}/${kind.ids()[0]}`);
                assert.ok(about(requests, kind).length <= 4, `${requests}`);
            }
            await allIsWell(stack);
        });

        it("that the service accepts long after, the next run waits for it", async () => {
            lab.emulator.inject({ kind: "latency", ms: 6_000, when: "before", method: "POST" });
            const stack = await stackOf(both());
            const up = startUp(stack);
            await bothRequests("POST", false);
            await killBoth(stack, up);
            assert.deepEqual(ids(), []);
            await nextUp(stack);
            assert.equal(ids().length, 2);
            await allIsWell(stack);
        });

        it("that never reached the service, the next run creates it", async () => {
            lab.emulator.inject({ kind: "hang", when: "before", method: "POST" });
            const stack = await stackOf(both());
            const up = startUp(stack);
            await bothRequests("POST", false);
            await killBoth(stack, up);
            const requests = await nextUp(stack);
            assert.equal(creates(requests).length, 2);
            // Five looks and the final one.
            for (const kind of kinds) assert.ok(about(requests, kind).length <= 12, `${requests}`);
            await allIsWell(stack);
        });

        it("by a killed CLI alone, the provider waits for the answer, writes it down and ends", async () => {
            lab.emulator.inject({ kind: "latency", ms: 3_000, when: "after", method: "POST" });
            const stack = await stackOf(both());
            const up = startUp(stack);
            await accepted("POST");
            up.kill();
            await up.result;
            assert.notDeepEqual(providersIn(stack.folder), []);
            await waitFor("the providers to end", () => providersIn(stack.folder).length === 0, 60_000);
            const created = ids();
            const journal = (await journalOf(stack)).join();
            for (const id of created) assert.match(journal, new RegExp(id));
            const requests = await nextUp(stack);
            for (const kind of kinds) {
                assert.deepEqual(about(requests, kind)[0], `GET ${kind.path}/${kind.ids()[0]}`);
            }
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
        });

        it("by a killed provider alone, the run fails and the next one goes on", async () => {
            lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
            const stack = await stackOf(both());
            const up = startUp(stack);
            await accepted("POST");
            killAll(providersIn(stack.folder));
            assert.notEqual((await up.result).code, 0);
            const created = ids();
            await nextUp(stack);
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
        });

        it("and of the run that looks for it, the third one finds it", async () => {
            const stack = await stackOf(both());
            const created = await killedBeforeTheAnswer(stack);
            await stack.run("cancel", "--yes");
            lab.emulator.clearFaults();
            lab.emulator.clearRequests();
            lab.emulator.inject({ kind: "hang", method: "GET" });
            const second = startUp(stack);
            await bothRequests("GET", false);
            await killBoth(stack, second);
            await nextUp(stack);
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
        });

        it("and a rotated token, the object is found all the same", async () => {
            lab.emulator.addToken({ id: "rotated", secret: "rotated-secret-44", environmentId: 1 });
            const stack = await stackOf(both());
            const created = await killedBeforeTheAnswer(stack);
            stack.secrets.push("rotated-secret-44");
            Object.assign(stack.env, {
                VIDEOGRAPH_ACCESS_TOKEN_ID: "rotated",
                VIDEOGRAPH_SECRET_KEY: "rotated-secret-44",
            });
            await nextUp(stack);
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
        });

        it("and a program that wants another object by now, the first one goes", async () => {
            const stack = await stackOf(both());
            const created = await killedBeforeTheAnswer(stack);
            await stack.program(both((kind) => kind.replacing));
            await nextUp(stack);
            await waitFor("the first ones to be gone", () => !ids().some((id) => created.includes(id)));
            await allIsWell(stack);
        });

        it("that replaces another one, the next run replaces it once", async () => {
            const stack = await stackOf(both());
            await stack.up();
            const old = ids();
            lab.emulator.clearRequests();
            await stack.program(both((kind) => kind.replacing));
            const created = (await killedBeforeTheAnswer(stack)).filter((id) => !old.includes(id));
            assert.equal(created.length, 2);
            await nextUp(stack);
            await waitFor("the old ones to be gone", () => !ids().some((id) => old.includes(id)));
            assert.deepEqual(ids(), created);
            await allIsWell(stack);
        });
    });

    it("of an update, the next run makes it", async () => {
        const stack = await stackOf(both());
        await stack.up();
        const before = ids();
        lab.emulator.inject({ kind: "hang", when: "after", method: "PUT" });
        await stack.program(both(() => ({ title: "Two" })));
        const up = startUp(stack);
        await accepted("PUT");
        await killBoth(stack, up);
        await stack.program(both(() => ({ title: "Three" })));
        await nextUp(stack);
        assert.deepEqual(ids(), before);
        const titles = [...lab.emulator.contents(), ...lab.emulator.livestreams()].map(({ title }) => title);
        assert.deepEqual(titles, ["Three", "Three"]);
        await allIsWell(stack);
    });

    it("of two destroys, the third one ends it", async () => {
        const stack = await stackOf(both());
        await stack.up();
        lab.emulator.inject({ kind: "hang", when: "after", method: "DELETE" });
        // The engine deletes one after the other.
        for (const deleted of [1, 2]) {
            const destroy = stack.start("destroy", "--yes", "--skip-preview");
            await waitFor("a deletion", () => carriedOut("DELETE").length === deleted, 60_000);
            await killBoth(stack, destroy);
            await stack.run("cancel", "--yes");
        }
        await nextRun(stack, () => stack.destroy());
        assert.deepEqual(await stack.resources(), []);
        assert.deepEqual(ids(), []);
        assert.deepEqual(providersIn(stack.folder), []);
    });

    it("of two runs that wait for Ready, the third one ends with the same content", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await stackOf(content.declare());
        for (const _ of ["first", "second"]) {
            lab.emulator.clearRequests();
            const up = startUp(stack);
            await waitFor("the wait for Ready", () => sentBy(lab.emulator, "GET").length > 2);
            await killBoth(stack, up);
            await stack.run("cancel", "--yes");
        }
        const [id = "none", ...others] = ids();
        assert.deepEqual(others, []);
        lab.emulator.setContentStatus(id, "Ready");
        assert.deepEqual(creates(await nextUp(stack)), []);
        assert.deepEqual(ids(), [id]);
        await allIsWell(stack);
    });

    it("in the midst of many creates that are alike, each resource has one object in the end", async () => {
        const names = ["a", "b", "c", "d", "e", "f"];
        const program = names.map(
            (name) =>
                declare("Content", `content-${name}`, { title: "One", content: [{ url: lab.media.video() }] }) +
                declare("Livestream", `stream-${name}`, { title: "One", region: "us-east-1" }),
        );
        // Some are answered, some accepted, some neither, some not sent at all.
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 4, times: 2 });
        lab.emulator.inject({ kind: "latency", ms: 200, maxMs: 3_000, method: "POST", after: 2 });
        const stack = await stackOf(program.join(""));
        const up = startUp(stack);
        await waitFor("six objects", () => ids().length >= 6, 60_000);
        await killBoth(stack, up);
        await nextUp(stack);
        assert.equal(ids().length, 2 * names.length);
        await allIsWell(stack);
        await stack.destroy();
        await waitFor("the service to be empty", () => ids().length === 0);
    });
});

/** `kill -9` of the CLI and its provider, at once. */
async function killBoth(stack: TestStack, run: PulumiRun): Promise<void> {
    const providers = providersIn(stack.folder);
    assert.notDeepEqual(providers, []);
    run.kill();
    killAll(providers);
    await run.result;
    await waitFor("the provider to be gone", () => providersIn(stack.folder).length === 0);
}

/** The journal's files: what creates are pending. */
async function journalOf(stack: TestStack): Promise<string[]> {
    const folder = stack.env.VIDEOGRAPH_JOURNAL_DIR ?? assert.fail("The test has no journal of its own");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
}
