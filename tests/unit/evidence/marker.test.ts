/** The marker that every create leaves in its object: what proves whose it is, and which create made it (S1, S9). */
import assert from "node:assert/strict";
import {
    digestOfResource,
    isSameMarker,
    isSameOwner,
    lineageOf,
    type Marker,
    markerText,
    markerTextIn,
    newMarker,
    ownerOf,
    ownerText,
    parseMarker,
} from "../../../provider/dist/evidence/marker.js";
import { laterOwnerOf } from "../../../provider/dist/lifecycle/ownership.js";

const parts = {
    ...{ project: "shop", stack: "dev", name: "trailer", lineage: "0a1b2c3d" },
    ...{ resourceDigest: "11111111", inputsDigest: "22222222", nonce: "0123456789ab" },
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

    it("shows no control characters of a name", () => {
        assert.equal(parseMarker(markerText({ ...parts, name: "trailer\u001b[2J\n" }))?.name, "trailer[2J");
    });

    it("is the same by its nonce alone, and only if there are two", () => {
        assert.equal(isSameMarker(text, markerText({ ...parts, stack: "prod" })), true);
        assert.equal(isSameMarker(text, markerText({ ...parts, nonce: "ffffffffffff" })), false);
        for (const one of [text, undefined]) assert.equal(isSameMarker(one, undefined), false);
        assert.equal(isSameMarker(undefined, text), false);
    });

    it("is told from other texts", () => {
        assert.equal(ownerText(parts), "shop/dev/trailer");
        for (const other of [undefined, "", "pulumi:shop:0123", `x${text}`, `${text}0`, "pulumi:a/b/c:0123456789ab"]) {
            assert.equal(parseMarker(other), undefined, other);
        }
        assert.equal(markerTextIn({ managed_by: text }), text);
        assert.equal(markerTextIn({ managed_by: "terraform" }), undefined);
        assert.equal(markerTextIn(undefined), undefined);
    });
});

describe("the digests of a marker", () => {
    const urn = (types: string, name = "a", stack = "dev") => `urn:pulumi:${stack}::shop::${types}::${name}`;

    it("K8: tell kinds, parents and names apart, and no stacks and faces", () => {
        const digests = [
            digestOfResource(urn("videograph:index:Content"), "Content"),
            digestOfResource(urn("pulumi-nodejs:dynamic/videograph:Content", "a", "prod"), "Content"),
            digestOfResource(urn("videograph:index:Livestream"), "Livestream"),
            digestOfResource(urn("my:component:Box$videograph:index:Content"), "Content"),
            digestOfResource(urn("videograph:index:Content", "b"), "Content"),
        ];
        assert.equal(digests[0], digests[1]);
        assert.equal(new Set(digests).size, 4);
    });

    it("tell the births of two states apart, to the nanosecond", () => {
        assert.match(lineageOf("2026-01-01T00:00:00.000000001Z"), /^[0-9a-f]{8}$/);
        assert.notEqual(lineageOf("2026-01-01T00:00:00.000000001Z"), lineageOf("2026-01-01T00:00:00.000000002Z"));
    });
});

describe("whose an object is, by its marker", () => {
    const birth = "2026-01-01T00:00:00.000000001Z";
    const other = "2026-01-02T00:00:00.000000001Z";
    const urn = (name: string, stack = "dev") => `urn:pulumi:${stack}::shop::videograph:index:Content::${name}`;

    it("W7: of a long name, which is cut, too", () => {
        const { inputsDigest, nonce } = parts;
        for (const name of ["Видео-трейлер-сезон-2", "動画".repeat(40), `${"x".repeat(79)}é`, "\ud800".repeat(40)]) {
            const own = urn(name, name);
            const resourceDigest = digestOfResource(own, "Content");
            const marked = parseMarker(newMarker({ urn: own, resourceDigest, inputsDigest, nonce }));
            assert.ok(marked && isSameOwner(marked, ownerOf(own, "Content")), name);
            assert.equal(isSameOwner(marked, ownerOf(urn(`${name}2`, name), "Content")), false);
            assert.equal(isSameOwner(marked, ownerOf(urn(name, `${name}2`), "Content")), false);
        }
    });

    const own = ownerOf(urn("a"), "Content", birth);
    const unknown = ownerOf(urn("a"), "Content");
    const prod = ownerOf(urn("a", "prod"), "Content", other);
    const mark = (owner: object, nonce = "0123456789ab"): Marker => ({ ...parts, ...owner, nonce });
    const later = "ba9876543210";
    const rows: [string, Marker | undefined, Marker | undefined, boolean][] = [
        ["no marker, or one that the service has dropped", undefined, mark(own), false],
        ["the marker that was recorded", mark(prod), mark(prod), false],
        ["a later one of the same resource, whose adoption was killed", mark(own, later), mark(own), false],
        [
            "a later one of the resource under its new name",
            mark(own, later),
            mark(ownerOf(urn("old"), "Content", birth)),
            false,
        ],
        ["a later one of the stack under its new name", mark(own, later), mark({ ...own, stack: "old" }), false],
        ["that of a stack with a copy of this state", mark({ ...own, stack: "live" }, later), mark(own), true],
        ["a later one of the resource, whose state could not be read", mark(unknown, later), mark(own), false],
        ["its own first one", mark(unknown, later), undefined, false],
        ["that of the same resource of another stack", mark(prod, later), mark(own), true],
        ["the same, whose state could not be read", mark(ownerOf(urn("a", "prod"), "Content"), later), mark(own), true],
        ["that of a stack of the same name", mark({ ...own, lineage: prod.lineage }, later), mark(own), true],
        ["that of another resource of the stack", mark(ownerOf(urn("b"), "Content", birth), later), mark(own), true],
        ["that of another kind", mark(ownerOf(urn("a"), "Clip", birth), later), mark(own), true],
        ["the first one, of another resource", mark(prod, later), undefined, true],
    ];
    for (const [what, shown, recorded, expected] of rows) {
        it(`W14: ${expected ? "changed hands" : "is as it was"} where the object shows ${what}`, () => {
            const textOf = (marker: Marker | undefined) => marker && markerText(marker);
            const subject = { resource: { definition: { name: "Content" } }, operation: { urn: urn("a") } } as never;
            const metadata = { managed_by: textOf(shown) ?? "" };
            assert.equal(laterOwnerOf(subject, { metadata }, textOf(recorded)) !== undefined, expected);
        });
    }
});
