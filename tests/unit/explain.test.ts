/** Errors of the service's client name the source of the setting that they blame. That of each one: tests/e2e/configuration.test.ts. */
import assert from "node:assert/strict";
import { AuthenticationError } from "../../provider/dist/api/errors.js";
import type { Message } from "../../provider/dist/messages/index.js";
import { explain } from "../../provider/dist/session/explain.js";
import { resolveSettings, type Settings } from "../../provider/dist/session/settings.js";

const environment = { VIDEOGRAPH_ACCESS_TOKEN_ID: "id", VIDEOGRAPH_SECRET_KEY: "key" };
const message = (text: string) => text as Message;
const token: Settings = { accessTokenId: "id", secretKey: "key" };

describe("The source of a setting", () => {
    const refused = (requestLine: string, own: Settings, env: NodeJS.ProcessEnv, stack: Settings) =>
        explain(
            new AuthenticationError(message("Refused. [VG1010]"), { requestLine, status: 401, outcome: "refused" }),
            resolveSettings(own, (name) => stack[name], env),
        );

    const both = { VIDEOGRAPH_SECRET_KEY: "key", VIDEOGRAPH_ACCESS_TOKEN_ID: " " };
    for (const [what, own, env, stack, source] of [
        ["both, where they differ", {}, both, token, /videograph:accessTokenId.*VIDEOGRAPH_SECRET_KEY/],
        ["nothing, where one is missing", {}, {}, { accessTokenId: "id" }, /^Refused\. \[VG1010\]$/],
        ["nothing, where the other is missing", {}, {}, { secretKey: "key" }, /^Refused\. \[VG1010\]$/],
    ] as const) {
        it(`is ${what}`, () => {
            const said = refused("POST /contents", own, env, stack);
            assert.match(said, source);
            assert.match(said, /^Refused\. .*\[VG1010\]$/);
        });
    }

    it("comes with the recorded configuration only for what a refresh or a destroy sends", () => {
        const recorded =
            / A plain `pulumi refresh` or `destroy` runs with the configuration of the last `pulumi up`\. \[VG1010\]$/;
        for (const requestLine of ["GET /contents/c1", "DELETE /contents/c1"]) {
            assert.match(refused(requestLine, {}, {}, token), recorded);
            assert.doesNotMatch(refused(requestLine, {}, environment, {}), recorded);
            // One of the two may be recorded.
            assert.match(refused(requestLine, {}, { VIDEOGRAPH_SECRET_KEY: "key" }, token), recorded);
        }
        assert.doesNotMatch(refused("PUT /contents/c1", {}, {}, token), recorded);
    });
});
