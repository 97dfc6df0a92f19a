/** S3: no secret comes back in what the service says. In every encoding: redactGenerated.test.ts. */
import assert from "node:assert/strict";
import { errorTexts, quotable } from "../../../provider/dist/api/quote.js";
import { Redactor } from "../../../provider/dist/api/redact.js";

const one = (value: string, name = "it") => new Redactor([{ name, value }]);

describe("redaction", () => {
    it("takes a name only as a whole word", () => {
        const redactor = new Redactor([{ name: "accessTokenId", value: "video", wholeWord: true }]);
        const text = "videos of videograph: id video, id%3Avideo&x";
        assert.equal(redactor.redact(text), "videos of videograph: id [accessTokenId], id%3A[accessTokenId]&x");
    });

    it("finds a value that holds the sign of an unknown character, percent-encoded", () => {
        assert.equal(one("Q7\ufffd  z9").redact(encodeURIComponent("Q7\ufffd  z9")), "[it]");
    });

    it("takes the longest value first", () => {
        const redactor = new Redactor([
            { name: "short", value: "abcd" },
            { name: "long", value: "abcdefgh" },
        ]);
        assert.equal(redactor.redact("abcdefgh abcd"), "[long] [short]");
    });

    it("takes a short value only as a whole word", () => {
        const clean = one("on").redact("on content, once. On? on_on ön (on)");
        assert.equal(clean, "[it] content, once. [it]? on_on ön ([it])");
    });

    it("takes no digits out of a longer number", () => {
        const clean = one("170650").redact("at 1706500000, live_170650, %20170650");
        assert.equal(clean, "at 1706500000, live_[it], %20[it]");
    });

    for (const [how, text, clean] of [
        ["from its middle on", 'in JSON: ..."night at the sea","re"...', 'in JSON: ..."[it]","re"...'],
        ["with a garbled character", "Midni?ght at the sea is taken", "Midni?[it] is taken"],
        ["with tags in it", "the <b>Midnight at</b> the sea", "the <b>[it]</b> the sea"],
        ["by a word that is in it", "midnight is no time", "midnight is no time"],
    ] as const)
        it(`S3: finds a value that is quoted ${how}`, () =>
            assert.equal(one("Midnight at the sea").redact(text), clean));

    it("bears many long secrets", () => {
        const many = Array.from({ length: 200 }, (_, i) => ({ name: `it${i}`, value: `${i}${"?&/=%".repeat(400)}` }));
        const clean = new Redactor(many).redact(`x ${encodeURIComponent(many[7]?.value ?? "")} y`);
        assert.equal(clean, "x [it7] y");
    }).timeout(30_000);

    it("is linear in the text's length", () => {
        const redactor = new Redactor([
            { name: "a", value: `${"a".repeat(40)}b` },
            { name: "c", value: "x=y?&".repeat(5) },
            { name: "d", value: `${"\\".repeat(40)}?b` },
        ]);
        // What is not takes hours for one of them.
        for (const piece of "a|\\|a.|a.a-|http://|?a=|?a|authorization:|basic |&amp;|<|key:|%3a%2f".split("|"))
            redactor.redact(piece.repeat(50_000 / piece.length));
    }).timeout(60_000);
});

describe("redaction by shape", () => {
    for (const [text, clean] of [
        ["see https://u:p@host.example:8443/a/b?X-Sig=abc#frag.", "see https://host.example:8443/a/b?[redacted]"],
        ["fetch 'https://m.example/v.mp4?sig=abc&x=1': 403", "fetch 'https://m.example/v.mp4?[redacted]': 403"],
        ["s3://key:pass@bucket/x", "s3://bucket/x"],
        ['{"url":"https:\\/\\/u:p@m.example\\/v.mp4?sig=1"}', '{"url":"https:\\/\\/m.example\\/v.mp4?[redacted]"}'],
        ["https%3A%2F%2Fu%3Ap%40m.example%2Fv.mp4%3Fsig%3D1 x", "https%3A%2F%2Fm.example%2Fv.mp4?[redacted] x"],
        ["m.example/v.mp4?X-Amz-Signature=abc&b=c gone", "m.example/v.mp4?[redacted] gone"],
        ["https://host/path is fine, is it?", "https://host/path is fine, is it?"],
        ["Authorization: Basic dG9rZW4=\nHost: x", "Authorization: [redacted]\nHost: x"],
        ['{"authorization":"Bearer abc","x":1}', '{"authorization":"[redacted]","x":1}'],
        ['"{\\"Authorization\\":\\"Bearer abc\\"}"', '"{\\"Authorization\\":\\"[redacted]"}"'],
        ["sent Basic dG9rZW46c2VjcmV0 to it", "sent Basic [redacted] to it"],
        ["Basic authentication is required", "Basic authentication is required"],
        ["user:hunter2@m.example/t.mp4", "[redacted]@m.example/t.mp4"],
        ["//u:hunter2@m.example/t.mp4", "//[redacted]@m.example/t.mp4"],
        ["mail a@b.example at 12:30", "mail a@b.example at 12:30"],
        ['{"streamKey":"live_123","a":1}', '{"streamKey":"[redacted]","a":1}'],
    ] as const)
        it(`turns ${text} into ${clean}`, () => assert.equal(new Redactor([]).redact(text), clean));
});

describe("the service's own words", () => {
    const words = (text: string, redactor = new Redactor([])) => quotable(text, redactor);

    it("are one line of at most 300 characters, without secrets", () => {
        assert.equal(words(" a\r\n\tb\u0000\u001b[31mc \u2028 d\u202e it", one("it", "x")), "a b [31mc d [x]");
        assert.equal(words("x".repeat(301)), `${"x".repeat(299)}…`);
        assert.equal(words("😀".repeat(200)).length, 299);
        assert.equal(words("x".repeat(300 * 1024)), "");
    });
    it("are the title of a gateway's page, and left alone when they are not markup", () => {
        assert.equal(words("<!DOCTYPE html><title>502 Bad Gateway</title><p>token: hunter2"), "502 Bad Gateway");
        assert.equal(words("<p>token: hunter2"), "");
        assert.equal(words("a < b & b > c"), "a < b & b > c");
    });
    it("are quoted without those that another one contains (P3)", () => {
        for (const [answer, quoted] of [
            [{ message: "Invalid: b; a", data: { errors: ["a", "b"] } }, ["Invalid: b; a"]],
            [{ errors: ["a is wrong", "b is"], message: "Invalid" }, ["a is wrong", "b is", "Invalid"]],
            [{ errors: [{ message: "No" }, { message: "No" }], error: "Not found" }, ["Not found"]],
            [{ message: "Same", error: "Same" }, ["Same"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "12345" }, ["12345"]],
            [{ errors: ["1", "2", "3", "4", "5"], message: "6" }, ["1", "2", "3", "4", "5"]],
        ] as const)
            assert.deepEqual(errorTexts(answer), quoted);
    });
});
