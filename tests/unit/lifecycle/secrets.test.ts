/** S3: the values of properties are not repeated, and their paths say which they were. */
import assert from "node:assert/strict";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import type { Definition } from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { redactorFor } from "../../../provider/dist/inputs/redactor.js";

describe("what is not repeated of a resource", () => {
    const redact = (bag: object, text: string, definition: Definition = contentDefinition) =>
        redactorFor(definition, [{ ...bag }]).redact(text);

    it("S3: every text of its inputs, at any depth, by its path", () => {
        const bag = {
            title: "Launch film",
            tags: ["internal", "unreleased"],
            metadata: { owner: "board-room" },
            content: [{ url: "one-signature" }],
            watermark: [{ url: "logo-signature", xPos: "1564px", opacity: 1 }, null, undefined],
            waitForReady: true,
            more: { odd: [["deep-secret"]] },
        };
        assert.equal(
            redact(
                bag,
                "Launch film, internal, unreleased, board-room, one-signature, logo-signature, 1564px, deep-secret",
            ),
            "[title], [tags[0]], [tags[1]], [metadata.owner], [content[0].url], [watermark[0].url], [watermark[0].xPos], " +
                "[more.odd[0][0]]",
        );
    });

    it("S3: of a presigned URL the signature by itself, as the error of a storage has it, but no short parameter", () => {
        const signed = "https://media.example.com/a.mp4?X-Amz-Signature=0a1b2c3d%2Fe4f5&X-Amz-Expires=900";
        const bag = {
            content: [{ url: signed }],
            watermark: [{ url: "https://reader:pass%20word@media.example.com/" }],
        };
        assert.equal(
            redact(
                bag,
                "<SignatureProvided>0a1b2c3d/e4f5</SignatureProvided> expired after 900 s, for reader, pass word",
            ),
            "<SignatureProvided>[content[0].url]</SignatureProvided> expired after 900 s, for reader, [watermark[0].url]",
        );
    });

    it("S3: of an address its path by itself, with and without its slash, unless that may be a word", () => {
        const bag = {
            content: [{ url: "https://media.example.com/launch-7f3a/a%20b.mp4" }, { url: "https://e.test/video" }],
        };
        assert.equal(
            redact(bag, "cannot read /launch-7f3a/a%20b.mp4 in bucket: launch-7f3a/a b.mp4, /video: no video track"),
            "cannot read [content[0].url] in bucket: [content[0].url], [content[1].url]: no video track",
        );
    });

    it("S3: no text that is nothing, and none that nobody declared as a secret", () => {
        const bag = {
            ...{ title: "", description: null, importId: "id-12345", playbackPolicy: ["signed"] },
            ...{ subtitle: [{ url: "sub-signature", languageCode: "deutsch" }] },
            ...{
                status: "Failed",
                resolution: "1920x1080",
                __meta: { fingerprint: "fingerprint" },
                __urn: "urn-of-it",
            },
        };
        const text = "id-12345 signed deutsch Failed 1920x1080 fingerprint urn-of-it";
        assert.equal(redact(bag, `${text} sub-signature`), `${text} [subtitle[0].url]`);
    });

    it("S3: the value that it had before, too", () => {
        const redactor = redactorFor(contentDefinition, [{ title: "Launch film" }, { title: "Secret film" }]);
        assert.equal(redactor.redact("cannot rename Secret film to Launch film"), "cannot rename [title] to [title]");
    });

    it("X5: of an address each end of its path, as a storage names a file without its bucket", () => {
        const bag = { content: [{ url: "https://s3.test/bucket-1/launch-7f3a/a.mp4" }] };
        assert.equal(redact(bag, "NoSuchKey: launch-7f3a/a.mp4 (a.mp4)"), "NoSuchKey: [content[0].url] (a.mp4)");
    });

    it("X6: no short text where it is not known which are secrets, and nothing else than secrets where it is", () => {
        const bag = { title: "Launch film", tags: ["a", "film"], metadata: { season: "2" } };
        const text = "profile 2: must not name a policy twice for Launch film";
        assert.equal(redact(bag, text), "profile 2: must not name a policy twice for [title]");
        const told = (secret: string) => redactorFor(contentDefinition, [bag], (one) => one === secret).redact(text);
        assert.equal(told("a"), "profile 2: must not name [tags[0]] policy twice for Launch film");
        assert.equal(told(""), text);
    });

    it("S3: of what the service computes only the stream key is a secret", () => {
        const bag = { streamKey: "key-0123456789", rtmpUrl: "rtmp-address", status: "Active" };
        assert.equal(
            redact(bag, "key-0123456789 rtmp-address Active", livestreamDefinition),
            "[streamKey] rtmp-address Active",
        );
    });
});
