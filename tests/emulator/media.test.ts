// Sources and what is made from them: which are accepted, what is played, and what they take of the disk.
import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Emulator, sampleVideo, startEmulator } from "videograph-emulator";
import { serve } from "../support/media.ts";
import { waitFor } from "../support/waitFor.ts";
import { call, createContent, ended, longerVideo, mediabunny } from "./support.ts";

const sources = (...urls: string[]) => ({ content: urls.map((url) => ({ url })) });

/** A content of these sources, Ready or Failed. */
async function finished(emulator: Emulator, ...urls: string[]) {
    return ended(emulator, await createContent(emulator, sources(...urls)));
}

const playback = (emulator: Emulator, id: string, name = "master.m3u8") => `${emulator.url}/playback/${id}/${name}`;

/** Where the four letters of a box's type stand in a file. */
function boxOffset(bytes: Uint8Array, type: string): number {
    const offset = Buffer.from(bytes).indexOf(type, 0, "latin1");
    return offset >= 0 ? offset : assert.fail(`no ${type} box`);
}

/** The sample as a file of another type, which is another major brand. */
function branded(video: Uint8Array, brand: string): Uint8Array {
    const bytes = Uint8Array.from(video);
    bytes.set(Buffer.from(brand), boxOffset(bytes, "ftyp") + 4);
    return bytes;
}

describe("emulator: sources", () => {
    it("are accepted by what they contain: MP4, MOV or M4V with a whole video", async () => {
        const video = await sampleVideo();
        const files: Record<string, [bytes: Uint8Array | string, fate: number | RegExp]> = {
            mp4: [video, 2000],
            mov: [branded(video, "qt  "), 2000],
            m4v: [branded(video, "M4V "), 2000],
            longer: [await longerVideo(2), 4000],
            nothing: ["", /not an MP4, MOV or M4V/],
            few: ["no video", /not an MP4, MOV or M4V/],
            page: ["<!doctype html><title>Not found</title>".repeat(50), /a web page, not an MP4, MOV or M4V/],
            matroska: [Buffer.from("1a45dfa3a3428681014286810142f28104", "hex"), /not an MP4, MOV or M4V/],
            lone: [video.subarray(0, boxOffset(video, "moov") - 4), /no video track/],
            cut: [video.subarray(0, video.length - 2000), /damaged or incomplete/],
        };
        await using server = await serve(({ url = "" }, response) => response.end(files[url.slice(1)]?.[0]));
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        for (const [name, [, fate]] of Object.entries(files)) {
            const { status, durationMs, resolution, failureReason } = await finished(emulator, `${server.url}/${name}`);
            const isReady = typeof fate === "number";
            assert.equal(status, isReady ? "Ready" : "Failed", name);
            if (isReady) assert.deepEqual([durationMs, resolution], [fate, "160x90"], name);
            else assert.match(failureReason ?? "", fate, name);
        }
    });

    it("keep their content Preparing until they have arrived, and may find it deleted or updated", async () => {
        const release: (() => void)[] = [];
        const video = await sampleVideo();
        await using server = await serve((_request, response) => {
            response.write(video.subarray(0, 100));
            release.push(() => response.end(video.subarray(100)));
        });
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const deleted = await createContent(emulator, sources(server.url));
        const updated = await createContent(emulator, sources(server.url));
        await waitFor("the fetches", () => release.length === 2);
        assert.equal((await call(emulator, "GET", `/contents/${updated}`)).json.data.status, "Preparing");
        await call(emulator, "DELETE", `/contents/${deleted}`);
        await call(emulator, "PUT", `/contents/${updated}`, { title: "New" });
        for (const end of release) end();
        const { status, title } = await ended(emulator, updated);
        assert.deepEqual([status, title, emulator.contents().length], ["Ready", "New", 1]);
    });

    it("fail on an error answer and an unreachable server, and repeat no password", async () => {
        const seen: (string | undefined)[] = [];
        const video = await sampleVideo();
        await using server = await serve(({ headers, url }, response) => {
            seen.push(headers.authorization);
            if (url === "/gone") response.writeHead(404);
            response.end(video);
        });
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const base = server.url.replace("http://", "http://user:pass%40word@");
        assert.equal((await finished(emulator, `${base}/video`)).status, "Ready");
        assert.equal(seen[0], `Basic ${btoa("user:pass@word")}`);
        for (const [url, expected] of [
            [`${base}/gone`, /HTTP 404/],
            ["http://user:pass%40word@localhost:2/", /ECONNREFUSED/],
        ] as const) {
            const { failureReason } = await finished(emulator, url);
            assert.match(failureReason ?? "", expected);
            assert.doesNotMatch(failureReason ?? "", /pass/);
        }
        const { failureReason } = await finished(emulator, emulator.sampleUrl(), `${server.url}/gone`);
        assert.equal(failureReason, "Source 2 of 2 could not be used: its server answered HTTP 404");
    });

    it("are stored once, for this user alone, and deleted when it closes", async () => {
        const [video, other] = [await sampleVideo(), await longerVideo(2)];
        await using server = await serve(({ url }, response) => response.end(url === "/other" ? other : video));
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        await Promise.all(["/a", "/b", "/other"].map((path) => finished(emulator, server.url + path)));
        const names = await readdir(emulator.mediaFolder);
        assert.equal(names.length, 2);
        for (const path of [emulator.mediaFolder, ...names.map((name) => join(emulator.mediaFolder, name))])
            if (process.platform !== "win32") assert.equal((await stat(path)).mode & 0o77, 0, path);
        await emulator.close();
        await assert.rejects(stat(emulator.mediaFolder), /ENOENT/);
    });
});

/** The URIs of a playlist: its lines that are no tags, and the attribute of the initialization section. */
function uris(playlist: string): string[] {
    const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1];
    const lines = playlist.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return init === undefined ? lines : [init, ...lines];
}

describe("emulator: playback", () => {
    it("plays a content: from the master playlist down to the last segment's last frame", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const video = await longerVideo(5);
        await using server = await serve((_request, response) => response.end(video));
        const { contentId } = await finished(emulator, server.url);
        const master = (await call(emulator, "GET", `/contents/${contentId}`)).json.data.playbackUrl;
        const response = await fetch(master);
        assert.equal(response.headers.get("content-type"), "application/vnd.apple.mpegurl");
        assert.equal(response.headers.get("access-control-allow-origin"), "*");
        const [variant = ""] = uris(await response.text());
        const playlistUrl = new URL(variant, master);
        const playlist = await (await fetch(playlistUrl)).text();
        const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]));
        assert.deepEqual(durations, [4, 4, 2]);
        assert.match(playlist, /#EXT-X-ENDLIST/);
        const partOf = async (uri: string) => (await fetch(new URL(uri, playlistUrl))).arrayBuffer();
        const parts = await Promise.all(uris(playlist).map(partOf));
        const source = new mediabunny.BufferSource(Buffer.concat(parts.map((part) => Buffer.from(part))));
        using input = new mediabunny.Input({ source, formats: mediabunny.ALL_FORMATS });
        const track = (await input.getPrimaryVideoTrack()) ?? assert.fail();
        let frames = 0;
        for await (const packet of new mediabunny.EncodedPacketSink(track).packets())
            frames += packet.byteLength > 0 ? 1 : 0;
        assert.equal(frames, 100);
    });

    it("serves the source itself, whole and in ranges, for players without HLS", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const { contentId } = await finished(emulator, emulator.sampleUrl());
        const part = async (headers: Record<string, string>) => {
            const response = await fetch(playback(emulator, contentId, "source.mp4"), { headers });
            const bytes = Buffer.from(await response.arrayBuffer());
            return { status: response.status, range: response.headers.get("content-range"), bytes };
        };
        const { bytes: whole } = await part({});
        assert.deepEqual(whole, Buffer.from(await sampleVideo()));
        const range = `bytes 4-7/${whole.length}`;
        assert.deepEqual(await part({ range: "bytes=4-7" }), { status: 206, range, bytes: whole.subarray(4, 8) });
        assert.deepEqual((await part({ range: "bytes=1000-" })).bytes, whole.subarray(1000));
        assert.equal((await part({ range: `bytes=${whole.length}-` })).status, 416);
    });

    it("plays nothing that is not Ready, not public, or not there, and leaves its folder to nobody", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        const status = async (id: string, name?: string) => (await fetch(playback(emulator, id, name))).status;
        const open = await createContent(emulator);
        const signed = await createContent(emulator, { playback_policy: ["signed"] });
        assert.equal(await status(open), 404);
        emulator.advanceClock(1000);
        assert.equal(await status(open), 200);
        assert.equal(await status(signed), 403);
        assert.equal(await status("unknown"), 404);
        for (const name of ["other.m4s", "..%2F..%2Fetc%2Fpasswd", "a/b.m4s"])
            assert.equal(await status(open, name), 404, name);
        assert.equal((await fetch(playback(emulator, open), { method: "POST" })).status, 405);
    });

    it("plays a livestream while it is Active, and with its key in the URL where the variant says so", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        const { streamUUID, streamKey } = emulator.addLivestream({ title: "Stage" });
        const url = async () => (await call(emulator, "GET", `/livestreams/${streamUUID}`)).json.data.playbackUrl;
        assert.equal((await fetch(await url())).status, 404);
        emulator.updateLivestream(streamUUID, { status: "Active" });
        assert.equal((await fetch(await url())).status, 200);
        emulator.setVariants({ streamKeyInPlaybackUrl: true });
        const keyed = await url();
        assert.ok(keyed.endsWith(`/${streamKey}/master.m3u8`));
        assert.equal((await fetch(keyed)).status, 200);
        assert.equal((await fetch(keyed.replace(`/${streamKey}/`, "/0/"))).status, 404);
    });

    it("shows a thumbnail that carries the title, whatever is in it, and the second it was taken at", async () => {
        await using emulator = await startEmulator({ fetchSources: false, processingTimeMs: 0 });
        const id = await createContent(emulator, { title: "<b>&" });
        const at = { videoPositionInSec: 7, width: 640, height: 360 };
        const { thumbnailUrl } = (await call(emulator, "POST", `/contents/${id}/thumbnails`, at)).json.data;
        const response = await fetch(thumbnailUrl);
        assert.equal(response.headers.get("content-type"), "image/svg+xml");
        assert.match(await response.text(), />&#60;b&#62;&#38; \(at 7 s\)</);
    });
});
