/** Lookups while others change what they read. */
import assert from "node:assert/strict";
import { startEmulator } from "videograph-emulator";
import { VideographApi } from "../../../provider/dist/api/index.js";
import { findContents } from "../../../provider/dist/lookups/find.js";

describe("a lookup by tags", () => {
    it("leaves out a content that is deleted between the list and its GET", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        const { id: accessTokenId, secret: secretKey } = emulator.token;
        const api = new VideographApi({ baseUrl: emulator.url, accessTokenId, secretKey });
        emulator.addContent({ title: "Stays", tags: ["t"] });
        const { contentId } = emulator.addContent({ title: "Goes", tags: ["t"] });
        emulator.inject({ method: "GET", path: `/contents/${contentId}`, kind: "status", status: 404 });
        const found = await findContents(api, { tags: ["t"] });
        assert.deepEqual(
            found.map(({ title }) => title),
            ["Stays"],
        );
        assert.ok(emulator.requests.some(({ path }) => path.endsWith(contentId)));
        await api.close();
    });
});
