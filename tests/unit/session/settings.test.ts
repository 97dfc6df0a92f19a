/** Settings that say nothing, and those that have a default. Which of several counts: tests/e2e/configuration.test.ts. */
import assert from "node:assert/strict";
import {
    AuthenticationError,
    ClientError,
    MalformedAnswerError,
    NotFoundError,
} from "../../../provider/dist/api/errors.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { explainError } from "../../../provider/dist/session/explain.js";
import { credentialsOf, resolveSettings } from "../../../provider/dist/session/settings.js";

describe("settings", () => {
    it("that say nothing, or are not known yet, do not count, and space around them does not either", () => {
        const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        for (const nothing of ["", " \n", unknown]) {
            const settings = resolveSettings({ region: nothing }, {}, { VIDEOGRAPH_REGION: " eu\n" });
            assert.deepEqual(settings, { region: "eu", sources: { region: "environment" } }, nothing);
        }
    });

    it("that are no text count as the text that stands for them: an Output may have had any value", () => {
        const own = { accessTokenId: 4711, trustNotFound: true } as never;
        const variables = { VIDEOGRAPH_ACCESS_TOKEN_ID: "of another environment" };
        const { sources, ...settings } = resolveSettings(own, {}, variables);
        assert.deepEqual(settings, { accessTokenId: "4711", trustNotFound: "true" });
    });
});

/** That of each single one: tests/e2e/configuration.test.ts and tests/e2e/lawPost.test.ts. */
describe("the source of a setting that an error blames", () => {
    it("is both, where they differ", () => {
        const variables = { VIDEOGRAPH_SECRET_KEY: "key", VIDEOGRAPH_ACCESS_TOKEN_ID: " " };
        const stack = { accessTokenId: "of the stack", secretKey: "of the stack" };
        const refused = new AuthenticationError("Refused. [VG1010]" as Message, { status: 401, outcome: "refused" });
        assert.equal(
            explainError(refused, resolveSettings({}, stack, variables)),
            "Refused. [VG1010] They come from the stack's configuration (videograph:accessTokenId) and the environment (VIDEOGRAPH_SECRET_KEY), which overrides the stack's configuration.",
        );
    });

    it("is the base URL's, of an answer that is not the service's", () => {
        const settings = resolveSettings({}, { baseUrl: "https://a.example" }, {});
        const said = (Kind: typeof ClientError, status: number) =>
            explainError(new Kind("Refused. [VG5106]" as Message, { status, outcome: "refused" }), settings);
        const origin = "The base URL is https://a.example, from the stack's configuration (videograph:baseUrl).";
        // No such path, a redirect, a page.
        for (const text of [said(ClientError, 404), said(ClientError, 302), said(MalformedAnswerError, 200)])
            assert.equal(text, `Refused. [VG5106] ${origin}`);
        for (const text of [said(NotFoundError, 404), said(ClientError, 400), said(ClientError, 200)])
            assert.equal(text, "Refused. [VG5106]");
    });
});

const token = { accessTokenId: "id", secretKey: "key" };

describe("trustNotFound", () => {
    it("S2: holds only where the user says so", () => {
        assert.equal(credentialsOf({ ...token, trustNotFound: "true" }).trustNotFound, true);
        for (const no of [undefined, "false"])
            assert.equal(credentialsOf({ ...token, trustNotFound: no }).trustNotFound, false, no);
        const refusal = /^VIDEOGRAPH_TRUST_NOT_FOUND or videograph:trustNotFound must be true or false \[VG2001\]/;
        for (const trustNotFound of ["True", "1", "yes", "11"])
            assert.throws(() => credentialsOf({ ...token, trustNotFound }), { message: refusal });
    });
});
