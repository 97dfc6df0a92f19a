/** The name a person probably meant (S5). */
import assert from "node:assert/strict";
import { nearest } from "../../../provider/dist/inputs/nearest.js";

const names = ["title", "tags", "metadata", "playbackPolicy", "waitForReady"];

describe("a misspelt name", () => {
    const meant: Record<string, string> = {
        titel: "title",
        Title: "title",
        itle: "title",
        tittle: "title",
        title: "title",
        tgs: "tags",
        metdata: "metadata",
        meta_data: "metadata",
        playback_policy: "playbackPolicy",
        PLAYBACKPOLICIES: "playbackPolicy",
    };
    for (const [word, name] of Object.entries(meant))
        it(`${word} is ${name}`, () => assert.equal(nearest(word, names), name));

    it("is the nearest of several, and of equals the first", () => {
        assert.equal(nearest("abcd", ["abxy", "abcx", "abcy"]), "abcx");
        assert.equal(nearest("abcd", ["abcy", "abcx", "abxy"]), "abcy");
    });

    it("is two letters away, or a third of its own length", () => {
        assert.equal(nearest("abc", ["xyc"]), "xyc");
        assert.equal(nearest("abc", ["xyz"]), undefined);
        assert.equal(nearest("ab", ["abxy"]), "abxy");
        assert.equal(nearest("ab", ["abxyz"]), undefined);
        assert.equal(nearest("abcdefghi", ["xyzdefghi"]), "xyzdefghi");
        assert.equal(nearest("abcdefgh", ["xyzdefgh"]), undefined);
        assert.equal(nearest("abcdef", ["fedcba"]), undefined);
        assert.equal(nearest("xyzabc", ["abc"]), undefined);
        assert.equal(nearest("abc", ["xyzabc"]), undefined);
        assert.equal(nearest("abc", []), undefined);
    });
});
