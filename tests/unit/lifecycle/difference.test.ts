/** What a change of the program means (L3, L4, L5, L8). */
import assert from "node:assert/strict";
import { createIdentity } from "../../../provider/dist/inputs/properties.js";
import { unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { content } from "../../../provider/dist/resources/content/lifecycle.js";

const none = { kind: "none" };
type Properties = Record<string, unknown>;
/** The difference, and what the row shows of it. */
function lines(olds: Properties, news: Properties, oldInputs?: Properties) {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const row = { urn: undefined, progress: say, info: say, warn: say };
    return { difference: content.diff({ id: "id-1", olds, oldInputs, news }, row), said };
}
const row = { urn: undefined, progress() {}, info() {}, warn() {} };
const meta = { v: 1, env: "e", mark: "pulumi:p/s/n:11111111-22222222-33333333-0123456789ab" };
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
        assert.throws(
            () => diff(before, { title: "One", importId: "id-2" }),
            /^LifecycleError: importId names a different object than Content id-1, /,
        );
    });

    it("L8: an importId that is declared later has to be the object's, as far as it is known", () => {
        assert.deepEqual(diff(olds, { ...inputs, importId: "id-1" }), none);
        assert.deepEqual(diff(olds, { ...inputs, importId: unknownValue }), none);
        assert.throws(() => diff(olds, { ...inputs, importId: "id-2" }), /different object than Content id-1/);
    });

    it("L8: a source that is declared as importId is given up asks for a new object, and says so", () => {
        const { mark: _, ...adopted } = meta;
        const before = { title: "One", status: "Ready", importId: "id-1", __meta: adopted };
        const news = { title: "One", content: source("a"), playbackPolicy: ["public"] };
        assert.deepEqual(lines(before, news, { title: "One", importId: "id-1" }), {
            difference: { kind: "replace", because: ["content"] },
            said: [
                "Content id-1 was adopted: a new one is created from the declared inputs, and the adopted one is deleted. [VG6008]",
            ],
        });
        const declared = (now: Properties, more: Properties = {}) =>
            lines({ ...before, ...more }, { title: "One", ...now }, { title: "One", importId: "id-1" }).difference;
        // Nothing but the source asks for a new object.
        const watermark = [{ url: "https://media.example.com/a.png" }];
        assert.deepEqual(declared({ mp4Support: true, watermark }), {
            kind: "update",
            because: ["mp4Support", "watermark"],
        });
        assert.deepEqual(declared({}, { content: source("a") }), { kind: "update", because: ["content"] });
        assert.deepEqual(lines(before, { ...news, importId: "id-1" }, { title: "One", importId: "id-1" }).difference, {
            kind: "update",
            because: ["content", "playbackPolicy"],
        });
        // Given up in an earlier run: the source is recorded, as it was never sent.
        assert.deepEqual(lines(before, news, { title: "One" }).difference, {
            kind: "update",
            because: ["content", "playbackPolicy"],
        });
    });

    it("L3: a replacement that does not wait says when the old object is deleted", () => {
        const { said } = lines(olds, { ...inputs, content: source("b"), waitForReady: false });
        assert.match(said.join(), /^waitForReady is false: Content id-1 is deleted as soon as the new one is created/);
    });

    describe("with sourceVersion", () => {
        const versioned = { ...olds, sourceVersion: "1" };

        it("a URL that a preview does not know yet replaces nothing", () => {
            const news = { ...inputs, content: [{ url: unknownValue }], sourceVersion: "1" };
            assert.deepEqual(diff(versioned, news), none);
            assert.deepEqual(diff(versioned, { ...news, content: unknownValue }), none);
        });

        it("removing it replaces nothing while the URL is that of the last run", () => {
            const { difference } = lines(
                versioned,
                { ...inputs, content: source("c") },
                { ...versioned, content: source("c") },
            );
            assert.deepEqual(difference, { kind: "update", because: ["sourceVersion"] });
            const other = lines(versioned, { ...inputs, content: source("d") }, { ...versioned, content: source("c") });
            assert.deepEqual(other.difference, { kind: "replace", because: ["content"] });
        });

        it("an interrupted create is told apart by the version, and not by the URL", () => {
            const identity = (news: Record<string, unknown>) => createIdentity(contentDefinition.inputs, news);
            const one = { ...inputs, sourceVersion: "1" };
            assert.deepEqual(identity({ ...one, content: source("b") }), identity(one));
            assert.notDeepEqual(identity({ ...one, sourceVersion: "2" }), identity(one));
            assert.notDeepEqual(identity({ ...inputs, content: source("b") }), identity(inputs));
        });
    });
});
