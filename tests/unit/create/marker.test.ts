/** The marker that every create leaves in its object: what proves whose it is, and which create made it (S1, S9). */
import assert from "node:assert/strict";
import {
    isSameMarker,
    lineageOf,
    markerIn,
    markerText,
    ownerInMarker,
    parseMarker,
    resourceDigest,
} from "../../../provider/dist/evidence/marker.js";

const parts = {
    ...{
        project: "shop",
        stack: "dev",
        name: "trailer",
        lineage: "0a1b2c3d",
        resource: "11111111",
        inputs: "22222222",
    },
    nonce: "0123456789ab",
};
const text = "pulumi:shop/dev/trailer:0a1b2c3d-11111111-22222222-0123456789ab";

describe("marker", () => {
    it("has the names for people, and what the law compares", () => {
        assert.equal(markerText(parts), text);
        assert.deepEqual(parseMarker(text), parts);
    });

    it("keeps names with separators apart, and cuts long ones", () => {
        const odd = { ...parts, project: "a:b", name: "x/y::z é" };
        assert.deepEqual(parseMarker(markerText(odd)), odd);
        const long = (name: string) => markerText({ ...parts, name });
        assert.ok(long("é".repeat(300)).length < 200);
        assert.notEqual(long(`${"x".repeat(300)}1`), long(`${"x".repeat(300)}2`));
        assert.notEqual(parseMarker(long("é".repeat(300))), undefined);
        assert.notEqual(parseMarker(long("\ud800")), undefined);
    });

    it("is the same by its nonce alone, and only if there are two", () => {
        assert.equal(isSameMarker(text, markerText({ ...parts, stack: "prod" })), true);
        assert.equal(isSameMarker(text, markerText({ ...parts, nonce: "ffffffffffff" })), false);
        for (const [a, b] of [
            [text, undefined],
            [undefined, text],
            [undefined, undefined],
        ] as const) {
            assert.equal(isSameMarker(a, b), false);
        }
    });

    it("is told from other texts", () => {
        assert.equal(ownerInMarker(text), "shop/dev/trailer");
        for (const other of [undefined, "", "pulumi:shop:0123", `x${text}`, `${text}0`, "pulumi:a/b/c:0123456789ab"]) {
            assert.equal(ownerInMarker(other), undefined, other);
        }
        assert.equal(markerIn({ managed_by: text }), text);
        assert.equal(markerIn({ managed_by: "terraform" }), undefined);
        assert.equal(markerIn(undefined), undefined);
    });
});

describe("the digests of a marker", () => {
    const urn = (types: string, name = "a", stack = "dev") => `urn:pulumi:${stack}::shop::${types}::${name}`;

    it("K8: tell kinds, parents and names apart, and no stacks and faces", () => {
        const content = resourceDigest(urn("videograph:index:Content"), "Content");
        assert.equal(resourceDigest(urn("pulumi-nodejs:dynamic/videograph:Content", "a", "prod"), "Content"), content);
        const others = [
            resourceDigest(urn("videograph:index:Livestream"), "Livestream"),
            resourceDigest(urn("my:component:Box$videograph:index:Content"), "Content"),
            resourceDigest(urn("videograph:index:Content", "b"), "Content"),
        ];
        assert.equal(new Set([content, ...others]).size, 4);
    });

    it("tell the births of two states apart, to the nanosecond", () => {
        assert.match(lineageOf("2026-01-01T00:00:00.000000001Z"), /^[0-9a-f]{8}$/);
        assert.notEqual(lineageOf("2026-01-01T00:00:00.000000001Z"), lineageOf("2026-01-01T00:00:00.000000002Z"));
    });
});
