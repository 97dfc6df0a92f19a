/** The inputs of a definition against an object: what is drift, and what an update sends (L5, L6). What a change means: difference.test.ts. */
import assert from "node:assert/strict";
import { clipDefinition } from "../../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import * as properties from "../../../provider/dist/inputs/properties.js";

const { changedInputs, compareInputs, importableInputs } = properties;
/** What is recorded of a complete object. */
const observed = (inputs: Table, olds: object, object: object, complete = true) =>
    properties.observedInputs(inputs, { ...olds }, object, { complete });
const none = { inPlace: [], ownRequest: [], createOnly: [], local: [] };
const table = contentDefinition.inputs.shape;
const livestream = livestreamDefinition.inputs.shape;
const content = [{ url: "https://a.example/1.mp4" }];
const declared = { title: "One", tags: ["a", "b"], metadata: { k: "v" }, content };

type Table = Parameters<typeof compareInputs>[0];
const contradictions = (inputs: Table, news: object, object: object) =>
    compareInputs(inputs, {}, { ...news }, object).contradicted;

describe("inputs of a content", () => {
    it("L6: drift is what is managed and differs; a value that is not told is as last sent", () => {
        const seen = { contentId: "1", title: "Other", description: "not managed", tags: ["b", "a"], metadata: {} };
        const drifted = { ...declared, title: "Other", metadata: {} };
        assert.deepEqual(observed(table, declared, seen), drifted);
        const made = { ...declared, waitForReady: true, subtitle: [{ url: "https://a.example/1.vtt" }] };
        const odd = { content: [], watermark: [], waitForReady: false, importId: "1", subtitle: [{ url: "b" }] };
        assert.deepEqual(observed(table, made, odd), made);
    });

    it("L6: neither order nor repetition of words is drift (D7), nor is a key without a value that the service drops (P4)", () => {
        const metadata = { k: "v", x: "", y: "" };
        const wanted = { tags: ["a", "b", "a"], metadata, playbackPolicy: ["public", "signed"] };
        const seen = { tags: ["b", "a"], metadata: { k: "v", y: "", z: "" }, playbackPolicy: ["signed", "public"] };
        assert.deepEqual(observed(table, wanted, seen), wanted);
        assert.deepEqual(changedInputs(table, wanted, { ...wanted, ...seen }), none);
        assert.equal(compareInputs(table, undefined, wanted, seen).isEqual, true);
        // Neither is sent again beside another change.
        const { body } = compareInputs(table, wanted, { ...wanted, title: "Two" }, { title: "One", ...seen });
        assert.deepEqual(body, { title: "Two", tags: seen.tags, metadata: seen.metadata });
        for (const other of [
            { tags: ["a"] },
            { tags: [] },
            { metadata: { k: "" } },
            { metadata: { k: "v", x: "x" } },
        ]) {
            const { inPlace } = changedInputs(table, wanted, { ...wanted, ...other });
            assert.deepEqual(inPlace, Object.keys(other));
            const drift = observed(table, wanted, { ...seen, ...other });
            assert.deepEqual(drift, { ...wanted, ...other });
        }
    });

    it("L6: a text in its other Unicode form is no drift, and no change (P5); an address in another form is another file", () => {
        const forms = ["NFC", "NFD"] as const;
        for (const [form, other] of [forms, forms.toReversed()]) {
            const [name, theirs] = ["Café", "Café"].map((text, at) => text.normalize(at === 0 ? form : other));
            assert.ok(name !== undefined && theirs !== undefined && name !== theirs);
            const texts = (text: string) => ({
                title: text,
                description: text,
                tags: ["a", text],
                metadata: { [text]: text },
            });
            const [wanted, seen] = [texts(name), texts(theirs)];
            for (const inputs of [table, livestream, clipDefinition.inputs.shape]) {
                assert.deepEqual(observed(inputs, wanted, seen), wanted);
                assert.deepEqual(changedInputs(inputs, wanted, { ...seen }), none);
                assert.equal(compareInputs(inputs, undefined, wanted, seen).isEqual, true);
                // What the service has is sent beside another change, under the program's keys.
                const { body } = compareInputs(inputs, wanted, { ...wanted, title: "Two" }, seen);
                assert.deepEqual(body, { ...seen, title: "Two", metadata: { [name]: theirs } });
                for (const part of Object.keys(wanted)) {
                    const { inPlace } = changedInputs(inputs, wanted, {
                        ...seen,
                        [part]: texts("Cafe")[part as "title"],
                    });
                    assert.deepEqual(inPlace, [part]);
                }
            }
            const sources = [name, theirs].map((file) => ({ content: [{ url: `https://a.example/${file}.mp4` }] }));
            assert.deepEqual(changedInputs(table, sources[0] ?? {}, sources[1] ?? {}).createOnly, ["content"]);
        }
    });

    describe("where the service changes the case of metadata keys (A10)", () => {
        const wanted = { title: "One", metadata: { Season: "1", "In-House": "yes" } };
        const lower = { title: "One", metadata: { season: "1", "in-house": "yes", theirs: "kept" } };
        const bodyOf = (metadata: object, shown: Record<string, string>, olds: object = wanted) =>
            compareInputs(table, { ...olds }, { ...wanted, metadata }, { ...lower, metadata: shown }).body.metadata;

        it("that alone is no drift and no change; drift and what an unfinished update leaves have the program's keys", () => {
            for (const inputs of [table, livestream, clipDefinition.inputs.shape]) {
                const own = { season: "1", "in-house": "yes" };
                assert.deepEqual(observed(inputs, wanted, { ...lower, metadata: own }), wanted);
                assert.deepEqual(changedInputs(inputs, wanted, { ...wanted, metadata: own }), none);
                assert.equal(compareInputs(inputs, undefined, wanted, { ...lower, metadata: own }).isEqual, true);
                const drifted = { ...wanted, metadata: { Season: "2", "In-House": "yes", theirs: "kept" } };
                const shown = { ...lower, metadata: { ...lower.metadata, season: "2" } };
                assert.deepEqual(observed(inputs, wanted, shown), drifted);
                assert.deepEqual(properties.appliedInputs(inputs, wanted, shown), drifted);
            }
        });

        it("an update sends each key once, as the program has it, and what is not managed as it is", () => {
            const { metadata: shown } = lower;
            const changed = { Season: "2", "In-House": "yes", theirs: "kept" };
            assert.deepEqual(bodyOf({ Season: "2", "In-House": "yes" }, shown), changed);
            const other = { SEASON: "3", "In-House": "yes", theirs: "kept" };
            assert.deepEqual(bodyOf({ SEASON: "3", "In-House": "yes" }, shown), other);
            assert.deepEqual(bodyOf({ Season: "1" }, shown), { Season: "1", theirs: "kept" });
            assert.deepEqual(bodyOf({ Season: "1", Theirs: "mine" }, shown), { Season: "1", Theirs: "mine" });
        });

        it("two keys of an object, or of a program, that differ in case only stay two", () => {
            const both = { Season: "1", season: "theirs" };
            assert.deepEqual(bodyOf({ Season: "2" }, both), { Season: "2", season: "theirs" });
            const declared = { ...wanted, metadata: both };
            assert.deepEqual(bodyOf({ ...both, Season: "2" }, both, declared), { ...both, Season: "2" });
            assert.deepEqual(observed(table, declared, declared), declared);
            const { inPlace } = changedInputs(table, declared, { ...declared, metadata: { season: "1" } });
            assert.deepEqual(inPlace, ["metadata"]);
        });
    });

    it("L6: a declared value that is empty is no drift where the service shows none (P4)", () => {
        const empty = { title: "a", description: "", tags: [], metadata: {}, saveOriginalCopy: false };
        assert.deepEqual(observed(table, empty, { title: "a" }), empty);
        assert.equal(compareInputs(table, undefined, empty, { title: "a" }).isEqual, true);
    });

    it("S4: what only a create can set is no drift while it is being made, nor where it is not told", () => {
        const made = { ...declared, mp4Support: true, playbackPolicy: ["signed"] };
        const making = { title: "Other", mp4Support: false, playbackPolicy: ["public"] };
        assert.deepEqual(observed(table, made, making, false), { ...made, title: "Other" });
        assert.deepEqual(observed(table, made, making), { ...made, ...making });
        assert.deepEqual(observed(table, made, { playbackPolicy: [] }), made);
        const stage = { title: "Stage", region: "us-east-1", record: true };
        assert.deepEqual(observed(livestream, stage, { title: "Stage", region: "" }), stage);
        assert.deepEqual(contradictions(livestream, stage, { region: "", record: true }), []);
    });

    it("L8: what the service does not tell contradicts nothing, and differs from nothing that is not sent", () => {
        const wanted = { title: "One", mp4Support: true, testVideo: true, playbackPolicy: ["signed", "public"] };
        const shown = { title: "Two", mp4Support: true, playbackPolicy: ["public", "signed"] };
        assert.deepEqual(contradictions(table, wanted, shown), []);
        assert.deepEqual(contradictions(table, wanted, { mp4Support: false, testVideo: true }), ["mp4Support"]);
        assert.equal(compareInputs(table, {}, { ...wanted, tags: [] }, { title: "One" }).isEqual, true);
        assert.equal(compareInputs(table, {}, { ...wanted, tags: ["a"] }, { title: "One" }).isEqual, false);
    });

    it("L5: a PUT resets what was removed and leaves alone what is not managed", () => {
        const { metadata: _, ...news } = declared;
        const seen = { title: "One", description: "theirs", metadata: { k: "v" }, saveOriginalCopy: true };
        const { body } = compareInputs(table, declared, { ...news, title: "Two" }, seen);
        assert.deepEqual(body, { ...seen, title: "Two", tags: ["a", "b"], metadata: {} });
    });

    it("N2: a program declares what was set", () => {
        const unset = { description: "", tags: [], metadata: {}, mp4Support: false, duration: 1 };
        const set = { title: "a", testVideo: true };
        assert.deepEqual(importableInputs(table, { ...unset, ...set }), set);
        const stage = { title: "a", dvrDurationInMins: 0, record: false };
        assert.deepEqual(importableInputs(livestream, stage), { title: "a" });
    });
});
