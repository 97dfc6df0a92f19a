/** examples/video-library: a folder of descriptions becomes a library of videos, and follows the folder. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { exampleStack } from "./exampleStack.ts";

interface CatalogueEntry {
    contentId: string;
    title: string;
    playbackUrl: string;
    duration: number;
}

describe("The video library", function () {
    this.timeout(300_000);
    const testbed = useTestbed({ processingTimeMs: 1000 });

    async function library(): Promise<TestStack> {
        const stack = await exampleStack(testbed, "video-library");
        await stack.config("sourceBaseUrl", testbed.media.video(""));
        return stack;
    }
    const catalogueOf = async (stack: TestStack) => (await stack.outputs()).catalogue as Record<string, CatalogueEntry>;
    const writesOf = async (run: () => Promise<unknown>) =>
        (await requestsOf(testbed.emulator, run)).filter((request) => !request.startsWith("GET"));
    const storedAt = (path: string) => testbed.emulator.contents().find((content) => pathOf(content.metadata) === path);
    const pathOf = (metadata: readonly { key: string; value: string }[]) =>
        metadata.find(({ key }) => key === "path")?.value;

    it("waits once for all, replaces by `pulumi up --refresh` what failed, and follows the folder", async () => {
        const stack = await library();
        const videos = join(stack.folder, "videos");
        await mkdir(join(videos, "archive"));
        for (let number = 1; number <= 40; number++) {
            const description = `title: Tape ${number}\nsource: tapes/${number}.mp4\ntags: [tape]\n`;
            await writeFile(join(videos, "archive", `tape-${String(number).padStart(3, "0")}.yaml`), description);
        }
        testbed.emulator.inject({ kind: "processing", fail: "no video track", title: "Night shift" });
        const failed = await stack.upFails(/1 of 46 contents did not become Ready/, /no video track/);
        const broken = storedAt("harbour/night-shift");
        assert.ok(broken !== undefined && failed.output.includes(broken.contentId));
        testbed.emulator.clearFaults();
        const replaced = await writesOf(() => stack.up("--refresh"));
        assert.deepEqual(replaced.sort(), [`DELETE /contents/${broken.contentId}`, "POST /contents"]);
        assert.notEqual(storedAt("harbour/night-shift")?.contentId, broken.contentId);

        const before = await catalogueOf(stack);
        assert.equal(Object.keys(before).length, 46);
        const keepers = before["lighthouse/keepers"];
        assert.equal(keepers?.title, "The keepers");
        assert.equal((await fetch(keepers.playbackUrl)).status, 200);
        for (const { status } of testbed.emulator.contents()) assert.equal(status, "Ready");
        const stored = storedAt("lighthouse/keepers");
        assert.equal(stored?.contentId, keepers.contentId);
        assert.deepEqual([...stored.tags].sort(), ["history", "lighthouse", "people"]);
        assert.deepEqual(stored.sourceUrls, [testbed.media.video("lighthouse/keepers.mp4")]);
        assert.deepEqual(storedAt("lighthouse/uncut-interview")?.playbackPolicy, ["signed"]);
        assert.match((await stack.resource("lighthouse/keepers")).urn, /VideoLibrary\$example:VideoCollection\$/);

        // A change, a file that moves, one that goes.
        const file = join(videos, "lighthouse", "keepers.yaml");
        const text = (await readFile(file, "utf8")).replace("The keepers", "Three keepers");
        await writeFile(join(videos, "people.yaml"), `${text}formerly: lighthouse/keepers\n`);
        await rm(file);
        const tape = join(videos, "archive", "tape-001.yaml");
        await writeFile(tape, (await readFile(tape, "utf8")).replace("Tape 1", "The first tape"));
        await rm(join(videos, "harbour", "ice.json"));
        const first = before["archive/tape-001"]?.contentId;
        const ice = before["harbour/ice"]?.contentId;
        assert.deepEqual(
            (await writesOf(() => stack.up())).sort(),
            [`DELETE /contents/${ice}`, `PUT /contents/${first}`, `PUT /contents/${keepers.contentId}`].sort(),
        );
        assert.deepEqual(Object.keys(await catalogueOf(stack)).length, 45);
        assert.deepEqual(
            [storedAt("people")?.contentId, storedAt("people")?.title],
            [keepers.contentId, "Three keepers"],
        );
        assert.equal(testbed.emulator.contents().length, 45);
    });

    it("refuses descriptions that are wrong before anything is sent, and names the files and lines", async () => {
        const stack = await library();
        const videos = join(stack.folder, "videos");
        await writeFile(join(videos, "untitled.yaml"), "source: a.mp4\nTags: [a]\n");
        await writeFile(join(videos, "open.json"), '{ "title": "Open"\n');
        await writeFile(join(videos, "welcome.json"), '{ "title": "Twice", "source": "b.mp4" }\n');
        await writeFile(join(videos, "harbour", "hidden.yaml"), "title: Hidden\nsource: c.mp4\nplayback: private\n");
        const requests = await requestsOf(testbed.emulator, () =>
            stack.previewFails(
                /videos\/untitled\.yaml: title: /,
                /videos\/untitled\.yaml: Unrecognized key: "Tags"/,
                /videos\/open\.json:\d/,
                /videos\/welcome\.yaml: videos\/welcome\.json describes a video of the same name/,
                /videos\/harbour\/hidden\.yaml:3: playback: /,
            ),
        );
        assert.deepEqual(requests, []);
    });
});
