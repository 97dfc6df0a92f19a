/**
 * S1 and S8 at the worst moments, with real kills: `kill -9` of the CLI, of the provider, or of both. Whatever the moment,
 * the next run ends with exactly one object for each resource, and no provider process is left behind.
 */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoggedRequest } from "videograph-emulator";
import { useLab } from "../support/lab.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { type Args, declare } from "../support/program.ts";
import type { PulumiRun } from "../support/pulumiRun.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("After a kill -9 (S1, S8)", function () {
    this.timeout(180_000);
    const lab = useLab();
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const kinds: Record<string, { path: string; args(): Args; replacing: Args; ids(): string[] }> = {
        Content: {
            path: "/contents",
            args: () => ({ title: "One", content: [{ url: lab.media.video() }] }),
            replacing: { playbackPolicy: ["signed"] },
            ids: () => lab.emulator.contents().map(({ contentId }) => contentId),
        },
        Livestream: {
            path: "/livestreams",
            args: () => ({ title: "One", region: "us-east-1" }),
            replacing: { record: true },
            ids: () => lab.emulator.livestreams().map(({ streamUUID }) => streamUUID),
        },
    };
    const isPost = ({ method }: LoggedRequest) => method === "POST";
    const accepted = (method: string) =>
        lab.emulator.waitForRequest((request) => request.method === method && request.accepted, 60_000);
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

    /** The state, the service and the journal agree, and nothing is left to do. */
    async function allIsWell(stack: TestStack, ids: () => string[]): Promise<void> {
        const recorded = (await stack.resources()).map(({ id = "" }) => id);
        assert.deepEqual(ids().sort(), recorded.sort());
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        assert.deepEqual(await journalOf(stack), []);
        assert.deepEqual(providersIn(stack.folder), []);
    }

    for (const [className, { path, args, replacing, ids }] of Object.entries(kinds)) {
        describe(`of the create of a ${className}`, () => {
            const one = (more: Args = {}) => declare(className, "one", { ...args(), ...more });

            it("that was accepted and never answered, the object is found and nothing is sent again", async () => {
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await accepted("POST");
                await killBoth(stack, up);
                const [id] = ids();
                const requests = await nextUp(stack);
                // Looking for it, the final look, and what any create reads.
                assert.ok(requests.length <= 8, `${requests}`);
                assert.deepEqual(ids(), [id]);
                assert.deepEqual(
                    requests.filter((request) => request.startsWith("POST")),
                    [],
                );
                await allIsWell(stack, ids);
                await stack.destroy();
                assert.deepEqual(ids(), []);
            });

            it("that was answered and not recorded by the engine, the journal has its id", async () => {
                lab.emulator.inject({ kind: "latency", ms: 1_000, when: "after", method: "POST" });
                const stack = await stackOf(one({ ...(className === "Content" && { waitForReady: false }) }));
                const up = startUp(stack);
                await accepted("POST");
                up.freeze();
                const [id = "none"] = ids();
                await waitFor("the journal to have the id", async () => (await journalOf(stack)).join().includes(id));
                await killBoth(stack, up);
                assert.deepEqual(await stack.resources(), []);
                const requests = await nextUp(stack);
                assert.deepEqual(ids(), [id]);
                // No search: the final look for a second object is the one list.
                assert.deepEqual(requests[0], `GET ${path}/${id}`);
                assert.ok(requests.length <= 4, `${requests}`);
                await allIsWell(stack, ids);
            });

            it("that the service accepts long after, the next run waits for it", async () => {
                lab.emulator.inject({ kind: "latency", ms: 8_000, when: "before", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await lab.emulator.waitForRequest(isPost, 60_000);
                await killBoth(stack, up);
                assert.deepEqual(ids(), []);
                await nextUp(stack);
                assert.equal(ids().length, 1);
                await allIsWell(stack, ids);
            });

            it("that never reached the service, the next run creates it", async () => {
                lab.emulator.inject({ kind: "hang", when: "before", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await lab.emulator.waitForRequest(isPost, 60_000);
                await killBoth(stack, up);
                const requests = await nextUp(stack);
                assert.equal(requests.filter((request) => request.startsWith("POST")).length, 1);
                // Five looks and the final one.
                assert.ok(requests.length <= 12, `${requests}`);
                await allIsWell(stack, ids);
            });

            it("by a killed CLI alone, the provider waits for the answer, writes it down and ends", async () => {
                lab.emulator.inject({ kind: "latency", ms: 3_000, when: "after", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await accepted("POST");
                up.kill();
                await up.result;
                assert.notDeepEqual(providersIn(stack.folder), []);
                await waitFor("the provider to end", () => providersIn(stack.folder).length === 0, 60_000);
                const [id = "none"] = ids();
                assert.match((await journalOf(stack)).join(), new RegExp(id));
                const requests = await nextUp(stack);
                assert.deepEqual(requests[0], `GET ${path}/${id}`);
                assert.deepEqual(ids(), [id]);
                await allIsWell(stack, ids);
            });

            it("by a killed provider alone, the run fails and the next one goes on", async () => {
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await accepted("POST");
                killAll(providersIn(stack.folder));
                assert.notEqual((await up.result).code, 0);
                const [id] = ids();
                await nextUp(stack);
                assert.deepEqual(ids(), [id]);
                await allIsWell(stack, ids);
            });

            it("and of the run that looks for it, the third one finds it", async () => {
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                const stack = await stackOf(one());
                const first = startUp(stack);
                await accepted("POST");
                await killBoth(stack, first);
                await stack.run("cancel", "--yes");
                lab.emulator.clearFaults();
                lab.emulator.inject({ kind: "hang", method: "GET" });
                const second = startUp(stack);
                await lab.emulator.waitForRequest(({ method }) => method === "GET", 60_000);
                await killBoth(stack, second);
                await nextUp(stack);
                assert.equal(ids().length, 1);
                await allIsWell(stack, ids);
            });

            it("and a rotated token, the object is found all the same", async () => {
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                lab.emulator.addToken({ id: "rotated", secret: "rotated-secret-44", environmentId: 1 });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await accepted("POST");
                await killBoth(stack, up);
                stack.secrets.push("rotated-secret-44");
                Object.assign(stack.env, {
                    VIDEOGRAPH_ACCESS_TOKEN_ID: "rotated",
                    VIDEOGRAPH_SECRET_KEY: "rotated-secret-44",
                });
                await nextUp(stack);
                assert.equal(ids().length, 1);
                await allIsWell(stack, ids);
            });

            it("and a program that wants another object by now, the first one goes", async () => {
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                const stack = await stackOf(one());
                const up = startUp(stack);
                await accepted("POST");
                await killBoth(stack, up);
                const [first = "none"] = ids();
                await stack.program(one(replacing));
                await nextUp(stack);
                await waitFor("the first one to be gone", () => !ids().includes(first));
                await allIsWell(stack, ids);
            });

            it("that replaces another one, the next run replaces it once", async () => {
                const stack = await stackOf(one());
                await stack.up();
                const [old = "none"] = ids();
                lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
                lab.emulator.clearRequests();
                await stack.program(one(replacing));
                const up = startUp(stack);
                await accepted("POST");
                await killBoth(stack, up);
                const created = ids().filter((id) => id !== old);
                assert.equal(created.length, 1);
                await nextUp(stack);
                await waitFor("the old one to be gone", () => !ids().includes(old));
                assert.deepEqual(ids(), created);
                await allIsWell(stack, ids);
            });
        });

        it(`of the update of a ${className}, the next run makes it`, async () => {
            const program = (title: string) => declare(className, "one", { ...args(), title });
            const stack = await stackOf(program("One"));
            await stack.up();
            const before = ids();
            lab.emulator.inject({ kind: "hang", when: "after", method: "PUT" });
            await stack.program(program("Two"));
            const up = startUp(stack);
            await accepted("PUT");
            await killBoth(stack, up);
            await stack.program(program("Three"));
            await nextUp(stack);
            assert.deepEqual(ids(), before);
            const [object] = [...lab.emulator.contents(), ...lab.emulator.livestreams()];
            assert.equal(object?.title, "Three");
            await allIsWell(stack, ids);
        });

        it(`of the destroy of a ${className}, the next one ends it`, async () => {
            const stack = await stackOf(declare(className, "one", args()));
            await stack.up();
            lab.emulator.inject({ kind: "hang", when: "after", method: "DELETE" });
            const destroy = stack.start("destroy", "--yes", "--skip-preview");
            await accepted("DELETE");
            await killBoth(stack, destroy);
            await nextRun(stack, () => stack.destroy());
            assert.deepEqual(await stack.resources(), []);
            assert.deepEqual(ids(), []);
            assert.deepEqual(providersIn(stack.folder), []);
        });
    }

    it("of two runs that wait for Ready, the third one ends with the same content", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const { args, ids } = kinds.Content ?? assert.fail();
        const stack = await stackOf(declare("Content", "one", args()));
        const polls = () => sentBy(lab.emulator, "GET").filter(({ path }) => /contents\/./.test(path));
        for (const _ of ["first", "second"]) {
            lab.emulator.clearRequests();
            const up = startUp(stack);
            await waitFor("the wait for Ready", () => polls().length > 2);
            await killBoth(stack, up);
            await stack.run("cancel", "--yes");
        }
        const [id = "none", ...others] = ids();
        assert.deepEqual(others, []);
        lab.emulator.setContentStatus(id, "Ready");
        const requests = await nextUp(stack);
        assert.deepEqual(
            requests.filter((request) => request.startsWith("POST")),
            [],
        );
        assert.deepEqual(ids(), [id]);
        await allIsWell(stack, ids);
    });

    it("in the midst of many creates that are alike, each resource has one object in the end", async () => {
        const names = ["a", "b", "c", "d", "e", "f"];
        const { Content, Livestream } = kinds;
        assert.ok(Content && Livestream);
        const program = names.map(
            (name) =>
                declare("Content", `content-${name}`, Content.args()) +
                declare("Livestream", `stream-${name}`, Livestream.args()),
        );
        const ids = () => [...Content.ids(), ...Livestream.ids()];
        // Some are answered, some accepted, some neither, some not sent at all.
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 4, times: 2 });
        lab.emulator.inject({ kind: "latency", ms: 200, maxMs: 3_000, method: "POST", after: 2 });
        const stack = await stackOf(program.join(""));
        const up = startUp(stack);
        await waitFor("six objects", () => ids().length >= 6, 60_000);
        await killBoth(stack, up);
        await nextUp(stack);
        assert.equal(ids().length, 2 * names.length);
        await allIsWell(stack, ids);
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
