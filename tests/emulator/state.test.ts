import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "videograph-emulator";
import { call, createContent, createLivestream, eventually, serve, startStill } from "./support.ts";

describe("emulator: state file", () => {
    let folder: string;
    let stateFile: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
        stateFile = join(folder, "state", "objects.jsonl");
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("keeps contents, livestreams and signing keys as they were left", async () => {
        const first = await startStill({ stateFile });
        const content = await createContent(first.emulator, { metadata: [{ key: "a", value: "b" }] });
        const deleted = await createContent(first.emulator);
        const stream = await createLivestream(first.emulator);
        const deleting = await createLivestream(first.emulator);
        await call(first.emulator, "PUT", `/contents/${content}`, { title: "Renamed" });
        await call(first.emulator, "DELETE", `/contents/${deleted}`);
        await call(first.emulator, "DELETE", `/livestreams/${deleting}`);
        first.emulator.addSigningKey();
        const before = {
            contents: first.emulator.contents(),
            livestreams: first.emulator.livestreams(),
            keys: first.emulator.signingKeys(),
        };
        assert.deepEqual(
            before.livestreams.map((livestream) => livestream.streamUUID),
            [stream, deleting],
        );
        await first.emulator.close();

        const { emulator } = await startStill({ stateFile });
        await using _ = emulator;
        assert.deepEqual(
            { contents: emulator.contents(), livestreams: emulator.livestreams(), keys: emulator.signingKeys() },
            before,
        );
        assert.equal(emulator.content(content)?.title, "Renamed");
    });

    it("is written before the answer, so that even a kill loses nothing", async () => {
        const { emulator } = await startStill({ stateFile });
        await using _ = emulator;
        const id = await createContent(emulator);
        const left = join(folder, "left.jsonl");
        await writeFile(left, await readFile(stateFile));
        // What a kill in the middle of writing leaves behind the last complete line.
        await appendFile(left, '{"content":{"contentId":"unfin');
        const second = await startStill({ stateFile: left });
        await using __ = second.emulator;
        assert.ok(second.emulator.content(id));
        assert.equal(second.emulator.contents().length, 1);
    });

    it("refuses a damaged file and says where", async () => {
        const { emulator } = await startStill({ stateFile });
        await emulator.close();
        await appendFile(stateFile, "{broken\n");
        await assert.rejects(startStill({ stateFile }), /damaged in line 4/);
    });

    it("takes up sources that were on the way, and still plays those that had arrived", async () => {
        const waiting: (() => void)[] = [];
        await using sources = await serve((_request, response) => waiting.push(() => response.end("no video")));
        const first = await startEmulator({ stateFile, processingTimeMs: 0 });
        const arrived = await createContent(first, { content: [{ url: first.sampleUrl() }] });
        const late = await createContent(first, { content: [{ url: sources.url }] });
        await eventually(() => waiting.length === 1 && first.content(arrived)?.status === "Ready");
        await first.close();

        await using emulator = await startEmulator({ stateFile });
        const shown = (await call(emulator, "GET", `/contents/${arrived}`)).json.data;
        assert.equal((await fetch(shown.playbackUrl)).status, 200);
        await eventually(() => waiting.length === 2);
        assert.equal(emulator.content(late)?.status, "Preparing");
        waiting[1]?.();
        await eventually(() => emulator.content(late)?.status === "Failed");
    });

    it("grows by a line per change and is condensed at the next start", async () => {
        const lines = async () => (await readFile(stateFile, "utf8")).split("\n").length - 1;
        const first = await startStill({ stateFile });
        const keys = await lines();
        const id = await createContent(first.emulator);
        for (let index = 0; index < 10; index++) {
            await call(first.emulator, "PUT", `/contents/${id}`, { title: `t${index}` });
        }
        // One for the create, one for its source's end, ten for the updates.
        assert.equal((await lines()) - keys, 12);
        await first.emulator.close();
        const second = await startStill({ stateFile });
        await second.emulator.close();
        assert.equal((await lines()) - keys, 1);
    });
});
