/** examples/video-library: a folder of descriptions becomes a library of videos, and follows the folder. */
import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { requestsOf } from "../support/requests.ts";
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
    const lab = useLab({ processingTimeMs: 1000 });

    async function library(): Promise<TestStack> {
        const stack = await exampleStack(lab, "video-library");
        await stack.config("sourceBaseUrl", lab.media.video(""));
        return stack;
    }
    const catalogueOf = async (stack: TestStack) => (await stack.outputs()).catalogue as Record<string, CatalogueEntry>;
    const storedAt = (path: string) => lab.emulator.contents().find((content) => pathOf(content.metadata) === path);
    const pathOf = (metadata: readonly { key: string; value: string }[]) =>
        metadata.find(({ key }) => key === "path")?.value;

    it("previews without credentials, makes a content of each description and waits once for all", async () => {
        const stack = await library();
        const episodes = join(stack.folder, "videos", "archive");
        await mkdir(episodes);
        for (let number = 1; number <= 40; number++) {
            const description = `title: Tape ${number}\nsource: tapes/${number}.mp4\ntags: [tape]\n`;
            await writeFile(join(episodes, `tape-${String(number).padStart(3, "0")}.yaml`), description);
        }

        const credentials = { ...stack.env };
        for (const name of Object.keys(stack.env)) stack.env[name] = undefined;
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.preview()), []);
        Object.assign(stack.env, credentials);

        const requests = await requestsOf(lab.emulator, () => stack.up());
        assert.equal(requests.filter((request) => request === "POST /contents").length, 46);
        const catalogue = await catalogueOf(stack);
        assert.equal(Object.keys(catalogue).length, 46);
        const keepers = catalogue["lighthouse/keepers"];
        assert.equal(keepers?.title, "The keepers");
        assert.equal((await fetch(keepers.playbackUrl)).status, 200);
        for (const { status } of lab.emulator.contents()) assert.equal(status, "Ready");

        const stored = storedAt("lighthouse/keepers");
        assert.equal(stored?.contentId, keepers.contentId);
        assert.deepEqual([...stored.tags].sort(), ["history", "lighthouse", "people"]);
        assert.deepEqual(stored.sourceUrls, [lab.media.video("lighthouse/keepers.mp4")]);
        assert.deepEqual(storedAt("lighthouse/uncut-interview")?.playbackPolicy, ["signed"]);
        assert.match((await stack.resource("lighthouse/keepers")).urn, /VideoLibrary\$example:VideoCollection\$/);

        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("follows the folder: a change, a file that moves, one that goes", async () => {
        const stack = await library();
        await stack.up();
        const before = await catalogueOf(stack);
        const videos = join(stack.folder, "videos");

        const keepers = join(videos, "lighthouse", "keepers.yaml");
        await writeFile(keepers, (await readFile(keepers, "utf8")).replace("The keepers", "Three keepers"));
        const changed = await requestsOf(lab.emulator, () => stack.up());
        assert.deepEqual(
            changed.filter((request) => !request.startsWith("GET")),
            [`PUT /contents/${before["lighthouse/keepers"]?.contentId}`],
        );

        const moved = join(videos, "people.yaml");
        await rename(keepers, moved);
        await writeFile(moved, `${await readFile(moved, "utf8")}formerly: lighthouse/keepers\n`);
        await rm(join(videos, "harbour", "ice.json"));
        await stack.up();
        const after = await catalogueOf(stack);
        assert.equal(after.people?.contentId, before["lighthouse/keepers"]?.contentId);
        assert.equal(after["harbour/ice"], undefined);
        assert.equal(lab.emulator.content(before["harbour/ice"]?.contentId ?? ""), undefined);
        assert.equal(lab.emulator.contents().length, 5);
        assert.equal(storedAt("people")?.title, "Three keepers");
    });

    it("refuses descriptions that are wrong before anything is sent, and names the files and lines", async () => {
        const stack = await library();
        const videos = join(stack.folder, "videos");
        await writeFile(join(videos, "untitled.yaml"), "source: a.mp4\nTags: [a]\n");
        await writeFile(join(videos, "open.json"), '{ "title": "Open"\n');
        await writeFile(join(videos, "welcome.json"), '{ "title": "Twice", "source": "b.mp4" }\n');
        await writeFile(join(videos, "harbour", "hidden.yaml"), "title: Hidden\nsource: c.mp4\nplayback: private\n");
        const requests = await requestsOf(lab.emulator, () =>
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

    it("replaces a video that failed by `pulumi up --refresh`, and leaves the others alone", async () => {
        const stack = await library();
        lab.emulator.inject({ kind: "processing", fail: "no video track", title: "Night shift" });
        const failed = await stack.upFails(/1 of 6 contents did not become Ready/, /no video track/);
        const broken = storedAt("harbour/night-shift");
        assert.ok(broken !== undefined && failed.output.includes(broken.contentId));
        lab.emulator.clearFaults();
        const requests = await requestsOf(lab.emulator, () => stack.up("--refresh"));
        assert.equal(requests.filter((request) => request.startsWith("POST")).length, 1);
        assert.notEqual(storedAt("harbour/night-shift")?.contentId, broken.contentId);
        assert.equal(Object.keys(await catalogueOf(stack)).length, 6);
    });
});
