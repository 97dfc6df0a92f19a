/** A library that is killed, interrupted, unanswered or on another machine: exactly one object for each key (S1). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { killed } from "../support/oneObjectEach.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import type { Face, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A ContentLibrary that does not end (S1)", function () {
    this.timeout(600_000);
    const lab = useLab({ fetchSources: false, processingTimeMs: 300 });
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
        const stack = await lab.stack("");
        stack.face = face;
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        await stack.program(program);
        return stack;
    }
    const accepted = () => sentBy(lab.emulator, "POST").filter((request) => request.accepted).length;

    async function killedAt(stack: TestStack, posts: number): Promise<void> {
        lab.emulator.clearRequests();
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => accepted() >= posts, 100_000);
        await killed(stack, up);
        lab.emulator.clearFaults();
        lab.emulator.clearRequests();
    }

    /** One object for each key, all in the state, and nothing left to do. */
    async function allIsWell(stack: TestStack, count: number): Promise<void> {
        const ids = (await stack.outputs()).ids as string[];
        assert.equal(ids.length, count);
        assert.deepEqual(
            lab.emulator
                .contents()
                .map(({ contentId }) => contentId)
                .sort(),
            [...ids].sort(),
        );
        assert.equal(new Set(lab.emulator.contents().map(({ title }) => title)).size, count);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    }

    it("killed in its first up and in an update, with answers under way: the next up goes on, and makes none twice", async () => {
        const stack = await stackOf("dynamic", library(300));
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 100, times: 5 });
        await killedAt(stack, 180);
        const left = lab.emulator.contents().length;
        assert.ok(left >= 180 && left < 300, `${left} were created`);
        await stack.up();
        assert.equal(accepted(), 300 - left);
        await allIsWell(stack, 300);

        await stack.program(library(500));
        await killedAt(stack, 90);
        const more = lab.emulator.contents().length;
        assert.ok(more < 500);
        await stack.up();
        assert.equal(accepted(), 500 - more);
        await allIsWell(stack, 500);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });
});
