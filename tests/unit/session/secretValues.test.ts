/** Which values are secrets although nobody has marked them (S3). */
import assert from "node:assert/strict";
import { holdsPresigned, namesHolding } from "../../../provider/dist/session/secretValues.js";

describe("the outputs that hold a secret", () => {
    it("S3: are the secret itself, and every other that has its text, however deep and however it is escaped", () => {
        const outputs = {
            streamKey: 'a"b',
            rtmpUrl: 'rtmp://live/a"b',
            targets: [{ url: 'rtmp://other/a"b' }],
            status: "Idle",
            rtmpsUrl: undefined,
            createdOn: null,
        };
        assert.deepEqual([...namesHolding(outputs, "streamKey")], ["streamKey", "rtmpUrl", "targets"]);
    });

    it("S3: hold it also where a URL has it percent-encoded, as a whole or in part", () => {
        const outputs = {
            streamKey: "k3y+/s=",
            rtmpUrl: "rtmp://live/k3y%2B%2Fs%3D",
            playbackUrl: "https://play/k3y%2b/s%3d/index.m3u8",
            rtmpsUrl: "rtmps://live/other%2Bkey",
        };
        assert.deepEqual([...namesHolding(outputs, "streamKey")], ["streamKey", "rtmpUrl", "playbackUrl"]);
    });

    it("S3: are the secret itself also where its own text looks encoded", () => {
        for (const streamKey of ["a%2Bb", "a\\u0041", "100%", 'a\\"b'])
            assert.ok(namesHolding({ streamKey, status: "Idle" }, "streamKey").has("streamKey"), streamKey);
    });

    it("S3: hold it whatever its letters", () => {
        const outputs = { streamKey: "K3y", rtmpUrl: "rtmp://live/K3y" };
        assert.deepEqual([...namesHolding(outputs, "streamKey")], ["streamKey", "rtmpUrl"]);
    });

    it("are none of what is remembered beside the outputs", () => {
        const outputs = { streamKey: "key", __meta: { seen: "key" }, key__: "key" };
        assert.deepEqual([...namesHolding(outputs, "streamKey")], ["streamKey", "key__"]);
    });

    it("are none where there is no secret", () => {
        for (const streamKey of [undefined, null, "", 5]) {
            assert.deepEqual([...namesHolding({ streamKey, status: "5 Idle" }, "streamKey")], [], String(streamKey));
        }
    });
});

describe("a presigned URL", () => {
    it("S3: is one with a query, a user or a password", () => {
        for (const url of ["https://a.test/v.mp4?sig=1", "https://user@a.test/v.mp4", "https://:pass@a.test/v.mp4"]) {
            assert.equal(holdsPresigned({ url }), true, url);
        }
        for (const url of ["https://a.test/v.mp4", "https://a.test/v@2.mp4"]) {
            assert.equal(holdsPresigned({ url }), false, url);
        }
    });

    it("S3: may be one that no URL parser takes", () => {
        assert.equal(holdsPresigned({ url: "a.test/v.mp4?sig=1" }), true);
        assert.equal(holdsPresigned({ url: "user@a.test/v.mp4" }), true);
        assert.equal(holdsPresigned({ url: "a.test/v.mp4" }), false);
    });

    it("S3: is found anywhere in a value, under the name url", () => {
        const presigned = { url: "https://a.test/v.mp4?sig=1" };
        assert.equal(holdsPresigned([{ url: "https://a.test/v.mp4" }, { subtitles: [presigned] }]), true);
        assert.equal(holdsPresigned({ url: presigned }), true);
        assert.equal(holdsPresigned({ title: "https://a.test/v.mp4?sig=1" }), false);
        for (const value of [null, undefined, "https://a.test/v.mp4?sig=1", 1, {}, []]) {
            assert.equal(holdsPresigned(value), false);
        }
    });
});
