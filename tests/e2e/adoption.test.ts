/** Adopted objects and versioned sources over several runs: previews say what happens, and nothing throws. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { killed } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import { waitFor } from "../support/waitFor.ts";

const trailer = (inputs: object) =>
    `exports.id = new videograph.Content("trailer", ${JSON.stringify(inputs)}, { customTimeouts: { create: "30s" } }).id;`;

describe("Adopted contents", function () {
    this.timeout(180_000);
    const lab = useLab();

    it("are replaced once importId is given up for a source, and the preview says so", async () => {
        const { contentId: importId } = lab.emulator.addContent({ title: "Theirs", playback_policy: ["signed"] });
        const stack = await lab.stack(trailer({ title: "Trailer", importId }));
        const adopting = await stack.preview();
        assert.match(adopting.output, /The existing Content that importId names is adopted: nothing is created\./);
        await stack.up();
        await stack.program(
            trailer({ title: "Trailer", content: [{ url: lab.media.video() }], playbackPolicy: ["public"] }),
        );
        const preview = await stack.preview();
        assert.match(
            preview.output,
            /was adopted: a new one is created from the declared inputs, and the adopted one is deleted/,
        );
        assert.match(preview.output, /replace/);
        await stack.up();
        const [made, ...others] = lab.emulator.contents();
        assert.deepEqual(others, []);
        assert.notEqual(made?.contentId, importId);
        assert.deepEqual(await stack.planned(), []);
    });

    it("that Failed, or whose policy was changed outside, refresh; the way out is in the preview and the error", async () => {
        const { contentId: importId } = lab.emulator.addContent({ title: "Theirs", playback_policy: ["public"] });
        const stack = await lab.stack(trailer({ title: "Theirs", importId, playbackPolicy: ["public"] }));
        await stack.up();
        lab.emulator.setContentStatus(importId, "Failed", "broken");
        await stack.refresh();
        const preview = await stack.preview();
        assert.match(
            preview.output,
            /status: this needs a replacement, and a resource with importId cannot be replaced/,
        );
        await stack.fails(["up", "--yes", "--skip-preview"], /Remove importId from the program first/);
        await stack.program(trailer({ title: "Theirs", content: [{ url: lab.media.video() }] }));
        await stack.up();
        assert.deepEqual(
            lab.emulator.contents().map(({ status }) => status),
            ["Ready"],
        );
    });

    it("are adopted by one resource alone: a second one with the same importId is refused in the preview", async () => {
        const { contentId: importId } = lab.emulator.addContent({ title: "Theirs" });
        const two = ["a", "b"].map(
            (name) => `new videograph.Content("${name}", { title: "${name}", importId: "${importId}" });`,
        );
        const stack = await lab.stack(two.join("\n"));
        await stack.previewFails(/has the same importId/);
        assert.deepEqual(lab.emulator.requests, []);
    });

    it("keep their object when a run that replaces them was killed before its delete: the next one deletes it neither", async () => {
        const importId = lab.emulator.addLivestream({ title: "Theirs" }).streamUUID;
        const adopted = declare("Livestream", "stage", { title: "Theirs", importId });
        const stack = await lab.stack(adopted);
        await stack.up();
        const { urn } = await stack.resource("stage");
        // The engine deletes when all else is done.
        lab.emulator.inject({ kind: "hang", when: "before", method: "GET", path: "/contents/*" });
        await stack.program(adopted + trailer({ title: "Trailer", content: [{ url: lab.media.video() }] }));
        const replacing = stack.start("up", "--yes", "--skip-preview", "--replace", urn);
        const ofStage = async () => (await stack.resources()).filter((one) => one.urn === urn);
        await waitFor("the state to have old and new", async () => (await ofStage()).length === 2, 60_000);
        await killed(stack, replacing);
        lab.emulator.clearFaults();
        const { output } = await stack.up();
        assert.match(output, /was kept and not replaced: importId names it/);
        assert.deepEqual(
            (await ofStage()).map(({ id }) => id),
            [importId],
        );
        assert.deepEqual(
            lab.emulator.livestreams().map(({ streamUUID }) => streamUUID),
            [importId],
        );
        await stack.up("--expect-no-changes");
        await stack.destroy();
        assert.deepEqual(lab.emulator.livestreams(), []);
    });
});

describe("A source with a version", function () {
    this.timeout(180_000);
    const lab = useLab();

    it("may give it up while its URL is that of the last run", async () => {
        const source = (query: string) => [{ url: `${lab.media.video()}?signature=${query}` }];
        const stack = await lab.stack(trailer({ title: "Trailer", content: source("1"), sourceVersion: "1" }));
        await stack.up();
        await stack.program(trailer({ title: "Trailer", content: source("2"), sourceVersion: "1" }));
        await stack.up();
        await stack.program(trailer({ title: "Trailer", content: source("2") }));
        const before = lab.emulator.contents()[0]?.contentId;
        await stack.up();
        assert.deepEqual(await stack.planned(), []);
        assert.equal(lab.emulator.contents()[0]?.contentId, before);
        assert.equal(lab.emulator.contents().length, 1);
    });

    it("is not replaced in a preview that does not know its URL yet", async () => {
        const late = (version: string) => `
            const stage = new videograph.Livestream("stage", { title: "${version}", region: "us-east-1" });
            const url = pulumi.interpolate\`${lab.media.video()}?key=\${stage.status}\`;
            new videograph.Content("trailer", { title: "Trailer", content: [{ url }], sourceVersion: "1" }, { protect: true });`;
        const stack = await lab.stack(late("one"));
        await stack.up();
        await stack.program(late("two"));
        const { output } = await stack.preview();
        assert.doesNotMatch(output, /replace/);
        await stack.program(late("two").replace("{ protect: true }", "{ protect: false }"));
        await stack.up();
    });
});
