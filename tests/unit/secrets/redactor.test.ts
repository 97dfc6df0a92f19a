/** S3: no secret comes back in what the service says. In every encoding: generated.test.ts. */
import assert from "node:assert/strict";
import { Redactor } from "../../../provider/dist/secrets/redactor.js";

const one = (value: string, name = "it") => new Redactor([{ name, value }]);
const notShown = (names: string) => `[not shown, because it may contain a secret: ${names}]`;
const hidden = notShown("it");

describe("a text of the service", () => {
    for (const [how, value, text, shown] of [
        ["a long secret as it is", "Midnight at the sea", "Midnight at the sea is taken", "[it] is taken"],
        ["a signed URL as it is", "https://a.test/v?sig=1", "no https://a.test/v?sig=1 now", "no [it] now"],
        ["a long secret, from its middle on", "Midnight at the sea", 'in JSON: ..."night at the sea"...', hidden],
        ["a long secret with a garbled character", "Midnight at the sea", "Midni?ght at the sea is taken", hidden],
        ["a long secret with tags in it", "Midnight at the sea", "the <b>Midnight at</b> the sea", hidden],
        ["a word of a long secret", "Midnight at the sea", "midnight is no time", "midnight is no time"],
        ["a short secret", "on", "on content, once. On? ön (on)", "[it] content, once. [it]? ön ([it])"],
        ["digits of a number", "170650", "at 1706500000, live_170650", "at 1706500000, live_[it]"],
        ["a short secret, percent-encoded", "170650", "at %20170650", hidden],
        ["a short secret in other letters", "Blå 7", "BLÅ  7 is taken", hidden],
        ["a short secret twice, once escaped", "R&D", "R&D is R&amp;D", hidden],
        ["the sign of an unknown character", "Q7\ufffd  z9", encodeURIComponent("Q7\ufffd  z9"), hidden],
        ["a key of eight letters, glued to others", "a1b2c3d4", "cannot publish to livea1b2c3d4", hidden],
        ["a key of six letters, glued to others", "x7Kp2m", "stream x7Kp2mcopy is busy", "stream [it]copy is busy"],
        ["eight of a key's eleven letters", "x7Kp2mQ9vR4", "key x7Kp2mQ9…", hidden],
        ["a part of a key with many signs", "!a-b_c$d%e^f&g*h(i)j=k", "got !a-b_c$d%e^f&g*h(i)j= at", hidden],
        ["a key in a title with tags", "abcdefghijklmno", "<title>no abcdefghijk<wbr>lmno</title>", "no [it]"],
        ["a key behind thousands of spaces", "abcdefghijklmno", `no${" ".repeat(4084)}abcdefghijklmno`, "no [it]"],
        ["a key where a page is cut", "abcdefghijklmno", `<p>${" ".repeat(16_361)}<title>abcdefghijklmno</title>`, ""],
        ["a secret in Latin-1", "Crème brûlée à 2", "Cr%E8me br%FBl%E9e %E0 2", hidden],
        ["the short path of an address", "https://e.test/video", "no video: /video", "no video: [it]"],
        [
            "the host of an address",
            "https://media.example.com/a.mp4",
            "media.example.com is down",
            "media.example.com is down",
        ],
        ["names of parameters", "https://a.test/v?X-Amz-Algorithm=x1", "no X-Amz-Algorithm", "no X-Amz-Algorithm"],
        ["a short parameter", "https://a.test/v?k=s3cr3t", "with k=s3cr3t", "with k[it]"],
        ["a secret of signs alone", "?&/=%", "a ?&/=% b", "a [it] b"],
        ["nothing of an empty one", " + ", "a + b", "a + b"],
    ] as const)
        it(`S3: that has ${how}`, () => assert.equal(one(value).quote(text), shown));

    it("names each secret, and hides no other text of the answer", () => {
        const redactor = new Redactor([
            { name: "title", value: "Midnight at the sea" },
            { name: "tags[0]", value: "internal" },
            { name: "metadata.owner", value: "the board of the company" },
        ]);
        const both = "Midnight at the sea: see the board of the company";
        assert.equal(redactor.quote("Refused", both, both), "Refused; [title]: see [metadata.owner]");
        assert.equal(redactor.quote("Refused", both.toUpperCase()), `Refused; ${notShown("title, metadata.owner")}`);
        assert.equal(redactor.quote("the internal tags[0]"), "the [tags[0]] tags[0]");
    });

    it("is not masked by a short secret within a long one", () => {
        const redactor = new Redactor([
            { name: "short", value: "night at" },
            { name: "long", value: "Midnight at the sea" },
        ]);
        assert.equal(redactor.quote("no Midnight at the sea, night at"), "no [long], [short]");
        assert.equal(redactor.quote("no MIDNIGHT AT THE SEA"), notShown("long"));
    });

    it("S3: may be no secret, and is hidden where all of it, 24 letters of it, or twelve at a cut are there", () => {
        const title = { name: "title", value: "How we encode: supported formats", isUnsure: true };
        const quote = (text: string) => new Redactor([title]).quote(text);
        assert.equal(quote("supported formats are mp4 and mov"), "supported formats are mp4 and mov");
        assert.equal(quote("WE ENCODE: SUPPORTED FORMATS"), notShown("title"));
        for (const cut of ["no How we encode: s...", "no 'How we encode: s…'", "[...] supported formats"])
            assert.equal(quote(cut), notShown("title"));
        const film = { ...title, value: "https://m.example/launch-7f3a/film.mp4" };
        const path = new Redactor([film]);
        assert.equal(path.quote("no 'https%3A%2F%2Fm.example%2Flaunch-7f3a%2Ffilm.m'"), notShown("title"));
        const other = "cannot read 'https://m.example/launch-7f3a/open.mp4', one of the users' files";
        assert.equal(path.quote(other), other);
        assert.equal(
            new Redactor([{ ...title, value: "Film of May" }]).quote("FILM OF MAY, FILM OF MAYBE"),
            "[title], FILM OF MAYBE",
        );
    });

    it("bears many long secrets", () => {
        const many = Array.from({ length: 200 }, (_, i) => ({ name: `it${i}`, value: `${i}${"?a&/=%".repeat(400)}` }));
        assert.match(new Redactor(many).quote(`x ${encodeURIComponent(many[7]?.value ?? "")} y`), /^\[not shown/);
    }).timeout(30_000);

    it("takes a time that is linear in its length", () => {
        const redactor = new Redactor([
            { name: "a", value: `${"a".repeat(40)}b` },
            { name: "c", value: "x=y?&".repeat(5) },
            { name: "d", value: `${"\\".repeat(40)}?b` },
        ]);
        // What is not takes hours for one of them.
        for (const piece of "a|\\|a.|a.a-|http://|?a=|?a|authorization:|basic |&amp;|<|key:|%3a%2f|<title".split("|"))
            redactor.quote(piece.repeat(50_000 / piece.length));
    }).timeout(60_000);
});

describe("a credential that nobody knows", () => {
    for (const text of [
        "see https://u:p@host.example:8443/a/b",
        "see https://token@host.example/a",
        "fetch 'https://m.example/v.mp4?sig=abc&x=1': 403",
        "s3://key:pass@bucket/x",
        '{"url":"https:\\/\\/u:p@m.example\\/v.mp4"}',
        "https%3A%2F%2Fm.example%2Fv.mp4%3Fsig%3D1 x",
        "m.example/v.mp4?X-Amz-Signature=abc&b=c gone",
        "Authorization: Basic dG9rZW4=\nHost: x",
        '{"authorization":"Bearer abc","x":1}',
        '"{\\"Authorization\\":\\"Bearer abc\\"}"',
        "sent Basic dG9rZW46c2VjcmV0 to it",
        "user:hunter2@m.example/t.mp4",
        "//u:hunter2@m.example/t.mp4",
        '{"streamKey":"live_123","a":1}',
    ])
        it(`S3: is not shown: ${text}`, () => assert.equal(new Redactor([]).quote(text), notShown("a URL or a key")));

    for (const text of [
        "https://host/path is fine, is it?",
        "see https://docs.example.com/errors?code=5#more",
        "cannot read s3://backend?region=eu-west-1: denied",
        "Basic authentication is required",
        "mail a@b.example at 12:30",
        "streamKey: must be a string",
        "Authorization: header is missing",
        "apikey: missing",
        "contact mailto:support@videograph.example",
    ])
        it(`X6: is not in ${text}`, () => assert.equal(new Redactor([]).quote(text), text));

    it("S3: may be each address where the source is another resource's, but for its host", () => {
        const redactor = new Redactor([], { everyUrl: true });
        assert.equal(
            redactor.quote("cannot read https://m.example/a?b=c: 404"),
            "cannot read https://m.example[…] 404",
        );
        for (const url of ["https:\\/\\/m.example\\/a", "https%3A%2F%2Fm.example%2Fa"])
            assert.equal(redactor.quote(`cannot read ${url}`), notShown("a URL or a key"));
        assert.equal(redactor.quote("cannot read https://u:p@m.example/a"), "cannot read https://m.example[…]");
        assert.equal(redactor.quote("https://m.example: no answer"), "https://m.example: no answer");
        assert.equal(new Redactor([]).with(redactor).quote("https://m.example/a"), "https://m.example[…]");
    });
});

describe("the service's own words", () => {
    const words = (text: string, redactor = new Redactor([])) => redactor.quote(text);

    it("are one line of at most 300 characters", () => {
        assert.equal(words(" a\r\n\tb\u0000\u001b[31mc \u2028 d\u202e it", one("it", "x")), "a b [31mc d [x]");
        assert.equal(words("x".repeat(301)), `${"x".repeat(299)}…`);
        assert.equal(words("😀".repeat(200)).length, 299);
        assert.equal(words("x".repeat(300 * 1024)).length, 300);
    });
    it("are the title of a gateway's page, and left alone when they are not markup", () => {
        assert.equal(words("<!DOCTYPE html><title>502 Bad Gateway</title><p>token: hunter2"), "502 Bad Gateway");
        assert.equal(words("<p>token: hunter2"), "");
        assert.equal(words("a < b & b > c"), "a < b & b > c");
    });
});

describe("words of our own", () => {
    it("S3: have the name of a secret in its place", () => {
        const redactor = new Redactor([
            { name: "secretKey", value: "the-secret-key" },
            { name: "none", value: "" },
        ]);
        assert.equal(redactor.mask("key the-secret-key of (x) + y"), "key [secretKey] of (x) + y");
    });
});
