/** S3: the values of properties are not repeated, and their paths say which they were. */
import assert from "node:assert/strict";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { KnownSecrets, redactorFor, redactorOfVariables } from "../../../provider/dist/secretValues/known.js";

const from = (...urls: string[]) => ({ content: urls.map((url) => ({ url })) });
const signed = "https://media.example.com/a.mp4?X-Amz-Signature=0a1b2c3d%2Fe4f5&X-Amz-Expires=900";
const reader = "https://reader:pass%20word@media.example.com/";
const computed = {
    status: "Failed",
    resolution: "1920x1080",
    __meta: { fingerprint: "fingerprint" },
    __urn: "urn-of-it",
};
const quotable = { importId: "id-12345", playbackPolicy: ["signed"], subtitle: [{ languageCode: "deutsch" }] };

const notShown = (name: string) => `[not shown, because it may contain a secret: ${name}]`;

/** The properties, a text, and what is shown of it. */
const cases: [what: string, bag: object, text: string, shown: string][] = [
    [
        "every text of its inputs, at any depth, by its path",
        {
            ...{ title: "Launch film", tags: ["internal"], metadata: { owner: "board-room" }, waitForReady: true },
            watermark: [{ url: "logo-signed", xPos: "1564px", opacity: 1 }, null, undefined],
            more: { odd: [["deep-secret"]] },
        },
        "Launch film, internal, board-room, logo-signed, 1564px, deep-secret",
        "[title], [tags[0]], [metadata.owner], [watermark[0].url], [watermark[0].xPos], [more.odd[0][0]]",
    ],
    [
        "of a presigned URL the signature by itself, as the error of a storage has it, but no short parameter",
        from(signed, reader),
        "<SignatureProvided>0a1b2c3d/e4f5</SignatureProvided> expired after 900 s",
        notShown("content[0].url"),
    ],
    [
        "of a URL its user by itself, but no short name and no number",
        from(signed, reader),
        "expired after 900 s, for reader, pass word",
        notShown("content[1].url"),
    ],
    [
        "of an address its path by itself, with and without its slash, unless that may be a word",
        from("https://media.example.com/a7f3/b%20c.mp4", "https://e.test/video"),
        "cannot read /a7f3/b%20c.mp4 in bucket: a7f3/b%20c.mp4, /video: no video track",
        "cannot read [content[0].url] in bucket: [content[0].url], [content[1].url]: no video track",
    ],
    [
        "of an address its path, decoded",
        from("https://media.example.com/a7f3/b%20c.mp4"),
        "cannot read a7f3/b c.mp4",
        notShown("content[0].url"),
    ],
    [
        "X5: of an address each end of its path, as a storage names a file without its bucket",
        from("https://s3.test/bucket-1/7f3a/a.mp4"),
        "NoSuchKey: 7f3a/a.mp4 (a.mp4)",
        "NoSuchKey: [content[0].url] (a.mp4)",
    ],
    [
        "no text that is nothing, and none that nobody declared as a secret",
        { title: "", description: null, ...quotable, ...computed },
        "id-12345 signed deutsch Failed 1920x1080 fingerprint urn-of-it",
        "id-12345 signed deutsch Failed 1920x1080 fingerprint urn-of-it",
    ],
];

describe("what is not repeated of a resource", () => {
    for (const [what, bag, text, shown] of cases)
        it(`S3: ${what}`, () => assert.equal(redactorFor(contentDefinition, [{ ...bag }]).quote(text), shown));

    it("S3: the value that it had before, too; of what the service computes only the stream key", () => {
        const redactor = redactorFor(contentDefinition, [{ title: "Launch film" }, { title: "Secret film" }]);
        assert.equal(redactor.quote("cannot rename Secret film to Launch film"), "cannot rename [title] to [title]");
        const stage = redactorFor(livestreamDefinition, [{ streamKey: "key-0123456789", status: "Active" }]);
        assert.equal(stage.quote("key-0123456789 Active"), "[streamKey] Active");
        assert.equal(stage.quote("KEY-0123456789"), notShown("streamKey"));
        assert.equal(stage.quote("it is Active"), "it is Active");
    });

    it("S3: a long value of another resource, marked or not known", () => {
        const urls = from("https://media.example.com/launch-7f3a/film.mp4");
        for (const isTold of [true, false]) {
            const secrets = new KnownSecrets();
            if (isTold) secrets.note(["https://media.example.com/launch-7f3a/film.mp4"]);
            secrets.redactorFor(contentDefinition, [{ title: "A long title", ...urls }], { owner: "urn-of-one" });
            const other = secrets.redactorFor(contentDefinition, [{ title: "b" }], { owner: "urn-of-other" });
            const lookup = secrets.others.with(redactorFor(contentDefinition, [{}]));
            for (const redactor of [other, lookup]) {
                const shown = redactor.quote("cannot read launch-7f3a/film.mp4");
                assert.equal(shown, notShown("content[0].url of another resource"));
                assert.equal(redactor.quote("a long titl"), "a long titl");
            }
        }
    });

    it("X6: no short text where it is not known which are secrets, and nothing else than secrets where it is", () => {
        const bag = { title: "Launch film", tags: ["a", "film"], metadata: { season: "2" } };
        const text = "profile 2: must not name a policy twice for Launch film";
        const redact = (...secrets: string[]) =>
            redactorFor(contentDefinition, [bag], { marked: () => new Set(secrets) }).quote(text);
        const unknown = redactorFor(contentDefinition, [bag]).quote(text);
        assert.equal(unknown, "profile 2: must not name a policy twice for [title]");
        assert.equal(redact("a"), "profile 2: must not name [tags[0]] policy twice for Launch film");
        assert.equal(redact(), text);
    });

    it("X6: no sentence that shares words with another resource's text, or with its own", () => {
        const secrets = new KnownSecrets();
        for (const description of [
            "A short film about what to do if the source file is missing.",
            "Why a download of this size could not be resumed",
            "How we encode: supported formats and unsupported codecs",
        ])
            secrets.redactorFor(contentDefinition, [{ title: "A", description }], { owner: description });
        const own = {
            title: "Video processing demo",
            content: [{ url: "https://cdn.example/videos/2026/launch/b.mp4" }],
        };
        const redactor = secrets.redactorFor(contentDefinition, [own], { owner: "own" });
        for (const text of [
            "The source file is not a video.",
            "Download of this file failed with status 403",
            "Unsupported codec: supported formats are mp4, mov and m4v",
            "Video processing failed",
        ])
            assert.equal(redactor.quote(text), text);
    });

    it("X6: no address in the folder of another resource's signed one", () => {
        const secrets = new KnownSecrets();
        secrets.note([
            "https://cdn.example/videos/2026/launch/a.mp4?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=ab12",
        ]);
        const content = [
            {
                url: "https://cdn.example/videos/2026/launch/a.mp4?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=ab12",
            },
        ];
        const signed = secrets.redactorFor(contentDefinition, [{ title: "A", content }], { owner: "signed" });
        const other = secrets.redactorFor(contentDefinition, [{ title: "B" }], { owner: "other" });
        const text = "cannot download https://cdn.example/videos/2026/launch/b.mp4: HTTP 403";
        assert.equal(other.quote(text), text);
        assert.equal(signed.quote("Please use AWS4-HMAC-SHA256."), "Please use AWS4-HMAC-SHA256.");
    });
});

describe("the variables of a command", () => {
    it("X6: are no secrets where they name a file", () => {
        const redactor = redactorOfVariables({
            GIT_ASKPASS: "/home/alexander/.vscode-server/bin/askpass.sh",
            AWS_WEB_IDENTITY_TOKEN_FILE: "/var/run/secrets/eks.amazonaws.com/serviceaccount/token",
            PULUMI_ACCESS_TOKEN: "pul-0123456789abcdef",
        });
        const text =
            "read /home/alexander/.pulumi/stacks/p/dev.json at bucket.s3.eu-west-1.amazonaws.com: unexpected end";
        assert.equal(redactor.quote(text), text);
        assert.equal(redactor.quote("no pul-0123456789abcdef"), "no [PULUMI_ACCESS_TOKEN]");
    });
});
