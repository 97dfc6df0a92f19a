/** What a change of the program means (L3, L4, L5, L8). */
import assert from "node:assert/strict";
import { content } from "../../../provider/dist/resources/content/lifecycle.js";

const none = { kind: "none" };
const row = { urn: undefined, progress() {}, info() {}, warn() {} };
const meta = { v: 1, env: "e", mark: "pulumi:p/s/n:0123456789ab" };
const source = (name: string) => [{ url: `https://media.example.com/${name}` }];
const olds = { title: "One", content: source("a"), playbackPolicy: ["public"], status: "Ready", __meta: meta };
const { status: _s, __meta: _m, ...inputs } = olds;
const diff = (before: Record<string, unknown>, news: Record<string, unknown>) =>
    content.diff({ id: "id-1", olds: before, news }, row);

describe("diff of a content", () => {
    it("nothing changed: nothing to do", () => {
        assert.deepEqual(diff(olds, inputs), none);
    });

    it("L5: in place or replacement, shown property by property", () => {
        assert.deepEqual(diff(olds, { ...inputs, title: "Two" }), { kind: "update", because: ["title"] });
        assert.deepEqual(diff(olds, { ...inputs, mp4Support: true }), { kind: "replace", because: ["mp4Support"] });
    });

    it("L4: an unfinished wait is resumed, also after a refresh, unless nobody waits", () => {
        assert.deepEqual(diff({ ...olds, status: "Preparing" }, inputs), { kind: "update", because: ["status"] });
        assert.deepEqual(diff({ ...olds, status: "Preparing" }, { ...inputs, waitForReady: false }), {
            kind: "update",
            because: ["waitForReady"],
        });
        const unwaited = { ...olds, status: "Preparing", waitForReady: false };
        assert.deepEqual(diff(unwaited, { ...inputs, waitForReady: false }), none);
    });

    it("L3: a Failed content is replaced", () => {
        assert.deepEqual(diff({ ...olds, status: "Failed" }, inputs), { kind: "replace", because: ["status"] });
    });

    it("sourceVersion: a new URL alone replaces nothing, a new version does, the first setting does not", () => {
        const versioned = { ...olds, sourceVersion: "1" };
        assert.deepEqual(diff(versioned, { ...inputs, content: source("b"), sourceVersion: "1" }), none);
        assert.deepEqual(diff(versioned, { ...inputs, content: source("b"), sourceVersion: "2" }), {
            kind: "replace",
            because: ["sourceVersion"],
        });
        assert.deepEqual(diff(olds, { ...inputs, content: source("b"), sourceVersion: "1" }), {
            kind: "update",
            because: ["sourceVersion"],
        });
        assert.deepEqual(diff(versioned, { ...inputs, content: source("b") }), {
            kind: "replace",
            because: ["content"],
        });
    });

    it("L8: an object that was taken over is never replaced by what was not sent", () => {
        const { mark: _, ...adopted } = meta;
        const before = { title: "One", status: "Ready", importId: "id-1", __meta: adopted };
        assert.deepEqual(diff(before, { title: "One" }), none);
        assert.deepEqual(diff(before, { title: "One", content: source("a") }), {
            kind: "update",
            because: ["content"],
        });
        const declared = { ...before, playbackPolicy: ["public"] };
        assert.throws(() => diff(declared, { title: "One", importId: "id-1", playbackPolicy: ["signed"] }), /importId/);
        assert.throws(() => diff(before, { title: "One", importId: "id-2" }), /another object/);
    });
});
