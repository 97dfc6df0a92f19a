/** examples/video-library: a folder of descriptions becomes a library of videos, and follows the folder. */
import assert from "node:assert/strict";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { exampleStack } from "./exampleStack.ts";

describe("The video library", () => {
    const testbed = useTestbed();

    const library = async () => {
        const stack = await exampleStack(testbed, "video-library");
        await stack.config("sourceBaseUrl", testbed.media.video(""));
        return stack;
    };
    const writesOf = async (run: () => Promise<unknown>) =>
        (await requestsOf(testbed.emulator, run)).filter((request) => !request.startsWith("GET")).sort();
    const stored = (title: string) => testbed.emulator.contents().find((content) => content.title === title);

    it("creates a video for each file, replaces what failed, and follows the folder", async () => {
        const stack = await library();
        testbed.emulator.inject({ kind: "processing", fail: "no video track", title: "Night shift" });
        await stack.upFails(/harbour\.night-shift/, /no video track/);
        const broken = stored("Night shift");
        testbed.emulator.clearFaults();
        const replaced = await writesOf(() => stack.up());
        assert.deepEqual(replaced, [`DELETE /contents/${broken?.contentId}`, "POST /contents"]);

        const { catalogue } = (await stack.outputs()) as { catalogue: Record<string, { playbackUrl: string }> };
        const keys = ["building", "keepers", "uncut-interview"].map((name) => `lighthouse.${name}`);
        assert.deepEqual(Object.keys(catalogue).sort(), ["harbour.ice", "harbour.night-shift", ...keys, "welcome"]);
        const keepers = stored("The keepers");
        assert.equal((await fetch(catalogue["lighthouse.keepers"]?.playbackUrl ?? "")).status, 200);
        assert.deepEqual(keepers?.sourceUrls, [testbed.media.video("lighthouse/keepers.mp4")]);
        assert.deepEqual(keepers?.playbackPolicy, ["public"]);
        assert.deepEqual(stored("Interview with the last keeper, uncut")?.playbackPolicy, ["signed"]);

        const [ice, welcome] = [stored("The year of the ice"), stored("Welcome")];
        const videos = join(stack.folder, "videos");
        const file = join(videos, "lighthouse", "keepers.yaml");
        await writeFile(file, (await readFile(file, "utf8")).replace("The keepers", "Three keepers"));
        await rm(join(videos, "harbour", "ice.yaml"));
        await rename(join(videos, "welcome.yaml"), join(videos, "hello.yaml"));
        assert.deepEqual(await writesOf(() => stack.up()), [
            ...[`DELETE /contents/${ice?.contentId}`, `DELETE /contents/${welcome?.contentId}`].sort(),
            ...["POST /contents", `PUT /contents/${keepers?.contentId}`],
        ]);
        assert.equal(testbed.emulator.contents().length, 5);
    });

    it("refuses descriptions that are wrong before anything is sent, and names the videos and files", async () => {
        const stack = await library();
        const videos = join(stack.folder, "videos");
        await writeFile(join(videos, "untitled.yaml"), "source: a.mp4\nTags: [a]\n");
        await writeFile(join(videos, "harbour", "hidden.yaml"), "title: Hidden\nplaybackPolicy: [private]\n");
        const requests = await requestsOf(testbed.emulator, async () => {
            const hidden = [/harbour\.hidden.*content/, /harbour\.hidden.*playbackPolicy/];
            await stack.previewFails(/untitled.*title/, /untitled.*Tags/, ...hidden);
            await writeFile(join(videos, "open.yaml"), "title: [Open\n");
            await stack.previewFails(/videos\/open\.yaml: .*line/);
        });
        assert.deepEqual(requests, []);
    });
});
