// Subtitles, thumbnails and clips, as their documentation has them.
import assert from "node:assert/strict";
import { call, createContent, createLivestream, startStill } from "./support.ts";

const subtitle = {
    url: "https://media.example.com/en.srt",
    name: "English",
    language_code: "en",
    support_closed_captions: false,
};

async function startWithContent() {
    const still = await startStill();
    const id = await createContent(still.emulator);
    still.clock.advance(1000);
    return { ...still, id, path: `/contents/${id}` };
}

describe("emulator: parts of contents", () => {
    it("adds a subtitle, replaces the one of the same language, lists and deletes", async () => {
        const { emulator, clock, path } = await startWithContent();
        await using _ = emulator;
        const added = await call(emulator, "POST", `${path}/subtitles`, subtitle);
        assert.equal(added.status, 200);
        const { uuid, ...rest } = added.json.data;
        assert.deepEqual(rest, subtitle);
        const replaced = (await call(emulator, "POST", `${path}/subtitles`, { ...subtitle, name: "Again" })).json.data;
        const german = {
            ...subtitle,
            url: "https://media.example.com/de.vtt?x=1",
            name: "Deutsch",
            language_code: "de",
        };
        await call(emulator, "POST", `${path}/subtitles`, german);
        const list = async () => (await call(emulator, "GET", `${path}/subtitles`)).json.data;
        assert.deepEqual(
            (await list()).map(({ uuid: _, ...item }: { uuid: string }) => item),
            [
                { name: "Again", format: "srt", createdOn: clock.time },
                { name: "Deutsch", format: "vtt", createdOn: clock.time },
            ],
        );
        assert.notEqual(replaced.uuid, uuid);
        assert.equal((await call(emulator, "DELETE", `${path}/subtitles/${uuid}`)).status, 404);
        assert.equal((await call(emulator, "DELETE", `${path}/subtitles/${replaced.uuid}`)).status, 200);
        assert.deepEqual(
            (await list()).map(({ name }: { name: string }) => name),
            ["Deutsch"],
        );
    });

    it("refuses a subtitle that lacks one of its four fields", async () => {
        const { emulator, path } = await startWithContent();
        await using _ = emulator;
        for (const field of Object.keys(subtitle)) {
            const answer = await call(emulator, "POST", `${path}/subtitles`, { ...subtitle, [field]: undefined });
            assert.equal(answer.status, 400);
            assert.match(answer.json.message, new RegExp(field));
        }
    });

    it("refuses a subtitle before the content is Ready, and hides its list, where the variants say so", async () => {
        const { emulator, clock } = await startStill({ variants: { subtitleBeforeReady: 409, subtitleList: "empty" } });
        await using _ = emulator;
        const path = `/contents/${await createContent(emulator)}`;
        assert.equal((await call(emulator, "POST", `${path}/subtitles`, subtitle)).status, 409);
        clock.advance(1000);
        assert.equal((await call(emulator, "POST", `${path}/subtitles`, subtitle)).status, 200);
        assert.deepEqual((await call(emulator, "GET", `${path}/subtitles`)).json.data, []);
        emulator.setVariants({ subtitleList: 404 });
        assert.equal((await call(emulator, "GET", `${path}/subtitles`)).status, 404);
    });

    it("makes another second the thumbnail", async () => {
        const { emulator, path } = await startWithContent();
        await using _ = emulator;
        const at = (videoPositionInSec: number) =>
            call(emulator, "POST", `${path}/thumbnails`, { videoPositionInSec, width: 640, height: 360 });
        assert.equal((await at(11)).status, 400);
        const { thumbnailUrl } = (await at(7)).json.data;
        assert.equal((await call(emulator, "GET", path)).json.data.thumbnailUrl, thumbnailUrl);
        assert.match(await (await fetch(thumbnailUrl)).text(), /at 7 s/);
    });

    it("clips a content into another one, which is processed like any", async () => {
        const { emulator, clock, path } = await startWithContent();
        await using _ = emulator;
        const clip = (startTimeInSecs: number, endTimeInSecs: number, fields = {}) =>
            call(emulator, "POST", `${path}/clips`, { startTimeInSecs, endTimeInSecs, ...fields });
        for (const [start, end] of [
            [5, 5],
            [5, 4],
            [0, 11],
        ] as const) {
            assert.equal((await clip(start, end)).status, 400, `${start} to ${end}`);
        }
        const made = await clip(2, 4.5, { tags: ["a"] });
        assert.equal(made.status, 201);
        const { contentId, status, title, tags } = made.json.data;
        assert.deepEqual([status, title, tags], ["Preparing", "Clip of Trailer", ["a"]]);
        clock.advance(1000);
        assert.equal((await call(emulator, "GET", `/contents/${contentId}`)).json.data.duration, 2500);
    });

    it("clips a livestream", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const id = await createLivestream(emulator);
        const body = { startTime: 1_767_225_600, endTime: 1_767_225_660, title: "The minute" };
        const { contentId } = (await call(emulator, "POST", `/livestreams/${id}/clips`, body)).json.data;
        clock.advance(1000);
        const content = (await call(emulator, "GET", `/contents/${contentId}`)).json.data;
        assert.deepEqual([content.title, content.status, content.duration], ["The minute", "Ready", 60_000]);
    });

    it("answers 409 to a clip or a thumbnail of what is not Ready, and 404 to what is not there", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator);
        const clip = { startTimeInSecs: 0, endTimeInSecs: 1 };
        assert.equal((await call(emulator, "POST", `/contents/${id}/clips`, clip)).status, 409);
        assert.equal((await call(emulator, "POST", "/contents/none/clips", clip)).status, 404);
        assert.equal((await call(emulator, "GET", "/contents/none/subtitles")).status, 404);
        assert.equal((await call(emulator, "PUT", `/contents/${id}/clips`, clip)).status, 405);
    });
});
