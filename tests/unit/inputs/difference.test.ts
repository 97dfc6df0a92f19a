/** What a change of the program means for an existing content (L3, L4, L5, L8). */
import assert from "node:assert/strict";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { endOfUrl } from "../../../provider/dist/inputs/difference.js";
import { createOnlyInputs } from "../../../provider/dist/inputs/properties.js";
import { unknownValue } from "../../../provider/dist/inputs/values.js";
import { differenceOf as diff } from "../../support/difference.ts";
import type { Properties } from "../../support/machine.ts";

const source = (name: string) => [{ url: `https://media.example.com/${name}` }];
const inputs = { title: "One", content: source("a"), playbackPolicy: ["public"] };
const meta = { v: 1, fingerprint: "e", mark: "pulumi:p/s/n:11111111-22222222-33333333-0123456789ab" };
const olds = { ...inputs, status: "Ready", __meta: meta };
const versioned = { ...olds, sourceVersion: "1" };
const versionedInputs = { ...inputs, sourceVersion: "1" };
const { content: _source, ...unsourced } = versioned;
const { content: _url, ...unsourcedInputs } = inputs;
const adopted = { title: "One", status: "Ready", importId: "id-1", __meta: { v: 1, fingerprint: "e" } };
const { content: _, ...imported } = { ...inputs, importId: "id-1" };

describe("diff of a content", () => {
    const noWait = { waitForReady: false };
    const again = { ...inputs, content: source("c") };
    const other = { ...inputs, content: source("b") };
    const sized = { title: "One", mp4Support: true };
    const both = "content, playbackPolicy";
    const cases: [string, Properties, Properties, string, Properties?][] = [
        ["nothing changed", olds, inputs, "none"],
        ["L5: in place", olds, { ...inputs, title: "Two" }, "update: title"],
        ["L5: only of a create", olds, { ...inputs, mp4Support: true }, "replace: mp4Support"],
        ["L5: another order", { ...olds, tags: ["a", "b"] }, { ...inputs, tags: ["b", "a"] }, "none"],
        ["L5: unknown in place", olds, { ...inputs, metadata: { k: unknownValue } }, "update: metadata"],
        ["L5: unknown, only of a create", olds, { ...inputs, content: unknownValue }, "replace: content"],
        ["L4: an unfinished wait is resumed", { ...olds, status: "Preparing" }, inputs, "update: status"],
        ["L4: nobody waits", { ...olds, ...noWait, status: "Preparing" }, { ...inputs, ...noWait }, "none"],
        ["L3: a Failed content is replaced", { ...olds, status: "Failed" }, inputs, "replace: status"],
        ["sourceVersion: a new URL alone", versioned, { ...other, sourceVersion: "1" }, "none"],
        ["sourceVersion: an unknown URL", versioned, { ...inputs, content: unknownValue, sourceVersion: "1" }, "none"],
        ["sourceVersion: set first", olds, { ...other, sourceVersion: "1" }, "update: sourceVersion"],
        ["sourceVersion: a source for the first time", unsourced, versionedInputs, "replace: content"],
        ["sourceVersion: without its source", versioned, { ...unsourcedInputs, sourceVersion: "1" }, "update: content"],
        ["sourceVersion: another", versioned, { ...inputs, sourceVersion: "2" }, "replace: sourceVersion"],
        ["sourceVersion: removed", versioned, other, "replace: content"],
        ["sourceVersion: removed with the last run's URL", versioned, again, "update: sourceVersion", again],
        ["L8: an object that was adopted, without importId", adopted, { title: "One" }, "none"],
        ["L8: a source that was not sent", adopted, { title: "One", content: source("a") }, "update: content"],
        ["L8: an importId that is the object's", olds, { ...inputs, importId: "id-1" }, "none"],
        ["L8: an importId that is not known yet", olds, { ...inputs, importId: unknownValue }, "none"],
        // Giving up importId and declaring a source asks for a new object, but nothing else does.
        ["L8: importId becomes a source", adopted, inputs, "replace: content", imported],
        ["L8: importId becomes another input", adopted, sized, "update: mp4Support", imported],
        ["L8: importId and a source", adopted, { ...inputs, importId: "id-1" }, `update: ${both}`, imported],
        ["L8: importId was given up in an earlier run", adopted, inputs, `update: ${both}`, { title: "One" }],
    ];
    for (const [what, before, news, expected, oldInputs] of cases)
        it(`${what}: ${expected}`, () => assert.equal(diff(before, news, oldInputs).is, expected));

    it("L8: an importId of another object is refused", () => {
        for (const before of [olds, adopted])
            assert.throws(() => diff(before, { ...inputs, importId: "id-2" }), /different object than Content id-1/);
    });

    it("L2: a thumbnail that is removed stays, and the row says so", () => {
        const before = { thumbnail: { position: 3, width: 2, height: 1 } };
        const { is, said } = diff({ ...olds, ...before }, inputs, { ...inputs, ...before });
        assert.equal(is, "none");
        assert.match(said, /^thumbnail was removed from the program.*keeps the last value\. \[VG4027\]$/);
    });

    it("L3: says what a replacement does to an adopted object, and without a wait", () => {
        assert.match(diff(adopted, inputs, imported).said, /^Content id-1 was adopted: .*VG6008/);
        const { said } = diff(olds, { ...other, ...noWait });
        assert.match(said, /^waitForReady is false: Content id-1 is deleted before .* unless a ContentReadiness waits/);
    });

    it("names the URL that ends, where anyone could have it, and no secret in it", () => {
        const urn = "urn:pulumi:dev::shop::videograph:index:Content::film";
        const playbackUrl = "https://play.example.com/id-1/master.m3u8";
        const said = (olds: Properties, id = "id-1") => endOfUrl(contentDefinition, { id, olds }, urn);
        assert.match(
            said({ playbackUrl, status: "Ready" }) ?? "",
            /^Content film gets .*: https:\/\/play.*m3u8 ends .*VG4060/,
        );
        assert.match(said({ playbackUrl: `${playbackUrl}?token=1` }) ?? "", /: its playback URL ends /);
        assert.equal(said({ playbackUrl, status: "Failed" }), undefined);
        assert.equal(said({ playbackUrl }, "unconfirmed-0123456789ab"), undefined);
        assert.equal(said({ status: "Preparing" }), undefined);
        const stream = { playbackUrl: `${playbackUrl}/k3y0f5tr3am`, streamKey: "k3y0f5tr3am" };
        const ends = endOfUrl(livestreamDefinition, { id: "id-1", olds: stream }, "") ?? "";
        assert.match(ends, /^Livestream id-1 gets .* stream key: .*, and its playback URL ends .*VG4104/);
    });

    it("sourceVersion: identifies an interrupted create, in the place of the URL", () => {
        const identity = (news: Properties) => createOnlyInputs(contentDefinition.inputs.shape, news);
        const one = { ...inputs, sourceVersion: "1" };
        assert.deepEqual(identity({ ...one, content: source("b") }), identity(one));
        assert.notDeepEqual(identity({ ...one, sourceVersion: "2" }), identity(one));
        assert.notDeepEqual(identity({ ...inputs, content: source("b") }), identity(inputs));
    });

    it("S1: an input that a later version adds leaves the identity of an unfinished create as it is", () => {
        const later = { newInput: contentDefinition.inputs.shape.testVideo, ...contentDefinition.inputs.shape };
        assert.deepEqual(createOnlyInputs(later, inputs), createOnlyInputs(contentDefinition.inputs.shape, inputs));
    });
});
