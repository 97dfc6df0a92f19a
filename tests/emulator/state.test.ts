// The state file: what an emulator leaves is there for the next one, whatever ended it.
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { serve } from "../support/media.ts";
import { waitFor } from "../support/waitFor.ts";
import { call, channel, createContent, ended } from "./support.ts";

describe("emulator: state file", () => {
    let folder: string;
    let stateFile: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
        stateFile = join(folder, "state.jsonl");
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));
    const kept = (of: Emulator) => [of.contents(), of.livestreams(), of.signingKeys()];
    const start = (options: EmulatorOptions = {}) => startEmulator({ stateFile, fetchSources: false, ...options });

    it("keeps contents, livestreams and signing keys as they were left", async () => {
        const now = () => Date.UTC(2026, 0, 1);
        const first = await start({ now });
        const content = await createContent(first, { metadata: [{ key: "a", value: "b" }] });
        const deleted = await createContent(first);
        const streams = [1, 2].map(() => call(first, "POST", "/livestreams", channel));
        const [, deleting] = (await Promise.all(streams)).map(({ json }) => json.data.streamUUID);
        await call(first, "PUT", `/contents/${content}`, { title: "Renamed" });
        await call(first, "DELETE", `/contents/${deleted}`);
        await call(first, "DELETE", `/livestreams/${deleting}`);
        first.addSigningKey();
        const before = kept(first);
        await first.close();
        await using second = await start({ now });
        assert.deepEqual(kept(second), before);
        assert.deepEqual([second.content(content)?.title, second.livestreams().length], ["Renamed", 2]);
    });

    it("is written before the answer, so that even a kill loses nothing", async () => {
        await using emulator = await start();
        const id = await createContent(emulator);
        const left = join(folder, "left.jsonl");
        // What a kill in the middle of writing leaves behind the last complete line.
        await writeFile(left, `${await readFile(stateFile, "utf8")}{"content":{"contentId":"unfin`);
        await using second = await start({ stateFile: left });
        assert.ok(second.content(id));
        assert.equal(second.contents().length, 1);
    });

    it("that is damaged or of something else is refused, with the line, and names no file elsewhere", async () => {
        const emulator = await start();
        const evil = emulator.addContent({ title: "Evil" });
        await emulator.close();
        await appendFile(stateFile, "{broken\n");
        await assert.rejects(start(), /damaged in line 5/);
        await writeFile(stateFile, '{"other":{}}\n');
        await assert.rejects(start(), /damaged in line 1/);
        await writeFile(join(folder, "precious"), "secret");
        const outcome = { playable: true, durationMs: 1, resolution: "1x1", file: "../precious" };
        await writeFile(stateFile, `${JSON.stringify({ content: { ...evil, outcome } })}\n`);
        await using second = await start();
        assert.equal((await fetch(`${second.url}/playback/${evil.contentId}/source.mp4`)).status, 404);
    });

    it("takes up sources that were on the way, still plays those that had arrived, and cleans up the rest", async () => {
        const waiting: (() => void)[] = [];
        await using server = await serve((_request, response) => waiting.push(() => response.end("no video")));
        const options = { fetchSources: true, processingTimeMs: 0 };
        const first = await start(options);
        const arrived = await createContent(first, { content: [{ url: first.sampleUrl() }] });
        const late = await createContent(first, { content: [{ url: server.url }] });
        await ended(first, arrived);
        await waitFor("the fetches", () => waiting.length === 1);
        await first.close();
        const kept = (await readdir(first.mediaFolder)).filter((name) => !name.startsWith("incoming-"));
        for (const name of ["incoming-1", "a".repeat(64), "notes.txt"])
            await writeFile(join(first.mediaFolder, name), "left");

        await using emulator = await start(options);
        const { playbackUrl } = (await call(emulator, "GET", `/contents/${arrived}`)).json.data;
        assert.equal((await fetch(playbackUrl)).status, 200);
        await waitFor("the fetches", () => waiting.length === 2);
        assert.equal(emulator.content(late)?.status, "Preparing");
        waiting[1]?.();
        assert.equal((await ended(emulator, late)).status, "Failed");
        const files = (await readdir(emulator.mediaFolder)).filter((name) => !name.endsWith(".hls"));
        assert.deepEqual(files.sort(), [...kept, "notes.txt"].sort());
    });

    it("grows by a line per change, and is condensed while it grows and at the next start", async () => {
        const lines = async () => (await readFile(stateFile, "utf8")).split("\n").length - 1;
        const first = await start();
        const keys = await lines();
        const id = await createContent(first, { description: "x".repeat(200_000) });
        for (let index = 0; index < 10; index++) first.updateContent(id, { title: `t${index}` });
        // One for the create, one for its source's end, ten for the updates.
        assert.equal((await lines()) - keys, 12);
        let largest = 0;
        for (let index = 10; index < 60; index++) {
            first.updateContent(id, { title: `t${index}` });
            largest = Math.max(largest, (await stat(stateFile)).size);
        }
        assert.ok(largest > 3e6 && largest < 6e6, `${largest} bytes`);
        await first.close();
        await using second = await start();
        assert.equal((await lines()) - keys, 1);
        assert.equal(second.content(id)?.title, "t59");
    });

    it("belongs to one emulator at a time", async () => {
        const first = await start();
        await assert.rejects(start(), /state\.jsonl is in use by another emulator/);
        await first.close();
        assert.deepEqual(await readdir(folder), ["state.jsonl", "state.jsonl.media"]);
    });

    it("that is removed closes the emulator, and its process goes on", async () => {
        const said = mock.method(console, "error", () => undefined);
        await using emulator = await start();
        await rm(folder, { recursive: true });
        await waitFor("the end", () => said.mock.callCount() > 0);
        await waitFor("the end", async () => (await fetch(emulator.url).catch(() => undefined)) === undefined);
        assert.equal(said.mock.callCount(), 1);
        said.mock.restore();
    });
});
