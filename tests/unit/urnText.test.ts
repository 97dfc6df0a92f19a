/** The short form of URNs in state, and back. */
import assert from "node:assert/strict";
import { shortUrn, wholeUrn } from "../../provider/dist/urn.js";

const type = "pulumi-nodejs:dynamic/videograph:Content";

describe("a URN in state", () => {
    for (const [what, whole, short] of [
        ["of a resource of the stack", `urn:pulumi:dev::videos::${type}::trailer`, "dev::videos::::trailer"],
        [
            "of a component's child",
            `urn:pulumi:dev::videos::acme:Library$${type}::trailer`,
            "dev::videos::acme:Library$::trailer",
        ],
        ["with a separator in its name", `urn:pulumi:dev::videos::${type}::a::b`, "dev::videos::::a::b"],
    ] as const) {
        it(`${what} is short, and whole again`, () => {
            assert.equal(shortUrn(whole, type), short);
            assert.equal(wholeUrn(short, type), whole);
        });
    }

    it("may be whole", () => {
        const urn = `urn:pulumi:dev::videos::${type}::trailer`;
        assert.equal(wholeUrn(urn, type), urn);
    });

    it("of another type stays whole, and no URN stays what it is", () => {
        const other = "urn:pulumi:dev::videos::acme:Other::trailer";
        assert.equal(shortUrn(other, type), other);
        assert.equal(shortUrn("no urn", type), "no urn");
        assert.equal(wholeUrn("no urn", type), "no urn");
    });
});
