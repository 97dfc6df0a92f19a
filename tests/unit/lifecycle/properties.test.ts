/** The table of inputs: what is drift, what an update sends, what a change means (L5, L6). */
import assert from "node:assert/strict";
import { changedInputs, observedInputs, putBody } from "../../../provider/dist/lifecycle/state/properties.js";
import { unknownValue } from "../../../provider/dist/lifecycle/state/unknown.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";

const contentTable = contentDefinition.inputs;

const declared = {
    title: "One",
    tags: ["a", "b"],
    metadata: { k: "v" },
    content: [{ url: "https://a.example/1.mp4" }],
};

describe("inputs of a content", () => {
    it("L5: sorts changes by how they are made", () => {
        const news = { ...declared, title: "Two", content: [{ url: "https://a.example/2.mp4" }], waitForReady: false };
        assert.deepEqual(changedInputs(contentTable, declared, news), {
            inPlace: ["title"],
            createOnly: ["content"],
            local: ["waitForReady"],
            perItem: [],
        });
    });

    it("L5: the order of tags and of policies has no meaning", () => {
        const olds = { ...declared, playbackPolicy: ["public", "signed"] };
        const news = { ...declared, tags: ["b", "a"], playbackPolicy: ["signed", "public"] };
        assert.deepEqual(changedInputs(contentTable, olds, news), {
            inPlace: [],
            perItem: [],
            createOnly: [],
            local: [],
        });
    });

    it("an unknown value, also a nested one, may be a change", () => {
        const news = { ...declared, metadata: { k: unknownValue }, content: unknownValue };
        assert.deepEqual(changedInputs(contentTable, declared, news), {
            inPlace: ["metadata"],
            createOnly: ["content"],
            local: [],
            perItem: [],
        });
    });

    it("L6: shows what was changed outside, and only what is managed", () => {
        const seen = { contentId: "1", title: "Other", description: "not managed", tags: ["b", "a"], metadata: {} };
        assert.deepEqual(observedInputs(contentTable, declared, seen, { complete: true }), {
            ...declared,
            title: "Other",
            metadata: {},
        });
    });

    it("S4: what the service does not tell is as last sent", () => {
        assert.deepEqual(observedInputs(contentTable, declared, { contentId: "1" }, { complete: true }), declared);
    });

    it("S4: what only a create can set is no drift while it is being made, nor where it is not told", () => {
        const made = { ...declared, mp4Support: true, playbackPolicy: ["signed"] };
        const making = { title: "Other", mp4Support: false, playbackPolicy: ["public"] };
        assert.deepEqual(observedInputs(contentTable, made, making, { complete: false }), { ...made, title: "Other" });
        assert.deepEqual(observedInputs(contentTable, made, making, { complete: true }), { ...made, ...making });
        assert.deepEqual(observedInputs(contentTable, made, { playbackPolicy: [] }, { complete: true }), made);
    });

    it("L5: a PUT resets what was taken out and leaves alone what is not managed", () => {
        const { metadata: _, ...news } = declared;
        const seen = { title: "One", description: "theirs", metadata: { k: "v" }, saveOriginalCopy: true };
        assert.deepEqual(putBody(contentTable, declared, { ...news, title: "Two" }, seen), {
            title: "Two",
            description: "theirs",
            tags: ["a", "b"],
            metadata: {},
            saveOriginalCopy: true,
        });
    });
});
