import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { type Emulator, startEmulator } from "videograph-emulator";
import {
    call,
    createContent,
    createLivestream,
    eventually,
    longerVideo,
    mediabunny,
    serve,
    startStill,
} from "./support.ts";

const { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } = mediabunny;

async function ready(emulator: Emulator, fields: object): Promise<string> {
    const id = await createContent(emulator, fields);
    await eventually(() => emulator.content(id)?.status === "Ready");
    return (await call(emulator, "GET", `/contents/${id}`)).json.data.playbackUrl;
}

/** The URIs of a playlist: its lines that are no tags, and the attribute of the initialization section. */
function uris(playlist: string): string[] {
    const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1];
    const lines = playlist.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return init === undefined ? lines : [init, ...lines];
}

describe("emulator: playback", () => {
    it("plays a content: from the master playlist down to the last segment's last frame", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const bytes = await longerVideo(5);
        await using sources = await serve((_request, response) => response.end(bytes));
        const master = await ready(emulator, { content: [{ url: sources.url }] });
        const response = await fetch(master);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("content-type"), "application/vnd.apple.mpegurl");
        assert.equal(response.headers.get("access-control-allow-origin"), "*");
        const [variant = ""] = uris(await response.text());
        const playlistUrl = new URL(variant, master);
        const playlist = await (await fetch(playlistUrl)).text();
        const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]));
        assert.deepEqual(durations, [4, 4, 2]);
        assert.match(playlist, /#EXT-X-ENDLIST/);
        const parts = await Promise.all(
            uris(playlist).map(async (uri) =>
                Buffer.from(await (await fetch(new URL(uri, playlistUrl))).arrayBuffer()),
            ),
        );
        using input = new Input({ source: new BufferSource(Buffer.concat(parts)), formats: ALL_FORMATS });
        const track = await input.getPrimaryVideoTrack();
        assert.ok(track);
        assert.equal(await track.getDisplayWidth(), 160);
        let frames = 0;
        for await (const packet of new EncodedPacketSink(track).packets()) frames += packet.byteLength > 0 ? 1 : 0;
        assert.equal(frames, 100);
    });

    it("serves the source itself, whole and in ranges, for players without HLS", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const master = await ready(emulator, { content: [{ url: emulator.sampleUrl() }] });
        const url = new URL("source.mp4", master);
        const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
        assert.equal(whole.toString("latin1", 4, 8), "ftyp");
        const part = async (range: string) => {
            const response = await fetch(url, { headers: { range } });
            const bytes = Buffer.from(await response.arrayBuffer());
            return { status: response.status, range: response.headers.get("content-range"), bytes };
        };
        assert.deepEqual(await part("bytes=4-7"), {
            status: 206,
            range: `bytes 4-7/${whole.length}`,
            bytes: whole.subarray(4, 8),
        });
        assert.deepEqual((await part("bytes=1000-")).bytes, whole.subarray(1000));
        assert.equal((await part(`bytes=${whole.length}-`)).status, 416);
    });

    it("plays nothing that is not Ready, not public, or not there, and leaves its folder to nobody", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const status = async (id: string, name = "master.m3u8") =>
            (await fetch(`${emulator.url}/playback/${id}/${name}`)).status;
        const open = await createContent(emulator);
        const signed = await createContent(emulator, { playback_policy: ["signed"] });
        assert.equal(await status(open), 404);
        clock.advance(1000);
        assert.equal(await status(open), 200);
        assert.equal(await status(signed), 403);
        assert.equal(await status("unknown"), 404);
        assert.equal(await status(open, "other.m4s"), 404);
        assert.equal(await status(open, "..%2F..%2Fetc%2Fpasswd"), 404);
        assert.equal(await status(open, "a/b.m4s"), 404);
        assert.equal((await fetch(`${emulator.url}/playback/${open}/master.m3u8`, { method: "POST" })).status, 405);
    });

    it("tries again to make a stream that could not be made", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const id = await createContent(emulator, { content: [{ url: emulator.sampleUrl() }] });
        const file = await eventually(() => {
            const outcome = emulator.content(id)?.outcome;
            return outcome?.playable ? join(emulator.mediaFolder, outcome.file ?? "") : undefined;
        });
        const url = `${emulator.url}/playback/${id}/master.m3u8`;
        await rename(file, `${file}.away`);
        assert.equal((await fetch(url)).status, 503);
        await rename(`${file}.away`, file);
        assert.equal((await fetch(url)).status, 200);
    });

    it("plays a livestream while it is Active", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createLivestream(emulator);
        const url = (await call(emulator, "GET", `/livestreams/${id}`)).json.data.playbackUrl;
        assert.equal((await fetch(url)).status, 404);
        emulator.updateLivestream(id, { status: "Active" });
        assert.equal((await fetch(url)).status, 200);
    });

    it("shows a thumbnail that carries the title, whatever is in it", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator, { title: "<b>&" });
        clock.advance(1000);
        const url = (await call(emulator, "GET", `/contents/${id}`)).json.data.thumbnailUrl;
        const response = await fetch(url);
        assert.equal(response.headers.get("content-type"), "image/svg+xml");
        assert.match(await response.text(), />&#60;b&#62;&#38;</);
    });
});
