/** Settings that say nothing, and those that have a default. Which of several counts: tests/e2e/configuration.test.ts. */
import assert from "node:assert/strict";
import { credentialsOf, resolveSettings } from "../../../provider/dist/session/settings.js";

describe("settings", () => {
    it("that say nothing, or are not known yet, do not count, and space around them does not either", () => {
        const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        for (const nothing of ["", " \n", unknown]) {
            const settings = resolveSettings({ region: nothing }, {}, { VIDEOGRAPH_REGION: " eu\n" });
            assert.deepEqual(settings, { region: "eu", sources: { region: "environment" } }, nothing);
        }
    });
});

describe("settings that are no text", () => {
    it("count as the text that stands for them: an Output may have had any value", () => {
        const own = { accessTokenId: 4711, trustNotFound: true } as never;
        const { sources, ...settings } = resolveSettings(
            own,
            {},
            { VIDEOGRAPH_ACCESS_TOKEN_ID: "of another environment" },
        );
        assert.deepEqual(settings, { accessTokenId: "4711", trustNotFound: "true" });
    });
});

const token = { accessTokenId: "id", secretKey: "key" };

describe("credentials", () => {
    it("are for the public service, unless a base URL is set", () => {
        const baseUrl = "https://api.videograph.ai";
        assert.deepEqual(credentialsOf({ ...token, region: "eu" }), { ...token, baseUrl, trustNotFound: false });
        assert.equal(credentialsOf({ ...token, baseUrl: "https://eu.test" }).baseUrl, "https://eu.test");
    });
});

describe("trustNotFound", () => {
    it("S2: holds only where the user says so", () => {
        assert.equal(credentialsOf({ ...token, trustNotFound: "true" }).trustNotFound, true);
        for (const no of [undefined, "false"])
            assert.equal(credentialsOf({ ...token, trustNotFound: no }).trustNotFound, false, no);
        for (const unclear of ["True", "1", "yes", "11"]) {
            const refused =
                /^Error: VIDEOGRAPH_TRUST_NOT_FOUND or videograph:trustNotFound must be true or false \[VG2001\]/;
            assert.throws(
                () => credentialsOf({ ...token, trustNotFound: unclear }),
                (error: Error) => refused.test(`Error: ${error.message}`),
            );
        }
    });
});
