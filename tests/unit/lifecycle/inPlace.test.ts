/** What an update sends: one PUT at most, with everything in it that is not managed (L5, L8, S9). */
import assert from "node:assert/strict";
import { NotFoundError } from "../../../provider/dist/api/errors.js";
import { ownerInMarker } from "../../../provider/dist/evidence/marker.js";
import { bringUpToDate, refuseContradictions, updateInPlace } from "../../../provider/dist/lifecycle/inPlace.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { bareOperation } from "../../support/bareOperation.ts";
import { type Properties, urnOf } from "../../support/providerRun.ts";

type Shown = Properties & { metadata?: Record<string, string>; createdOn?: number };

const mark = "pulumi:shop/dev/mine:11111111-22222222-33333333-0-0123456789ab";
const theirs = "pulumi:shop/prod/theirs:11111111-22222222-33333333-0-ba9876543210";
const source = [{ url: "https://media.example.com/a.mp4" }];

/** An object, and every request for it. */
function object(shown: Shown | undefined) {
    const sent: unknown[] = [];
    const target = {
        inputs: contentDefinition.inputs,
        kind: "Content",
        what: "Content 1",
        id: "1",
        get: async (): Promise<Shown> => {
            sent.push("GET");
            if (shown !== undefined) return shown;
            throw new NotFoundError("404" as Message, { endpoint: "GET", outcome: "refused" });
        },
        put: async (body: Properties) => void sent.push(body),
    };
    return { target, sent };
}

/** The object of an update, its marker afterwards, and what was sent. */
async function update(shown: Shown | undefined, olds: Properties, news: Properties, urn: string | undefined) {
    const { target, sent } = object(shown);
    const { operation, clock } = bareOperation({ urn });
    return { updated: await clock.runUntil(updateInPlace(target, olds, news, operation)), sent };
}

describe("an update in place", () => {
    const urn = urnOf("mine");
    const inputs = { title: "One", content: source, playbackPolicy: ["public"] };
    const created = { ...inputs, __meta: { v: 1, env: "now", mark } };
    const adopted = { title: "One", __meta: { v: 1, env: "now" } };

    it("L5: sends nothing where nothing differs", async () => {
        assert.deepEqual(await update(undefined, created, inputs, urn), { updated: undefined, sent: [] });
        // Only this package acts on it.
        const local = { ...inputs, waitForReady: false };
        assert.deepEqual(await update(undefined, created, local, urn), { updated: undefined, sent: [] });
    });

    it("L5: reads the object and sends one PUT, in which all that is not managed is as it was", async () => {
        const shown = { title: "One", description: "theirs", tags: ["a"], metadata: { k: "v", managed_by: mark } };
        const { updated, sent } = await update(shown, created, { ...inputs, title: "Two" }, urn);
        assert.deepEqual(sent, [
            "GET",
            { title: "Two", description: "theirs", tags: ["a"], metadata: { k: "v", managed_by: mark } },
        ]);
        assert.deepEqual(updated, { object: shown });
    });

    it("L5: an object that is not there is no update", async () => {
        await assert.rejects(
            update(undefined, created, { ...inputs, title: "Two" }, urn),
            /Content 1 no longer exists/,
        );
    });

    it("S9: a marker that was removed is put back", async () => {
        const { sent } = await update({ metadata: {} }, created, { ...inputs, title: "Two" }, urn);
        assert.deepEqual(sent[1], { title: "Two", metadata: { managed_by: mark } });
    });

    it("S9: the marker of another create stays on the object, and is not recorded", async () => {
        const shown = { metadata: { k: "v", managed_by: theirs } };
        const { updated, sent } = await update(shown, created, { ...inputs, title: "Two" }, urnOf("renamed"));
        assert.deepEqual(sent[1], { title: "Two", metadata: { k: "v", managed_by: theirs } });
        assert.equal(updated?.marked, undefined);
    });

    it("S9: declared metadata leaves the marker on the object, and what was not declared is gone", async () => {
        const shown = { metadata: { k: "v", managed_by: mark } };
        const { sent } = await update(shown, created, { ...inputs, metadata: { own: "1" } }, urn);
        assert.deepEqual(sent[1], { title: "One", metadata: { own: "1", managed_by: mark } });
    });

    it("S9: an object whose metadata the service does not tell keeps it", async () => {
        const { sent } = await update({}, created, { ...inputs, title: "Two" }, urn);
        assert.deepEqual(sent[1], { title: "Two" });
    });

    it("K24: the first PUT of an adopted object marks it, and one that it has stays", async () => {
        const plain = await update({ metadata: { k: "v" } }, adopted, { title: "Two" }, urn);
        const { marker, imported } = plain.updated?.marked ?? {};
        assert.deepEqual(plain.sent[1], { title: "Two", metadata: { k: "v", managed_by: marker } });
        assert.deepEqual([ownerInMarker(marker), imported], ["shop/dev/mine", true]);
        const shown = { metadata: { managed_by: theirs } };
        const marked = await update(shown, adopted, { title: "Two" }, urn);
        assert.deepEqual(marked.sent[1], { title: "Two", metadata: { managed_by: theirs } });
        assert.equal(marked.updated?.marked, undefined);
    });

    it("L8: what an adopted object declares of its creation must be as it is, and nothing is sent for it", async () => {
        const shown = { title: "One", playbackPolicy: ["signed"], mp4Support: true };
        const same = { title: "One", playbackPolicy: ["signed"] };
        assert.deepEqual(await update(shown, adopted, same, urn), {
            updated: { object: shown },
            sent: ["GET"],
        });
        await assert.rejects(
            update(shown, adopted, { title: "Two", playbackPolicy: ["public"], mp4Support: true }, urn),
            /^LifecycleError: Content 1 exists with a different value of playbackPolicy, .* Declare the existing value, or none/,
        );
        // Taken out again, or never to be declared bit by bit: there is nothing to compare.
        const removed = await update(shown, { ...adopted, mp4Support: false }, { title: "One" }, urn);
        assert.deepEqual(removed, { updated: undefined, sent: [] });
        const fixed = await update(shown, created, { ...inputs, mp4Support: false }, urn);
        assert.deepEqual(fixed, { updated: undefined, sent: [] });
    });

    it("L5: an item that is due is no PUT, and the object must be there for it", async () => {
        const shown = { title: "Theirs", metadata: { managed_by: theirs } };
        const news = { ...inputs, subtitle: [{ url: "https://media.example.com/en.vtt", languageCode: "en" }] };
        assert.deepEqual(await update(shown, created, news, urn), {
            updated: { object: shown },
            sent: ["GET"],
        });
        await assert.rejects(update(undefined, created, news, urn), /Content 1 no longer exists/);
    });
});

describe("bringing an object to what is declared", () => {
    const bring = async (shown: Shown, declared: Properties) => {
        const { target, sent } = object(shown);
        await bringUpToDate(target, declared, shown, mark);
        return sent;
    };

    it("L8: sends nothing where the object has all that is declared, whatever else it has", async () => {
        const shown = { title: "One", description: "theirs", metadata: { k: "v", managed_by: mark } };
        assert.deepEqual(await bring(shown, { title: "One" }), []);
        assert.deepEqual(await bring(shown, { title: "One", metadata: { k: "v" } }), []);
    });

    it("L8: sends one PUT where it differs, and the marker stays on it", async () => {
        const shown = { title: "One", description: "theirs", metadata: { k: "v", managed_by: mark } };
        assert.deepEqual(await bring(shown, { title: "Two" }), [
            { title: "Two", description: "theirs", metadata: { k: "v", managed_by: mark } },
        ]);
        assert.deepEqual(await bring(shown, { title: "One", metadata: {} }), [
            { title: "One", description: "theirs", metadata: { managed_by: mark } },
        ]);
    });

    it("S1: sends one PUT where it has another marker", async () => {
        assert.deepEqual(await bring({ title: "One", metadata: { k: "v", managed_by: theirs } }, { title: "One" }), [
            { title: "One", metadata: { k: "v", managed_by: mark } },
        ]);
    });

    it("L8: names everything that only a new object could have", () => {
        const shown: Shown = { playbackPolicy: ["signed"], mp4Support: true, testVideo: false };
        const { target } = object(shown);
        refuseContradictions(target, { title: "Two", playbackPolicy: ["signed"], mp4Support: true }, shown);
        assert.throws(
            () => refuseContradictions(target, { mp4Support: false, playbackPolicy: ["public"] }, shown),
            /^LifecycleError: Content 1 exists with a different value of playbackPolicy, mp4Support, .* Declare the existing/,
        );
    });
});
