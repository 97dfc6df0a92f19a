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
});
