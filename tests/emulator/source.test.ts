import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { type Emulator, type EmulatorOptions, sampleVideo, startEmulator } from "videograph-emulator";
import { call, createContent, eventually, longerVideo, serve } from "./support.ts";

/** How a content made from these bytes, served at a URL, ends. */
async function fate(bytes: Uint8Array | string, options: EmulatorOptions = {}) {
    await using sources = await serve((_request, response) => response.end(bytes));
    await using emulator = await startEmulator({ processingTimeMs: 0, ...options });
    // Awaited here: what is returned as a promise would outlive the servers.
    return await ended(emulator, await createContent(emulator, { content: [{ url: `${sources.url}/a.mp4` }] }));
}

async function ended(emulator: Emulator, id: string) {
    return eventually(() => {
        const content = emulator.content(id);
        return (content?.status === "Ready" || content?.status === "Failed") && content;
    });
}

/** Where the four letters of a box's type stand in a file. */
function boxOffset(bytes: Uint8Array, type: string): number {
    const offset = Buffer.from(bytes).indexOf(type, 0, "latin1");
    assert.ok(offset >= 0, `no ${type} box`);
    return offset;
}

describe("emulator: sources", () => {
    /** The sample as a file of another type, which is another major brand. */
    const branded = async (brand: string) => {
        const bytes = await sampleVideo();
        bytes.set(Buffer.from(brand), boxOffset(bytes, "ftyp") + 4);
        return bytes;
    };
    const videos: [string, () => Promise<Uint8Array>, number][] = [
        ["MP4", sampleVideo, 2000],
        ["MOV", () => branded("qt  "), 2000],
        ["M4V", () => branded("M4V "), 2000],
        ["a longer MP4", () => longerVideo(2), 4000],
    ];
    for (const [what, make, durationMs] of videos) {
        it(`reads duration and resolution from the file: ${what}`, async () => {
            const content = await fate(await make());
            assert.deepEqual([content.status, content.durationMs, content.resolution], ["Ready", durationMs, "160x90"]);
        });
    }

    it("stays Preparing until the source has arrived, however short the processing time", async () => {
        let finish: (() => void) | undefined;
        await using sources = await serve(async (_request, response) => {
            const video = await sampleVideo();
            response.write(video.subarray(0, 100));
            finish = () => response.end(video.subarray(100));
        });
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const id = await createContent(emulator, { content: [{ url: sources.url }] });
        const end = await eventually(() => finish);
        assert.equal((await call(emulator, "GET", `/contents/${id}`)).json.data.status, "Preparing");
        end();
        assert.equal((await ended(emulator, id)).status, "Ready");
    });

    const broken: [string, (video: Uint8Array) => Uint8Array | string, RegExp][] = [
        ["nothing", () => "", /not an MP4, MOV or M4V/],
        ["a few bytes", () => "no video", /not an MP4, MOV or M4V/],
        ["a page", () => "<!doctype html><title>Not found</title>".repeat(50), /not an MP4, MOV or M4V/],
        ["another container", () => Buffer.from("1a45dfa3a3428681014286810142f28104", "hex"), /not an MP4, MOV or M4V/],
        ["a lone file type box", (video) => video.subarray(0, boxOffset(video, "moov") - 4), /no video track/],
        ["a file cut short", (video) => video.subarray(0, video.length - 2000), /damaged or incomplete/],
    ];
    for (const [what, make, reason] of broken) {
        it(`fails on ${what}`, async () => {
            const content = await fate(make(await sampleVideo()));
            assert.equal(content.status, "Failed");
            assert.match(content.failureReason ?? "", reason);
        });
    }

    it("fails on an error answer, an unreachable server and one that is too slow", async () => {
        await using sources = await serve((request, response) => {
            if (request.url !== "/slow") response.writeHead(404).end();
        });
        await using emulator = await startEmulator({ processingTimeMs: 0, sourceTimeoutMs: 100 });
        const reason = async (url: string) =>
            (await ended(emulator, await createContent(emulator, { content: [{ url }] }))).failureReason ?? "";
        assert.match(await reason(`${sources.url}/gone`), /HTTP 404/);
        assert.match(await reason("http://127.0.0.1:1/"), /ECONNREFUSED|bad port/);
        assert.match(await reason(`${sources.url}/slow`), /timeout/);
    });

    it("stores a source once, however many contents share it, and removes all when it closes", async () => {
        const bytes = await sampleVideo();
        await using sources = await serve((_request, response) => response.end(bytes));
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const ids = await Promise.all(
            Array.from({ length: 20 }, () => createContent(emulator, { content: [{ url: sources.url }] })),
        );
        const files = new Set<string>();
        for (const id of ids) {
            const { outcome } = await ended(emulator, id);
            assert.ok(outcome?.playable);
            files.add(outcome.file ?? "");
        }
        assert.equal(files.size, 1);
        assert.deepEqual(await readdir(emulator.mediaFolder), [...files]);
        await emulator.close();
        await assert.rejects(stat(emulator.mediaFolder), /ENOENT/);
    });

    it("survives that a content is deleted or updated while its source is on the way", async () => {
        const release: (() => void)[] = [];
        const bytes = await sampleVideo();
        await using sources = await serve((_request, response) => release.push(() => response.end(bytes)));
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const content = [{ url: sources.url }];
        const deleted = await createContent(emulator, { content });
        const updated = await createContent(emulator, { content });
        await eventually(() => release.length === 2);
        await call(emulator, "DELETE", `/contents/${deleted}`);
        await call(emulator, "PUT", `/contents/${updated}`, { title: "New" });
        for (const end of release) end();
        assert.equal((await ended(emulator, updated)).title, "New");
        assert.equal(emulator.contents().length, 1);
    });
});
