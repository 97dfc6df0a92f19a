/** Which properties are secrets although nobody has marked them (S3). */
import assert from "node:assert/strict";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import type { Definition } from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { pack } from "../../../provider/dist/evidence/library.js";
import {
    markedAsGiven,
    revealedIn,
    secret,
    secretTexts,
    withSecrets,
    withSecretsMarked,
} from "../../../provider/dist/secretValues/marks.js";
import { toState } from "../../../provider/dist/session/resourceHost.js";

const signature = "4dabf18193072939515e22adb298388d";

/** The names of the properties that are secrets, or hold one. */
function secretsOf(properties: Record<string, unknown>, definition: Definition = livestreamDefinition) {
    const all = withSecretsMarked(toState(properties), definition);
    return Object.keys(all).filter((name) => JSON.stringify(all[name]).includes(signature));
}

describe("the secret output", () => {
    const targets = [{ url: 'rtmp://other/a"b' }];
    const deep = { rtmpUrl: 'rtmp://a"b', targets, rtmpsUrl: undefined, __meta: { seen: 'a"b' } };
    const encoded = {
        ...{ rtmpUrl: "rtmp://live/k3y%2B%2Fs%3D", rtmpsUrl: "rtmps://live/other%2Bkey" },
        playbackUrl: "https://play/k3y%2b/s%3d/index.m3u8",
    };
    it("S3: marks the ingest URLs of a livestream that does not show its key: they may have it", () => {
        const urls = { rtmpUrl: "rtmp://live/k3y", rtmpsUrl: "rtmps://live/k3y", playbackUrl: "https://play" };
        assert.deepEqual(secretsOf({ ...urls, status: "Idle" }), ["rtmpUrl", "rtmpsUrl"]);
    });

    for (const [what, streamKey, outputs, ...secrets] of [
        ["all that have its text, however deep and however escaped", 'a"b', deep, "rtmpUrl", "targets"],
        ["URLs that have it among other letters", "a1b2c3", { rtmpUrl: "rtmp://live/streama1b2c3x" }, "rtmpUrl"],
        ["URLs that have it percent-encoded, as a whole or in part", "k3y+/s=", encoded, "rtmpUrl", "playbackUrl"],
        ...["a%2Bb", "a\\u0041", "100%", 'a\\"b', "K3y"].map((odd) => ["nothing else", odd, {}] as const),
    ] as const)
        it(`S3: marks ${what}: ${streamKey}`, () => {
            assert.deepEqual(secretsOf({ streamKey, ...outputs, status: "Idle" }), ["streamKey", ...secrets]);
        });

    it("marks nothing else where there is none", () => {
        assert.deepEqual(secretsOf({ status: "5 Idle" }), []);
        for (const streamKey of [null, "", 5])
            assert.deepEqual(secretsOf({ streamKey, status: "5 Idle" }), ["streamKey"], String(streamKey));
    });
});

describe("a livestream that a lookup has found", () => {
    const urls = { rtmpUrl: "rtmp://live/k3y", rtmpsUrl: "rtmps://live", playbackUrl: "https://play" };
    const mark = () => "[secret]";
    for (const [what, key, ...ingest] of [
        ["has its key as a secret, and what holds it; a list has neither", { streamKey: "k3y" }, "rtmpUrl"],
        ["may have its key in an ingest URL alone (X13)", {}, "rtmpUrl", "rtmpsUrl"],
    ] as const)
        it(`S3: ${what}`, () => {
            const livestream = { streamUUID: "s", ...urls, ...key };
            const marked = Object.fromEntries(["streamKey", ...ingest].map((name) => [name, mark()]));
            const one = withSecrets(livestream, { type: "LivestreamResult" }, mark);
            assert.deepEqual(one, { ...livestream, ...marked });
            const list = { type: "LivestreamItem", list: "livestreams" };
            const shown = Object.entries(livestream).filter(([name]) => !(name in marked));
            const listed = withSecrets({ livestreams: [livestream] }, list, mark);
            assert.deepEqual(listed, { livestreams: [Object.fromEntries(shown)] });
        });
});

describe("a list with a presigned URL", () => {
    const secret = (content: unknown) =>
        secretsOf({ title: "https://a.test/v.mp4?sig=1", content }, contentDefinition).length > 0;

    it("S3: is a secret: one with a query, a user or a password, also where no URL parser takes it", () => {
        for (const place of ["a.test/v.mp4?sig=1", "user@a.test/v.mp4", "https://:pass@a.test/v.mp4"])
            for (const url of [place, place.replace(/^(?!https)/, "https://")])
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
        assert.deepEqual(secretsOf({ __entries: pack([entry]) }), ["__entries"]);
        // A preview without the stack's key has to read the others.
        assert.deepEqual(secretsOf({ __entries: pack([{ content: [{ url: "https://a.test/v.mp4" }] }]) }), []);
    });
});

describe("what the engine has given as a secret", () => {
    const library = { contents: { ice: { status: "Ready" } }, __entries: pack([{ title: "Ice" }]) };
    const plain = { ...library, metadata: { code: "S", season: "2" }, region: "us-east-1", tags: [] };

    for (const [what, given, ...marked] of [
        ["the record of a library is one, by an entry (X1)", { contents: { a: { title: secret("I") } } }, "__entries"],
        ["the record of a library is one, by a default (X1)", { defaults: { tags: [secret("Ice")] } }, "__entries"],
        ["the record of a library is one, by its catalogue (X1)", { catalogue: secret("{}") }, "__entries"],
        ["a list is one as a whole", { tags: secret([]) }, "tags", "__entries"],
        ["nothing is one without a secret", { contents: { ice: { title: "Ice" } } }],
        ["an Output without a value is none (D5)", { contents: { ice: secret(null) }, region: secret(undefined) }],
        ["nor is one below an input (D5)", { metadata: { code: "S", season: secret(null) } }],
    ] as const)
        it(`S3: ${what}`, () => {
            const secrets = Object.fromEntries(marked.map((name) => [name, secret(plain[name])]));
            assert.deepEqual(markedAsGiven(plain, [plain, given]), { ...plain, ...secrets });
        });

    it("S3: shows which recorded outputs hold in plain what is a secret now (X2)", () => {
        const given = { ...plain, metadata: { code: secret("S"), season: "2" } };
        assert.deepEqual(revealedIn(plain, markedAsGiven(plain, [given])), ["__entries", "metadata"]);
        assert.deepEqual(revealedIn({ ...given, __entries: secret("") }, markedAsGiven(plain, [given])), []);
        assert.deepEqual(revealedIn(plain, markedAsGiven(plain, [plain])), []);
    });

    it("S3: tells the texts that messages must not quote (X6)", () => {
        const __entries = secret(pack([{ title: "Film", tags: ["a"] }]));
        const given = {
            ...{ title: secret("Ice"), tags: ["a", secret("b")], metadata: secret({ code: "c" }) },
            ...{ catalogue: secret('{"key":"d","title":"e"}'), __entries },
        };
        const short = [...secretTexts(given)].filter((text) => text.length < 5);
        assert.deepEqual(short, ["Ice", "b", "c", "d", "e", "Film"]);
    });
});
