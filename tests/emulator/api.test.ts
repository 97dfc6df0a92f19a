// The service's API, as its documentation has it: tokens, contents and their parts, livestreams, signing keys.
import assert from "node:assert/strict";
import { contentFields, plainRecord, shownFields } from "../../emulator/dist/plainFields.js";
import { apiRoot, type CallOptions, channel, minimal, startCore } from "./support.ts";

describe("emulator: tokens", () => {
    const second = { id: "second", secret: "two" };
    const other = { id: "other", secret: "three", environmentId: 2 };
    const tokens = [{ id: "first", secret: "very-secret" }, second, other];

    it("get 401 when they are missing, wrong or malformed, and are never kept in the log", async () => {
        const { core, call } = startCore({ tokens });
        const attempts: [CallOptions, RegExp][] = [
            [{ token: null }, /has no Authorization header; send Basic authentication/],
            [{ token: { id: "first", secret: "two" } }, /id or the secret key is wrong/],
            [{ token: { id: "nobody", secret: "very-secret" } }, /id or the secret key is wrong/],
            [{ token: null, headers: { authorization: "Bearer very-secret" } }, /is not "Basic"/],
            [{ token: null, headers: { authorization: `Basic ${btoa("first")}` } }, /id or the secret key is wrong/],
        ];
        for (const [attempt, message] of attempts) {
            const { status, headers, json } = await call("GET", "/contents", undefined, attempt);
            assert.deepEqual([status, json.code], [401, 401]);
            assert.equal(headers["www-authenticate"], undefined); // in no source; see the variant `challenge`
            assert.match(json.message, message);
        }
        await call("GET", "/contents");
        assert.deepEqual(
            core.requests.map(({ authorization, tokenId, environmentId }) => [authorization, tokenId, environmentId]),
            [
                ["none", undefined, undefined],
                ["basic", "first", undefined],
                ["basic", "nobody", undefined],
                ["other", undefined, undefined],
                ["basic", "first", undefined],
                ["basic", "first", 1],
            ],
        );
        assert.doesNotMatch(JSON.stringify(core.requests), new RegExp(`very-secret|${btoa("first:very-secret")}`));
    });

    it("show their own environment, and 404 for everything of another", async () => {
        const { core, call, content, stream } = startCore({ tokens });
        const paths = [`/contents/${await content()}`, `/livestreams/${await stream()}`];
        for (const path of paths) {
            assert.equal((await call("GET", path, undefined, { token: second })).status, 200);
            for (const [method, body] of [["GET"], ["PUT", { title: "x" }], ["DELETE"]] as const) {
                assert.equal((await call(method, path, body, { token: other })).status, 404, `${method} ${path}`);
            }
        }
        assert.deepEqual((await call("GET", "/contents", undefined, { token: other })).json.data, []);
        assert.deepEqual([core.contents(1).length, core.contents(2).length], [1, 0]);
    });

    it("of limited access get 403 for the rest", async () => {
        const reader = { id: "reader", secret: "r", access: "read" } as const;
        const nobody = { id: "nobody", secret: "n", access: "none" } as const;
        const { core, call, content } = startCore({ tokens: [{ id: "first", secret: "one" }, reader, nobody] });
        const path = `/contents/${await content()}`;
        for (const [token, method, expected] of [
            [reader, "GET", 200],
            [reader, "PUT", 403],
            [reader, "DELETE", 403],
            [nobody, "GET", 403],
        ] as const) {
            assert.equal((await call(method, path, undefined, { token })).status, expected, `${token.id} ${method}`);
        }
        assert.equal(core.contents().length, 1);
    });
});

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

describe("emulator: /contents", () => {
    it("creates a content that is Preparing, then Ready, and never shows its source", async () => {
        const { core, clock, call, get } = startCore();
        const { status, json } = await call("POST", "/contents", full);
        const { contentId, ...shown } = json.data;
        assert.deepEqual([status, json.status, json.code], [201, "Success", 201]);
        assert.deepEqual(shown, {
            title: "Trailer",
            status: "Preparing",
            statusId: 1,
            description: "A trailer",
            duration: 0,
            tags: ["a"],
            metadata: [{ key: "season", value: "2" }],
            playback_policy: ["public"],
            ...shownFields(contentFields, plainRecord(contentFields, full)),
            created_at: clock.now(),
        });
        await clock.advance(999);
        assert.equal((await get(`/contents/${contentId}`)).status, "Preparing");
        await clock.advance(1);
        const ready = await get(`/contents/${contentId}`);
        assert.deepEqual([ready.status, ready.duration, ready.resolution], ["Ready", 10_000, "1280x720"]);
        assert.equal(ready.playbackUrl, `http://emulator.invalid/playback/${contentId}/master.m3u8`);
        assert.doesNotMatch(JSON.stringify(ready), /media\.example\.com/);
        const [kept] = core.contents();
        assert.deepEqual(kept?.sourceUrls, ["https://media.example.com/trailer.mp4"]);
        assert.deepEqual(kept?.watermark, full.watermark);
        assert.equal(kept?.subtitle[0]?.language_code, "en");
    });

    it("refuses an invalid create, naming the field, and stores nothing", async () => {
        const { core, call } = startCore();
        const invalid: [unknown, RegExp][] = [
            [{ title: undefined }, /title/],
            [{ title: "" }, /title: must not be empty/],
            [{ title: 7 }, /title/],
            [{ content: [] }, /content: must name at least one source/],
            [{ content: [{ url: "trailer.mp4" }] }, /content\[0\]\.url/],
            [{ content: [{ url: "file:///a.mp4" }] }, /content\[0\]\.url/],
            [{ playback_policy: undefined }, /playback_policy/],
            [{ playback_policy: [] }, /playback_policy/],
            [{ playback_policy: ["private"] }, /playback_policy\[0\]/],
            [{ playback_policy: ["public", "public"] }, /playback_policy/],
            [{ metadata: { a: "b" } }, /metadata/],
            [{ metadata: [{ key: "a", value: 1 }] }, /metadata\[0\]\.value/],
            [{ mp4_support: "true" }, /mp4_support/],
            [{ description: null }, /description/],
            [{ watermark: [{ url: "http://a/b", xPos: "1px" }] }, /xPos/],
            [{ watermark: [{ url: "http://a/b", x_pos: "12" }] }, /x_pos/],
            [{ importId: "x" }, /importId/],
        ];
        for (const [fields, expected] of invalid) {
            const { status, json } = await call("POST", "/contents", { ...minimal, ...Object(fields) });
            assert.deepEqual([status, json.status], [400, "Error"], JSON.stringify(fields));
            assert.match(json.message, expected);
        }
        assert.match((await call("POST", "/contents", [minimal])).json.message, /expected object/);
        assert.equal((await call("POST", "/contents", '{"title":')).status, 400);
        assert.equal(core.contents().length, 0);
    });

    it("knows its paths and methods only, JSON where a body belongs, and none elsewhere", async () => {
        const { core, call, content, status } = startCore();
        const id = await content();
        for (const [method, path, expected, allow] of [
            ["PATCH", `/contents/${id}`, 405, "GET, PUT, DELETE"],
            ["DELETE", "/contents", 405, "GET, POST"],
            ["POST", "/signing-keys", 405, "GET"],
            ["GET", "/content", 404],
            ["POST", "/contents/", 404],
            ["GET", `/contents/${id}/`, 404],
            ["GET", `/contents/${id}/status`, 404],
            ["GET", "/contents/unknown", 404],
            ["GET", "/contents/%", 400],
            ["GET", "/constructor", 404],
        ] as const) {
            const { status, headers, json } = await call(method, path);
            assert.deepEqual([status, json.code, headers.allow], [expected, expected, allow], `${method} ${path}`);
        }
        const typed = async (type: string) =>
            (await call("POST", "/contents", minimal, { headers: { "content-type": type } })).status;
        assert.deepEqual([await typed("text/plain"), await typed("application/json; charset=utf-8")], [415, 201]);
        assert.equal(await status("DELETE", `/contents/${id}`, {}), 400);
        assert.equal(core.contents().length, 2);
        const outside = async (url: string) => (await core.handle({ method: "GET", url, headers: {} })).status;
        assert.deepEqual(
            [await outside("/_emulator/contents"), await outside("http://[/"), await outside(`//${apiRoot}/contents`)],
            [404, 400, 401],
        );
    });

    it("lists pages by start and limit, newest first, without metadata", async () => {
        const { clock, content, get, status } = startCore();
        for (let index = 0; index < 25; index++) {
            await content({ title: `t${index}`, metadata: [{ key: "a", value: "b" }] });
        }
        const titles = async (query: string) =>
            (await get(`/contents${query}`)).map(({ title }: { title: string }) => title);
        assert.deepEqual(
            await titles(""),
            Array.from({ length: 10 }, (_, index) => `t${24 - index}`),
        );
        assert.deepEqual(await titles("?start=20&limit=10"), ["t4", "t3", "t2", "t1", "t0"]);
        assert.deepEqual(await titles("?start=25"), []);
        assert.equal((await titles("?limit=20")).length, 20);
        const keys = async () => Object.keys((await get("/contents?limit=1"))[0]).sort();
        const preparing = ["contentId", "created_at", "status", "thumbnailUrl", "title"];
        assert.deepEqual(await keys(), preparing);
        await clock.advance(1000);
        assert.deepEqual(await keys(), [...preparing, "duration", "resolution"].sort());
        for (const query of ["start=-1", "start=x", "limit=0", "limit=1.5", "start=0&start=1"]) {
            assert.equal(await status("GET", `/contents?${query}`), 400, query);
        }
        // The vendor's dashboard adds parameters that no page documents.
        assert.equal(await status("GET", "/contents?time=1767225600000&time=1"), 200);
    });

    it("updates what may be updated, leaves the rest, and deletes once", async () => {
        const { core, call, content, get, status } = startCore();
        const path = `/contents/${await content({ description: "old", tags: ["old"] })}`;
        const changes = { title: "New", tags: [], metadata: [{ key: "k", value: "v" }], save_original_copy: true };
        const answer = await call("PUT", path, changes);
        const shown = await get(path);
        assert.deepEqual([answer.status, answer.json.data], [200, shown]);
        assert.deepEqual({ ...shown, ...changes, description: "old" }, shown);
        assert.equal(await status("PUT", path, { description: "no title" }), 400);
        assert.match((await call("PUT", path, { title: "x", playback_policy: ["signed"] })).text, /playback_policy/);

        const deleted = await call("DELETE", path);
        assert.deepEqual([deleted.status, "data" in deleted.json], [200, false]);
        assert.deepEqual([await status("DELETE", path), await status("GET", path)], [404, 404]);
        assert.equal(await status("PUT", path, { title: "x" }), 404);
        assert.deepEqual(core.contents(), []);
    });
});

describe("emulator: parts of contents", () => {
    const subtitle = {
        url: "https://media.example.com/en.srt",
        name: "English",
        language_code: "en",
        support_closed_captions: false,
    };
    async function startWithContent() {
        const started = startCore();
        const path = `/contents/${await started.content()}`;
        await started.clock.advance(1000);
        return { ...started, path };
    }

    it("adds a subtitle, replaces the one of the same language, lists and deletes", async () => {
        const { clock, data, get, status, path } = await startWithContent();
        const { uuid, ...rest } = await data("POST", `${path}/subtitles`, subtitle);
        assert.deepEqual(rest, subtitle);
        const replaced = await data("POST", `${path}/subtitles`, { ...subtitle, name: "Again" });
        const german = { url: "https://media.example.com/de.vtt?x=1", name: "Deutsch", language_code: "de" };
        const { uuid: other } = await data("POST", `${path}/subtitles`, { ...subtitle, ...german });
        assert.deepEqual(await get(`${path}/subtitles`), [
            { uuid: replaced.uuid, name: "Again", format: "srt", createdOn: clock.now() },
            { uuid: other, name: "Deutsch", format: "vtt", createdOn: clock.now() },
        ]);
        assert.equal(await status("DELETE", `${path}/subtitles/${uuid}`), 404);
        assert.equal(await status("DELETE", `${path}/subtitles/${replaced.uuid}`), 200);
        assert.equal((await get(`${path}/subtitles`)).length, 1);
    });

    it("refuses a subtitle that lacks one of its four fields", async () => {
        const { call, path } = await startWithContent();
        for (const field of Object.keys(subtitle)) {
            const answer = await call("POST", `${path}/subtitles`, { ...subtitle, [field]: undefined });
            assert.equal(answer.status, 400);
            assert.match(answer.json.message, new RegExp(field));
        }
    });

    it("makes another second the thumbnail", async () => {
        const { data, get, status, path } = await startWithContent();
        const at = (videoPositionInSec: number) => ({ videoPositionInSec, width: 640, height: 360 });
        assert.equal(await status("POST", `${path}/thumbnails`, at(11)), 400);
        const { thumbnailUrl } = await data("POST", `${path}/thumbnails`, at(7));
        assert.equal((await get(path)).thumbnailUrl, thumbnailUrl);
    });

    it("clips contents and livestreams into contents, which are processed like any", async () => {
        const { call, clock, content, data, get, status, stream, path } = await startWithContent();
        const of = (startTimeInSecs: number, endTimeInSecs: number) => ({ startTimeInSecs, endTimeInSecs });
        for (const wrong of [of(5, 5), of(5, 4), of(0, 11)]) {
            assert.equal(await status("POST", `${path}/clips`, wrong), 400, JSON.stringify(wrong));
        }
        const { status: code, json } = await call("POST", `${path}/clips`, { ...of(2, 4.5), tags: ["a"] });
        const { contentId, status: shown, title, tags } = json.data;
        assert.deepEqual([code, shown, title, tags], [201, "Preparing", "Clip of Trailer", ["a"]]);
        const minute = { startTime: 1_767_225_600, endTime: 1_767_225_660, title: "The minute" };
        const ofStream = await data("POST", `/livestreams/${await stream()}/clips`, minute);
        await clock.advance(1000);
        assert.equal((await get(`/contents/${contentId}`)).duration, 2500);
        const clip = await get(`/contents/${ofStream.contentId}`);
        assert.deepEqual([clip.title, clip.status, clip.duration], ["The minute", "Ready", 60_000]);

        assert.equal(await status("POST", `/contents/${await content()}/clips`, of(0, 1)), 409, "not Ready");
        assert.equal(await status("POST", "/contents/none/clips", of(0, 1)), 404);
        assert.equal(await status("GET", "/contents/none/subtitles"), 404);
    });
});

describe("emulator: /livestreams", () => {
    it("creates an Idle livestream with a key and ingest addresses", async () => {
        const { core, clock, call, get } = startCore();
        const { status, json } = await call("POST", "/livestreams", {
            ...channel,
            dvrDurationInMins: 30,
            metadata: [{ key: "a", value: "b" }],
            playback_policy: ["public", "signed"],
            recordings_playback_policy: ["signed"],
        });
        const { data } = json;
        assert.deepEqual([status, data.status, data.createdOn], [201, "Idle", clock.now()]);
        assert.match(data.streamKey, /^\d{6}$/);
        assert.match(data.rtmpUrl, /^rtmp:/);
        assert.match(data.rtmpsUrl, /^rtmps:/);
        assert.match(data.playbackUrl, /\.m3u8$/);
        assert.deepEqual(await get(`/livestreams/${data.streamUUID}`), data);
        const [kept] = core.livestreams();
        assert.deepEqual(
            [kept?.dvrDurationInMins, kept?.playbackPolicy, kept?.recordingsPlaybackPolicy, kept?.region],
            [30, ["public", "signed"], ["signed"], "us-east-1"],
        );
    });

    it("lists recorded and plain livestreams apart, and both without `record`", async () => {
        const { clock, get, status, stream } = startCore();
        const plain = await stream({ title: "plain", record: false });
        const recorded = await stream({ title: "recorded" });
        assert.deepEqual(await get("/livestreams?record=true"), [
            {
                streamUUID: recorded,
                title: "recorded",
                status: "Idle",
                thumbnailUrl: `http://emulator.invalid/playback/${recorded}/thumbnail.svg`,
                created_at: clock.now(),
            },
        ]);
        assert.equal((await get("/livestreams?record=false"))[0].streamUUID, plain);
        assert.equal((await get("/livestreams")).length, 2);
        assert.equal(await status("GET", "/livestreams?record=yes"), 400);
    });

    it("updates what may be updated and leaves the rest", async () => {
        const { core, status, stream } = startCore();
        const id = await stream({ description: "old", dvrDurationInMins: 5 });
        assert.equal(await status("PUT", `/livestreams/${id}`, { title: "New", dvrDurationInMins: 60 }), 200);
        const kept = core.livestream(id);
        assert.deepEqual([kept?.title, kept?.description, kept?.dvrDurationInMins], ["New", "old", 60]);
        assert.equal(await status("PUT", `/livestreams/${id}`, { tags: [] }), 400);
        assert.equal(await status("PUT", `/livestreams/${id}`, { title: "x", record: false }), 400);
    });

    it("answers DELETE with the whole livestream in Deleting, and 404 once it is gone", async () => {
        const { core, call, clock, get, status, stream } = startCore();
        const path = `/livestreams/${await stream()}`;
        const before = await get(path);
        const deleted = await call("DELETE", path);
        assert.deepEqual([deleted.status, deleted.json.data], [200, { ...before, status: "Deleting" }]);
        await clock.advance(600);
        assert.equal((await get(path)).status, "Deleting");
        assert.equal(await status("DELETE", path), 200);
        assert.equal(await status("PUT", path, { title: "x" }), 409);
        await clock.advance(400);
        assert.deepEqual([await status("GET", path), await status("DELETE", path)], [404, 404]);
        assert.deepEqual([await get("/livestreams?record=true"), core.livestreams()], [[], []]);
    });
});

describe("emulator: /signing-keys", () => {
    it("lists the keys of the token's environment", async () => {
        const other = { id: "b", secret: "b", environmentId: 7 };
        const { core, call, clock, get } = startCore({ tokens: [{ id: "a", secret: "a" }, other] });
        const added = core.addSigningKey({ productTypeId: 2, createdBy: "dev@example.com" });
        assert.equal(added.createdOn, clock.now());
        const mine = await get("/signing-keys?time=1");
        assert.deepEqual([mine.length, mine.at(-1)], [4, added]);
        const names = "createdBy createdOn environmentId id productTypeId signingKeyId".split(" ");
        assert.deepEqual(Object.keys(added).sort(), names);
        const theirs = (await call("GET", "/signing-keys", undefined, { token: other })).json.data;
        assert.deepEqual([...new Set(theirs.map((key: { environmentId: number }) => key.environmentId))], [7]);
    });
});
