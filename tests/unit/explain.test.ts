/** Errors of the service's client name the source of the setting that they blame. That of each one: tests/e2e/configuration.test.ts. */
import assert from "node:assert/strict";
import { AuthenticationError } from "../../provider/dist/api/errors.js";
import type { Message } from "../../provider/dist/messages/index.js";
import { explainError } from "../../provider/dist/session/explain.js";
import { resolveSettings } from "../../provider/dist/session/settings.js";

describe("The source of a setting", () => {
    it("is both, where they differ", () => {
        const variables = { VIDEOGRAPH_SECRET_KEY: "key", VIDEOGRAPH_ACCESS_TOKEN_ID: " " };
        const stack = { accessTokenId: "of the stack", secretKey: "of the stack" };
        const settings = resolveSettings({}, stack, variables);
        const refused = new AuthenticationError("Refused. [VG1010]" as Message, { status: 401, outcome: "refused" });
        assert.equal(
            explainError(refused, settings),
            "Refused. [VG1010] They come from the stack's configuration (videograph:accessTokenId) and the environment (VIDEOGRAPH_SECRET_KEY), which overrides the stack's configuration.",
        );
    });
});
