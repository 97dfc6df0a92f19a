/** Which properties are secrets although nobody has marked them (S3). */
import assert from "node:assert/strict";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { pack } from "../../../provider/dist/evidence/library.js";
import {
    markedAsGiven,
    revealedIn,
    secret,
    secretTexts,
    withSecrets,
    withSecretsMarked,
} from "../../../provider/dist/session/secretValues.js";
import { toState } from "../../../provider/dist/session/state.js";

const signature = "4dabf18193072939515e22adb298388d";

/** The names of the properties that are secrets, or hold one. */
function secretsOf(
    properties: Record<string, unknown>,
    definition = livestreamDefinition as typeof livestreamDefinition | typeof contentDefinition,
) {
    const all = withSecretsMarked(toState(properties), definition);
    return Object.keys(all).filter((name) => JSON.stringify(all[name]).includes(signature));
}

describe("the secret output", () => {
    it("S3: marks all that have its text, however deep and however it is escaped", () => {
        const outputs = {
            streamKey: 'a"b',
            rtmpUrl: 'rtmp://live/a"b',
            targets: [{ url: 'rtmp://other/a"b' }],
            status: "Idle",
            rtmpsUrl: undefined,
            createdOn: null,
            __meta: { seen: 'a"b' },
        };
        assert.deepEqual(secretsOf(outputs), ["streamKey", "rtmpUrl", "targets"]);
    });

    it("S3: marks URLs that have it percent-encoded, as a whole or in part", () => {
        const outputs = {
            streamKey: "k3y+/s=",
            rtmpUrl: "rtmp://live/k3y%2B%2Fs%3D",
            playbackUrl: "https://play/k3y%2b/s%3d/index.m3u8",
            rtmpsUrl: "rtmps://live/other%2Bkey",
        };
        assert.deepEqual(secretsOf(outputs), ["streamKey", "rtmpUrl", "playbackUrl"]);
        for (const streamKey of ["a%2Bb", "a\\u0041", "100%", 'a\\"b', "K3y"])
            assert.deepEqual(secretsOf({ streamKey, status: "Idle" }), ["streamKey"], streamKey);
    });

    it("marks nothing where there is none", () => {
        for (const streamKey of [undefined, null, "", 5])
            assert.deepEqual(secretsOf({ streamKey, status: "5 Idle" }), [], String(streamKey));
    });
});

describe("a livestream that a lookup has found", () => {
    const livestream = {
        streamUUID: "s",
        rtmpUrl: "rtmp://live/k3y",
        rtmpsUrl: "rtmps://live",
        playbackUrl: "https://play",
    };
    const mark = () => "[secret]";
    const get = (more: object) => withSecrets({ ...livestream, ...more }, { type: "LivestreamResult" }, mark);
    const inList = (more: object) => {
        const result = { type: "LivestreamItem", list: "livestreams" };
        const { livestreams } = withSecrets({ livestreams: [{ ...livestream, ...more }] }, result, mark);
        return Object.keys((livestreams as object[])[0] ?? {});
    };

    it("S3: has its key as a secret, and what holds it; a list has neither", () => {
        assert.deepEqual({ ...livestream, streamKey: mark(), rtmpUrl: mark() }, get({ streamKey: "k3y" }));
        assert.deepEqual(inList({ streamKey: "k3y" }), ["streamUUID", "rtmpsUrl", "playbackUrl"]);
    });

    it("S3: may have its key in an ingest URL alone (X13)", () => {
        assert.deepEqual({ ...livestream, streamKey: mark(), rtmpUrl: mark(), rtmpsUrl: mark() }, get({}));
        assert.deepEqual(inList({}), ["streamUUID", "playbackUrl"]);
    });
});

describe("a list with a presigned URL", () => {
    const secret = (content: unknown) =>
        secretsOf({ title: "https://a.test/v.mp4?sig=1", content }, contentDefinition).length > 0;

    it("S3: is a secret: one with a query, a user or a password, also where no URL parser takes it", () => {
        for (const url of [
            "https://a.test/v.mp4?sig=1",
            "https://user@a.test/v.mp4",
            "https://:pass@a.test/v.mp4",
            "a.test/v.mp4?sig=1",
            "user@a.test/v.mp4",
        ])
            assert.equal(secret([{ url: "https://a.test/v.mp4" }, { url }]), true, url);
        assert.deepEqual(secretsOf({ one: { url: "https://a.test/v.mp4?sig=1" } }, contentDefinition), ["one"]);
        for (const url of ["https://a.test/v.mp4", "https://a.test/v@2.mp4", "a.test/v.mp4", null, 1])
            assert.equal(secret([{ url }]), false, String(url));
    });

    it("S3: is one in a library as well, and so is a text that holds one", () => {
        const entry = { title: "A", content: [{ url: "https://a.test/v.mp4?sig=1" }] };
        for (const key of ["a", "catalogue", "__a"]) {
            const { contents } = withSecretsMarked({ contents: { [key]: entry } }, undefined) as {
                contents: Record<string, typeof entry>;
            };
            assert.equal(contents[key]?.title, "A");
            assert.ok(signature in (contents[key]?.content ?? {}), key);
        }
        assert.deepEqual(secretsOf({ catalogue: JSON.stringify({ key: "a", ...entry }) }), ["catalogue"]);
    });
});

describe("what the engine has given as a secret", () => {
    const library = { contents: { ice: { status: "Ready" } }, __entries: pack([{ title: "Ice" }]) };

    it("S3: makes the record of a library a secret, in whatever it was given: also where a read has only the inputs (X1)", () => {
        for (const given of [
            { contents: { ice: { title: secret("Ice") } } },
            { defaults: { tags: [secret("Ice")] } },
            { catalogue: secret("{}") },
        ]) {
            const recorded = markedAsGiven(library, [{ ...library }, given]);
            assert.deepEqual(recorded.__entries, secret(library.__entries));
            assert.deepEqual(recorded.contents, library.contents);
        }
        assert.deepEqual(markedAsGiven(library, [library, { contents: { ice: { title: "Ice" } } }]), library);
    });

    it("S3: shows which recorded outputs hold in plain what is a secret now (X2)", () => {
        const recorded = { metadata: { code: "S", season: "2" }, title: "Ice" };
        const given = { metadata: { code: secret("S"), season: "2" }, title: "Ice" };
        assert.deepEqual(revealedIn(recorded, markedAsGiven(recorded, [given])), ["metadata"]);
        assert.deepEqual(revealedIn(given, markedAsGiven(recorded, [given])), []);
        assert.deepEqual(revealedIn(recorded, markedAsGiven(recorded, [recorded])), []);
    });

    it("is none where an Output has no value: its input is not set (D5)", () => {
        const recorded = { ...library, metadata: { code: "S" }, region: "us-east-1" };
        for (const nothing of [secret(undefined), secret(null)]) {
            const given = {
                contents: { ice: { tags: nothing } },
                metadata: { code: "S", season: nothing },
                region: nothing,
            };
            assert.deepEqual(markedAsGiven(recorded, [given]), recorded);
        }
        assert.deepEqual(markedAsGiven({ tags: [] }, [{ tags: secret([]) }]), { tags: secret([]) });
    });

    it("S3: tells the texts that messages must not quote (X6)", () => {
        const given = {
            ...{ title: secret("Ice"), tags: ["a", secret("b")], metadata: secret({ code: "c" }) },
            ...{
                catalogue: secret('{"key":"d","title":"e"}'),
                __entries: secret(pack([{ title: "Film", tags: ["a"] }])),
            },
        };
        assert.deepEqual(
            [...secretTexts(given)].filter((text) => text.length < 5),
            ["Ice", "b", "c", "d", "e", "Film"],
        );
    });
});

describe("the packed inputs of a library", () => {
    it("S3: are a secret where one of them has a presigned URL; a preview without the key has to read the others", () => {
        const entries = (url: string) => ({ __entries: pack([{ title: "Ice", content: [{ url }] }]) });
        assert.deepEqual(secretsOf(entries("https://a.test/v.mp4?sig=1")), ["__entries"]);
        assert.deepEqual(secretsOf(entries("https://a.test/v.mp4")), []);
    });
});
