// The service's API, as its documentation has it, where neither the probe (tests/unit/cli/probe.test.ts: also tokens of limited access) nor a
// resource (tests/unit/lifecycle/managed.test.ts: also other environments) shows it: wrong tokens, what is refused, and clips.
import assert from "node:assert/strict";
import { apiRoot, type CallOptions, minimal, startCore } from "./support.ts";

describe("emulator: tokens", () => {
    const tokens = [
        { id: "first", secret: "very-secret" },
        { id: "second", secret: "two" },
    ];

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
        const log = core.requests.map(({ authorization, tokenId = "-" }) => `${authorization} ${tokenId}`);
        assert.deepEqual(log, ["none -", "basic first", "basic nobody", "other -", "basic first", "basic first"]);
        const environments = core.requests.map(({ environmentId }) => environmentId);
        assert.deepEqual(environments, [...new Array(5).fill(undefined), 1]);
        assert.doesNotMatch(JSON.stringify(core.requests), new RegExp(`very-secret|${btoa("first:very-secret")}`));
    });
});

describe("emulator: requests", () => {
    it("refuse an invalid create, naming the field, and stores nothing", async () => {
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
        const subtitle = { url: "https://media.example.com/en.srt", name: "English", support_closed_captions: false };
        assert.match((await call("POST", "/contents/x/subtitles", subtitle)).json.message, /language_code/);
        assert.match((await call("POST", "/contents", [minimal])).json.message, /expected object/);
        assert.equal((await call("POST", "/contents", '{"title":')).status, 400);
        assert.equal(core.contents().length, 0);
    });

    it("know paths and methods only, JSON where a body belongs, and none elsewhere", async () => {
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
        const outside = { "/_emulator/contents": 404, "http://[/": 400, [`//${apiRoot}/contents`]: 401 };
        for (const [url, expected] of Object.entries(outside))
            assert.equal((await core.handle({ method: "GET", url, headers: {} })).status, expected, url);
    });

    it("refuse pages that make no sense, and pass over what no page documents", async () => {
        const { content, get, status, stream } = startCore();
        for (const query of ["start=-1", "start=x", "limit=0", "limit=1.5", "start=0&start=1"])
            assert.equal(await status("GET", `/contents?${query}`), 400, query);
        assert.equal(await status("GET", "/livestreams?record=yes"), 400);
        // The vendor's dashboard adds parameters.
        assert.deepEqual(await get("/contents?time=1767225600000&time=1"), []);
        for (let index = 0; index < 11; index++) await content();
        assert.equal((await get("/contents")).length, 10);
        for (const record of [true, false]) await stream({ record });
        assert.equal((await get("/livestreams")).length, 2);
    });

    it("refuse an update without a title, or of what only a create sets", async () => {
        const { call, content, stream } = startCore();
        for (const [path, wrong] of [
            [`/contents/${await content()}`, { playback_policy: ["signed"] }],
            [`/livestreams/${await stream()}`, { record: false }],
        ] as const) {
            assert.match((await call("PUT", path, { tags: [] })).text, /title/);
            const [name = ""] = Object.keys(wrong);
            const { status, text } = await call("PUT", path, { title: "x", ...wrong });
            assert.deepEqual([status, text.includes(name)], [400, true]);
        }
        const deleting = `/livestreams/${await stream()}`;
        await call("DELETE", deleting);
        assert.equal((await call("PUT", deleting, { title: "x" })).status, 409);
    });
});

describe("emulator: clips", () => {
    it("of contents and livestreams are contents, which are processed like any", async () => {
        const { call, clock, content, data, get, status, stream } = startCore();
        const path = `/contents/${await content()}`;
        await clock.advance(1000);
        const of = (startTimeInSecs: number, endTimeInSecs: number) => ({ startTimeInSecs, endTimeInSecs });
        for (const wrong of [of(5, 5), of(5, 4), of(0, 11)])
            assert.equal(await status("POST", `${path}/clips`, wrong), 400, JSON.stringify(wrong));
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
    });
});
