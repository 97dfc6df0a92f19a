/** The table of inputs: what is drift, what an update sends, what a change means (L5, L6). */
import assert from "node:assert/strict";
import {
    appliedInputs,
    changedInputs,
    contradictions,
    importable,
    inputsIn,
    observedInputs,
    putBody,
    sentInputs,
    undeclaredOrEqual,
    withDefaults,
} from "../../../provider/dist/inputs/properties.js";
import { unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../../provider/dist/resources/livestream/definition.js";

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

    it("L5: a source that the last run could not send is still a change, whatever declares it", () => {
        const other = { ...declared, content: [{ url: "https://a.example/2.mp4" }] };
        const changes = (olds: object, news: object, oldInputs: object) =>
            changedInputs(contentTable, { ...olds }, { ...news }, { ...oldInputs }).createOnly;
        assert.deepEqual(changes(declared, other, other), ["content"]);
        const { content: _, ...without } = declared;
        const versioned = { ...without, sourceVersion: "1" };
        assert.deepEqual(changes(versioned, declared, { ...declared, sourceVersion: "1" }), ["content"]);
    });

    it("L5: with a version, a source that is declared for the first time or taken out is a change", () => {
        const { content: _, ...without } = declared;
        const none = { inPlace: [], createOnly: [], local: [], perItem: [] };
        const version = { sourceVersion: "1" };
        assert.deepEqual(changedInputs(contentTable, without, { ...declared, ...version }), {
            ...none,
            createOnly: ["content"],
            local: ["sourceVersion"],
        });
        assert.deepEqual(changedInputs(contentTable, { ...declared, ...version }, { ...without, ...version }), {
            ...none,
            createOnly: ["content"],
        });
        assert.deepEqual(changedInputs(contentTable, declared, { ...declared, ...version }), {
            ...none,
            local: ["sourceVersion"],
        });
    });

    it("L5: another version is a change of what only a create can set, and of nothing else", () => {
        const olds = { ...declared, sourceVersion: "1", waitForReady: true };
        const news = { ...declared, sourceVersion: "2", waitForReady: false, mp4Support: true };
        assert.deepEqual(changedInputs(contentTable, olds, news), {
            inPlace: [],
            createOnly: ["sourceVersion", "mp4Support"],
            local: ["waitForReady"],
            perItem: [],
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

    it("S4: what is never read is as last sent, whatever an answer has under its name", () => {
        const made = { ...declared, waitForReady: true, subtitle: [{ url: "https://a.example/1.vtt" }] };
        const odd = { content: [], watermark: [], waitForReady: false, importId: "1", subtitle: [{ url: "b" }] };
        assert.deepEqual(observedInputs(contentTable, made, odd, { complete: true }), made);
    });

    it("L8: what the service does not tell contradicts nothing, and differs from nothing that is not sent", () => {
        const wanted = { title: "One", mp4Support: true, testVideo: true, playbackPolicy: ["signed", "public"] };
        const shown = { title: "Two", mp4Support: true, playbackPolicy: ["public", "signed"] };
        assert.deepEqual(contradictions(contentTable, wanted, shown), []);
        assert.deepEqual(contradictions(contentTable, wanted, { mp4Support: false, testVideo: false }), [
            "mp4Support",
            "testVideo",
        ]);
        assert.equal(undeclaredOrEqual(contentTable, { ...wanted, tags: [] }, { title: "One" }), true);
        assert.equal(undeclaredOrEqual(contentTable, { ...wanted, tags: ["a"] }, { title: "One" }), false);
        assert.equal(undeclaredOrEqual(contentTable, wanted, shown), false);
    });

    it("L4: what was found again surely has what only a create can set, and of the rest what it shows", () => {
        const wanted = { ...declared, mp4Support: true, waitForReady: false, description: "d" };
        const had = appliedInputs(contentTable, wanted, { title: "Old", tags: ["b"], saveOriginalCopy: true });
        assert.deepEqual(inputsIn(contentTable, had), {
            ...{ title: "Old", tags: ["b"], content: declared.content },
            ...{ mp4Support: true, waitForReady: false },
        });
    });

    it("a create sends the default of what is left out, and nothing of what only this package acts on", () => {
        const { playbackPolicy } = withDefaults(contentTable, declared);
        assert.deepEqual(playbackPolicy, ["public"]);
        assert.deepEqual(withDefaults(contentTable, { playbackPolicy: ["signed"] }).playbackPolicy, ["signed"]);
        const sent = Object.keys(sentInputs(contentTable));
        assert.deepEqual(
            Object.keys(contentTable).filter((name) => !sent.includes(name)),
            ["waitForReady", "sourceVersion", "importId"],
        );
    });

    it("S4: what only a create can set is no drift while it is being made, nor where it is not told", () => {
        const made = { ...declared, mp4Support: true, playbackPolicy: ["signed"] };
        const making = { title: "Other", mp4Support: false, playbackPolicy: ["public"] };
        assert.deepEqual(observedInputs(contentTable, made, making, { complete: false }), { ...made, title: "Other" });
        assert.deepEqual(observedInputs(contentTable, made, making, { complete: true }), { ...made, ...making });
        assert.deepEqual(observedInputs(contentTable, made, { playbackPolicy: [] }, { complete: true }), made);
        const stage = { title: "Stage", region: "us-east-1", record: true };
        const { inputs } = livestreamDefinition;
        assert.deepEqual(observedInputs(inputs, stage, { title: "Stage", region: "" }, { complete: true }), stage);
        assert.deepEqual(contradictions(inputs, stage, { region: "", record: true }), []);
        assert.deepEqual(contradictions(contentTable, made, { playbackPolicy: [] }), []);
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

    it("N2: has the inputs of which something was set", () => {
        const object = {
            title: "a",
            description: "",
            tags: [],
            metadata: {},
            mp4Support: false,
            testVideo: true,
            duration: 1,
        };
        assert.deepEqual(importable(contentTable, object), { title: "a", testVideo: true });
        assert.deepEqual(importable(contentTable, { title: "a", tags: ["b"], metadata: { k: "" }, mp4Support: null }), {
            ...{ title: "a", tags: ["b"], metadata: { k: "" } },
            mp4Support: null,
        });
        const stream = { title: "a", dvrDurationInMins: 0, record: false };
        assert.deepEqual(importable(livestreamDefinition.inputs, stream), { title: "a" });
        assert.deepEqual(importable(livestreamDefinition.inputs, { dvrDurationInMins: 1 }), { dvrDurationInMins: 1 });
    });
});
