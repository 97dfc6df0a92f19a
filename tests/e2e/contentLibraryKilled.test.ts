/** A library that is killed, interrupted, unanswered or on another machine: exactly one object for each key (S1). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { decided, killedUp, refused, theOne } from "../support/law.ts";
import { killed } from "../support/oneObjectEach.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { SharedBackend } from "../support/sharedBackend.ts";
import { type Testbed, useTestbed } from "../support/testbed.ts";
import type { Face, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A ContentLibrary that does not end (S1)", function () {
    this.timeout(600_000);
    const testbed = useTestbed({ fetchSources: false, processingTimeMs: 300, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const library = (count: number, more = "") => `
        const contents = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["film-" + index, {
            title: "Film " + index, content: [{ url: "https://media.example.com/" + index + ".mp4" }],
        }]));
        const films = new videograph.ContentLibrary("films", { contents ${more} });
        exports.ids = films.contents.apply((all) => Object.values(all).map(({ contentId }) => contentId));`;

    async function stackOf(face: Face, program: string): Promise<TestStack> {
        const stack = await testbed.stack("");
        stack.face = face;
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        await stack.program(program);
        return stack;
    }
    const accepted = () => sentBy(testbed.emulator, "POST").filter((request) => request.accepted).length;

    async function killedAt(stack: TestStack, posts: number): Promise<void> {
        testbed.emulator.clearRequests();
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => accepted() >= posts, 100_000);
        await killed(stack, up);
        testbed.emulator.clearFaults();
        testbed.emulator.clearRequests();
    }

    /** One object for each key, all in the state, and nothing left to do. */
    async function allIsWell(stack: TestStack, count: number): Promise<void> {
        const ids = (await stack.outputs()).ids as string[];
        assert.equal(ids.length, count);
        assert.deepEqual(
            testbed.emulator
                .contents()
                .map(({ contentId }) => contentId)
                .sort(),
            [...ids].sort(),
        );
        assert.equal(new Set(testbed.emulator.contents().map(({ title }) => title)).size, count);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
    }

    it("killed in its first up and in an update, with answers under way: the next up goes on, and makes none twice", async () => {
        const stack = await stackOf("dynamic", library(300));
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 100, times: 5 });
        await killedAt(stack, 180);
        const left = testbed.emulator.contents().length;
        assert.ok(left >= 180 && left < 300, `${left} were created`);
        await stack.up();
        assert.equal(accepted(), 300 - left);

        await stack.program(library(500));
        await killedAt(stack, 90);
        const more = testbed.emulator.contents().length;
        assert.ok(more < 500);
        await stack.up();
        assert.equal(accepted(), 500 - more);
        await allIsWell(stack, 500);
    });

    it("killed, and then without one of its keys: the next up names what that has left, and takes it up once the key is back", async () => {
        const stack = await stackOf("dynamic", library(3));
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", title: "Film 2" });
        await killedAt(stack, 3);
        await stack.program(library(2));
        assert.match((await stack.up()).output, /while it created Content "films\/film-2"\..*VG3011/);
        assert.equal(testbed.emulator.contents().length, 3);
        await stack.program(library(3));
        testbed.emulator.clearRequests();
        await stack.up();
        assert.equal(accepted(), 0);
        await allIsWell(stack, 3);
    });

    it("interrupted once in the native face: everything is kept, and the next up goes on", async () => {
        const stack = await stackOf("native", library(200));
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => accepted() === 200, 100_000);
        up.interrupt();
        const { output, code } = await up.result;
        assert.notEqual(code, 0);
        assert.match(output, /interrupted after 0 of 200 contents of the library\..*VG4031/);
        testbed.emulator.clearFaults();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
        testbed.emulator.clearRequests();
        await stack.up();
        assert.equal(accepted(), 0);
        await allIsWell(stack, 200);
    });

    it("loses answers and is turned away: one object for each key", async () => {
        const stack = await stackOf("native", library(120));
        testbed.emulator.inject({ kind: "reset", when: "after", method: "POST", after: 20, times: 5 });
        testbed.emulator.inject({ kind: "status", status: 429, retryAfter: 1, after: 60, times: 20 });
        await stack.up();
        await allIsWell(stack, 120);
    });
});

describe("A ContentLibrary whose machine is lost (S1, S9)", function () {
    this.timeout(600_000);
    const testbed = useTestbed({ fetchSources: false, processingTimeMs: 300, speed: 5 });
    let backend: SharedBackend;
    before("an S3 service", async function () {
        this.timeout(300_000);
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") return this.skip();
        const started = await SharedBackend.start();
        if (typeof started === "string") {
            assert.ok(!process.env.CI, started);
            return this.skip();
        }
        backend = started;
    });
    after(async () => await backend?.[Symbol.asyncDispose]());

    const library = (...keys: string[]) => `
        const contents = Object.fromEntries(${JSON.stringify(keys)}.map((key) =>
            [key, { title: key, content: [{ url: "https://media.example.com/a.mp4?signature=hunter2" }] }]));
        exports.contents = new videograph.ContentLibrary("films", { contents }).contents;`;

    it("adopts what its first up has created; what an update has created is refused, and adopted by its id", async () => {
        const stack = await testbed.stack(library("harbour", "ice", "snow"));
        stack.secrets.push("hunter2");
        const onAnotherMachine = (machine: number) => {
            const home = join(stack.folder, `machine-${machine}`);
            Object.assign(stack.env, { PULUMI_HOME: home, VIDEOGRAPH_JOURNAL_DIR: join(home, "journal") });
        };
        onAnotherMachine(1);
        await backend.use(stack, await backend.bucket());
        testbed.emulator.inject({ kind: "hang", when: "before", method: "POST", title: "snow" });
        await killedUp(testbed, stack, 2);
        assert.equal(testbed.emulator.contents().length, 2);

        onAnotherMachine(2);
        await stack.up();
        assert.deepEqual(titlesOf(testbed), ["harbour", "ice", "snow"]);
        assert.equal(sentBy(testbed.emulator, "POST").length, 1);

        await stack.program(library("harbour", "ice", "snow", "rain", "fog"));
        await killedUp(testbed, stack, 2);
        onAnotherMachine(3);
        const [rain, fog] = [theOne(testbed, "rain"), theOne(testbed, "fog")];
        await refused(stack, rain, fog);
        await decided(stack, `${rain},${fog}`);
        assert.deepEqual(titlesOf(testbed), ["fog", "harbour", "ice", "rain", "snow"]);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
    });
});

function titlesOf({ emulator }: Testbed): string[] {
    return emulator
        .contents()
        .map(({ title }) => title)
        .sort();
}
