import assert from "node:assert/strict";
import { call, channel, createLivestream, startStill } from "./support.ts";

describe("emulator: /livestreams", () => {
    it("creates an Idle livestream with a key and ingest addresses", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const full = {
            ...channel,
            description: "All day",
            dvrDurationInMins: 30,
            tags: ["live"],
            metadata: [{ key: "a", value: "b" }],
            playback_policy: ["public", "signed"],
            recordings_playback_policy: ["signed"],
        };
        const created = await call(emulator, "POST", "/livestreams", full);
        assert.equal(created.status, 201);
        const { data } = created.json;
        assert.equal(data.status, "Idle");
        assert.equal(data.createdOn, clock.time);
        assert.match(data.streamKey, /^\d{6}$/);
        assert.match(data.rtmpUrl, /^rtmp:/);
        assert.match(data.rtmpsUrl, /^rtmps:/);
        assert.match(data.playbackUrl, /\.m3u8$/);
        assert.deepEqual((await call(emulator, "GET", `/livestreams/${data.streamUUID}`)).json.data, data);
        const [kept] = emulator.livestreams();
        assert.deepEqual(
            [kept?.dvrDurationInMins, kept?.playbackPolicy, kept?.recordingsPlaybackPolicy, kept?.region],
            [30, ["public", "signed"], ["signed"], "us-east-1"],
        );
    });

    it("lists recorded and plain livestreams apart, and both without `record`", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const plain = await createLivestream(emulator, { title: "plain", record: false });
        const recorded = await createLivestream(emulator, { title: "recorded" });
        const list = async (query: string) => (await call(emulator, "GET", `/livestreams${query}`)).json.data;
        assert.deepEqual(await list("?record=true"), [
            {
                streamUUID: recorded,
                title: "recorded",
                status: "Idle",
                thumbnailUrl: `${emulator.url}/playback/${recorded}/thumbnail.svg`,
                created_at: clock.time,
            },
        ]);
        assert.deepEqual(
            (await list("?record=false")).map((item: { streamUUID: string }) => item.streamUUID),
            [plain],
        );
        assert.equal((await list("")).length, 2);
        assert.equal((await call(emulator, "GET", "/livestreams?record=yes")).status, 400);
    });

    it("updates what may be updated and leaves the rest", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createLivestream(emulator, { description: "old", dvrDurationInMins: 5 });
        const answer = await call(emulator, "PUT", `/livestreams/${id}`, { title: "New", dvrDurationInMins: 60 });
        assert.equal(answer.status, 200);
        const stream = emulator.livestream(id);
        assert.deepEqual([stream?.title, stream?.description, stream?.dvrDurationInMins], ["New", "old", 60]);
        assert.equal((await call(emulator, "PUT", `/livestreams/${id}`, { tags: [] })).status, 400);
        assert.equal((await call(emulator, "PUT", `/livestreams/${id}`, { title: "x", record: false })).status, 400);
    });

    it("answers DELETE with the whole livestream in Deleting, and 404 once it is gone", async () => {
        const { emulator, clock } = await startStill();
        await using _ = emulator;
        const id = await createLivestream(emulator);
        const before = (await call(emulator, "GET", `/livestreams/${id}`)).json.data;
        const deleted = await call(emulator, "DELETE", `/livestreams/${id}`);
        assert.equal(deleted.status, 200);
        assert.ok(deleted.json.message.includes(id));
        assert.deepEqual(deleted.json.data, { ...before, status: "Deleting" });
        clock.advance(600);
        assert.equal((await call(emulator, "GET", `/livestreams/${id}`)).json.data.status, "Deleting");
        assert.equal((await call(emulator, "DELETE", `/livestreams/${id}`)).status, 200);
        assert.equal((await call(emulator, "PUT", `/livestreams/${id}`, { title: "x" })).status, 409);
        clock.advance(400);
        assert.equal((await call(emulator, "GET", `/livestreams/${id}`)).status, 404);
        assert.equal((await call(emulator, "DELETE", `/livestreams/${id}`)).status, 404);
        assert.deepEqual((await call(emulator, "GET", "/livestreams?record=true")).json.data, []);
        assert.deepEqual(emulator.livestreams(), []);
    });

    it("lets a test act as a broadcaster and as another user", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const { streamUUID } = emulator.addLivestream({ title: "Foreign", record: true });
        emulator.updateLivestream(streamUUID, { status: "Active", region: "eu-west-1" });
        assert.equal((await call(emulator, "GET", `/livestreams/${streamUUID}`)).json.data.status, "Active");
        emulator.deleteLivestream(streamUUID);
        assert.equal((await call(emulator, "GET", `/livestreams/${streamUUID}`)).status, 404);
        assert.throws(() => emulator.updateLivestream(streamUUID, { status: "Idle" }), /no livestream/);
    });
});

describe("emulator: /signing-keys", () => {
    it("lists the keys of the token's environment", async () => {
        const other = { id: "b", secret: "b", environmentId: 7 };
        const { emulator, clock } = await startStill({ tokens: [{ id: "a", secret: "a" }, other] });
        await using _ = emulator;
        const added = emulator.addSigningKey({ productTypeId: 2, createdBy: "dev@example.com" });
        assert.equal(added.createdOn, clock.time);
        const mine = (await call(emulator, "GET", "/signing-keys")).json.data;
        assert.equal(mine.length, 4);
        assert.deepEqual(mine.at(-1), added);
        assert.deepEqual(Object.keys(added).sort(), [
            "createdBy",
            "createdOn",
            "environmentId",
            "id",
            "productTypeId",
            "signingKeyId",
        ]);
        const theirs = (await call(emulator, "GET", "/signing-keys", undefined, { token: other })).json.data;
        assert.deepEqual([...new Set(theirs.map((key: { environmentId: number }) => key.environmentId))], [7]);
        assert.equal((await call(emulator, "GET", "/signing-keys?time=1")).status, 200);
        assert.equal((await call(emulator, "POST", "/signing-keys", {})).status, 405);
    });
});
