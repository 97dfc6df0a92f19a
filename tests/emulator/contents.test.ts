import assert from "node:assert/strict";
import { call, createContent, minimal, startStill } from "./support.ts";

describe("emulator: /contents", () => {
    it("creates a content that is Preparing, then Ready, and never shows its source", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const full = {
            ...minimal,
            description: "A trailer",
            tags: ["a"],
            metadata: [{ key: "season", value: "2" }],
            watermark: [{ url: "https://media.example.com/logo.png", x_pos: "1564px", y_pos: "70%", opacity: "50%" }],
            subtitle: [
                {
                    url: "https://media.example.com/en.vtt",
                    name: "English",
                    language_code: "en",
                    support_closed_captions: true,
                },
            ],
            mp4_support: true,
            save_original_copy: true,
            test_video: false,
        };
        const created = await call(emulator, "POST", "/contents", full);
        assert.equal(created.status, 201);
        const { status, code, data } = created.json;
        assert.deepEqual([status, code], ["Success", 201]);
        const { contentId, ...shown } = data;
        assert.deepEqual(shown, {
            title: "Trailer",
            status: "Preparing",
            statusId: 1,
            description: "A trailer",
            duration: 0,
            tags: ["a"],
            metadata: [{ key: "season", value: "2" }],
            playback_policy: ["public"],
            mp4_support: true,
            save_original_copy: true,
            created_at: clock.time,
        });
        clock.advance(999);
        assert.equal((await call(emulator, "GET", `/contents/${contentId}`)).json.data.status, "Preparing");
        clock.advance(1);
        const ready = (await call(emulator, "GET", `/contents/${contentId}`)).json.data;
        assert.equal(ready.status, "Ready");
        assert.equal(ready.duration, 10_000);
        assert.equal(ready.resolution, "1280x720");
        assert.equal(ready.playbackUrl, `${emulator.url}/playback/${contentId}/master.m3u8`);
        assert.ok(!JSON.stringify(ready).includes("media.example.com"));
        const [kept] = emulator.contents();
        assert.deepEqual(kept?.sourceUrls, ["https://media.example.com/trailer.mp4"]);
        assert.deepEqual(kept?.watermark, full.watermark);
        assert.deepEqual(
            kept?.subtitle.map(({ uuid: _, createdOn: __, ...subtitle }) => subtitle),
            full.subtitle,
        );
    });

    const invalid: [string, unknown, RegExp][] = [
        ["no title", { ...minimal, title: undefined }, /title/],
        ["an empty title", { ...minimal, title: "" }, /title: must not be empty/],
        ["a title of another type", { ...minimal, title: 7 }, /title/],
        ["no content", { ...minimal, content: undefined }, /content/],
        ["an empty content", { ...minimal, content: [] }, /content: must name at least one source/],
        ["a source that is no URL", { ...minimal, content: [{ url: "trailer.mp4" }] }, /content\[0\]\.url/],
        ["a source that is not http", { ...minimal, content: [{ url: "file:///a.mp4" }] }, /content\[0\]\.url/],
        ["no policy", { ...minimal, playback_policy: undefined }, /playback_policy/],
        ["an empty policy", { ...minimal, playback_policy: [] }, /playback_policy/],
        ["an unknown policy", { ...minimal, playback_policy: ["private"] }, /playback_policy\[0\]/],
        ["a policy as text", { ...minimal, playback_policy: "public" }, /playback_policy/],
        ["a repeated policy", { ...minimal, playback_policy: ["public", "public"] }, /playback_policy/],
        ["metadata as a map", { ...minimal, metadata: { a: "b" } }, /metadata/],
        ["metadata of numbers", { ...minimal, metadata: [{ key: "a", value: 1 }] }, /metadata\[0\]\.value/],
        ["tags as text", { ...minimal, tags: "a,b" }, /tags/],
        ["a flag as text", { ...minimal, mp4_support: "true" }, /mp4_support/],
        ["a null", { ...minimal, description: null }, /description/],
        ["a watermark in camel case", { ...minimal, watermark: [{ url: "http://a/b", xPos: "1px" }] }, /xPos/],
        ["a position without a unit", { ...minimal, watermark: [{ url: "http://a/b", x_pos: "12" }] }, /x_pos/],
        ["an unknown field", { ...minimal, importId: "x" }, /importId/],
        ["an array", [minimal], /expected object/],
    ];
    it("refuses an invalid create, naming the field, and stores nothing", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        for (const [what, body, expected] of invalid) {
            const answer = await call(emulator, "POST", "/contents", body);
            assert.equal(answer.status, 400, what);
            assert.match(answer.json.message, expected, what);
            assert.equal(answer.json.status, "Error");
        }
        assert.equal((await call(emulator, "POST", "/contents", '{"title":')).status, 400);
        assert.equal(emulator.contents().length, 0);
    });

    it("refuses bodies that are not JSON by their type, bodies too large, and bodies where none belongs", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const text = { headers: { "content-type": "text/plain" } };
        assert.equal((await call(emulator, "POST", "/contents", minimal, text)).status, 415);
        const charset = { headers: { "content-type": "application/json; charset=utf-8" } };
        assert.equal((await call(emulator, "POST", "/contents", minimal, charset)).status, 201);
        const large = { ...minimal, description: "x".repeat(1024 * 1024) };
        assert.equal((await call(emulator, "POST", "/contents", large)).status, 413);
        const [content] = emulator.contents();
        assert.equal((await call(emulator, "DELETE", `/contents/${content?.contentId}`, {})).status, 400);
        assert.equal(emulator.contents().length, 1);
    });

    it("knows its paths and methods only", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator);
        const wrong: [string, string, number, string?][] = [
            ["PATCH", `/contents/${id}`, 405, "GET, PUT, DELETE"],
            ["DELETE", "/contents", 405, "GET, POST"],
            ["GET", "/content", 404],
            ["GET", "/contents/", 404],
            ["POST", "/contents/", 404],
            ["GET", `/contents/${id}/`, 404],
            ["GET", `/contents/${id}/status`, 404],
            ["GET", "/contents/unknown", 404],
            ["GET", "/contents/%", 400],
            ["GET", "/constructor", 404],
        ];
        for (const [method, path, status, allow] of wrong) {
            const answer = await call(emulator, method, path);
            assert.equal(answer.status, status, `${method} ${path}`);
            assert.equal(answer.json.code, status);
            if (allow !== undefined) assert.equal(answer.headers.get("allow"), allow);
        }
    });

    it("lists pages by start and limit, newest first, without metadata", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        for (let index = 0; index < 25; index++) {
            await createContent(emulator, { title: `t${index}`, metadata: [{ key: "a", value: "b" }] });
        }
        const titles = async (query: string) =>
            (await call(emulator, "GET", `/contents${query}`)).json.data.map((item: { title: string }) => item.title);
        assert.deepEqual(
            await titles(""),
            Array.from({ length: 10 }, (_, index) => `t${24 - index}`),
        );
        assert.deepEqual(await titles("?start=20&limit=10"), ["t4", "t3", "t2", "t1", "t0"]);
        assert.deepEqual(await titles("?start=25"), []);
        assert.equal((await titles("?limit=20")).length, 20);
        const item = (await call(emulator, "GET", "/contents?limit=1")).json.data[0];
        assert.deepEqual(Object.keys(item).sort(), ["contentId", "created_at", "status", "thumbnailUrl", "title"]);
        clock.advance(1000);
        const ready = (await call(emulator, "GET", "/contents?limit=1")).json.data[0];
        assert.deepEqual(Object.keys(ready).sort(), [
            "contentId",
            "created_at",
            "duration",
            "resolution",
            "status",
            "thumbnailUrl",
            "title",
        ]);
    });

    it("refuses repeated and malformed query parameters, and ignores those that no page documents", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        for (const query of ["?start=-1", "?start=x", "?limit=0", "?limit=1.5", "?start=0&start=1"]) {
            assert.equal((await call(emulator, "GET", `/contents${query}`)).status, 400, query);
        }
        assert.equal((await call(emulator, "GET", "/contents?time=1767225600000&time=1")).status, 200);
    });

    it("updates what may be updated and leaves the rest", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator, { description: "old", tags: ["old"] });
        const changes = { title: "New", tags: [], metadata: [{ key: "k", value: "v" }], save_original_copy: true };
        const answer = await call(emulator, "PUT", `/contents/${id}`, changes);
        assert.equal(answer.status, 200);
        const shown = (await call(emulator, "GET", `/contents/${id}`)).json.data;
        assert.deepEqual(shown, answer.json.data);
        assert.deepEqual(
            [shown.title, shown.description, shown.tags, shown.metadata, shown.save_original_copy],
            ["New", "old", [], [{ key: "k", value: "v" }], true],
        );
        assert.equal((await call(emulator, "PUT", `/contents/${id}`, { description: "no title" })).status, 400);
        const fixed = await call(emulator, "PUT", `/contents/${id}`, { title: "x", playback_policy: ["signed"] });
        assert.equal(fixed.status, 400);
        assert.match(fixed.json.message, /playback_policy/);
        assert.equal((await call(emulator, "PUT", "/contents/unknown", { title: "x" })).status, 404);
    });

    it("deletes once; afterwards everything answers 404", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator);
        const deleted = await call(emulator, "DELETE", `/contents/${id}`);
        assert.deepEqual([deleted.status, deleted.json.status], [200, "Success"]);
        assert.ok(!("data" in deleted.json));
        assert.equal((await call(emulator, "DELETE", `/contents/${id}`)).status, 404);
        assert.equal((await call(emulator, "GET", `/contents/${id}`)).status, 404);
        assert.deepEqual(emulator.contents(), []);
    });

    it("lets a test act as another user", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const id = await createContent(emulator);
        emulator.updateContent(id, { title: "Edited", playbackPolicy: ["signed"] });
        emulator.setContentStatus(id, "Failed", "disk full");
        const shown = (await call(emulator, "GET", `/contents/${id}`)).json.data;
        assert.deepEqual(
            [shown.title, shown.playback_policy, shown.status, shown.errorMessage],
            ["Edited", ["signed"], "Failed", "disk full"],
        );
        const added = emulator.addContent({ title: "Foreign" });
        assert.equal((await call(emulator, "GET", `/contents/${added.contentId}`)).json.data.status, "Ready");
        emulator.addContent({ title: "Elsewhere" }, 2);
        assert.equal(emulator.contents(1).length, 2);
        emulator.deleteContent(id);
        assert.equal((await call(emulator, "GET", `/contents/${id}`)).status, 404);
        assert.throws(() => emulator.deleteContent(id), /no content/);
        clock.advance(1);
    });
});
