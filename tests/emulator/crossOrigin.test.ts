/// <reference lib="dom" />
/** A page of another origin in a real browser: it may use the API with a token, and nothing else of the emulator. */
import assert from "node:assert/strict";
import { startEmulator } from "videograph-emulator";
import { useBrowser } from "./browser.ts";
import { apiRoot, createContent, serve } from "./support.ts";

describe("emulator: pages of other origins", function () {
    this.timeout(30_000);
    const testbed = useBrowser();

    it("get and delete through the API with a token, and cannot read or change anything else", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0, remoteControl: true });
        await using site = await serve((_request, response) => {
            response.writeHead(200, { "content-type": "text/html" }).end("<title>A site</title>");
        });
        const id = await createContent(emulator, { content: [{ url: emulator.sampleUrl() }] });
        const page = await testbed.browser.newPage();
        await page.goto(site.url);
        /** The status that the page sees, or undefined when the browser does not let it. */
        const status = (method: string, path: string, authorization?: string) =>
            page.evaluate(
                (url, method, authorization) => {
                    const headers: Record<string, string> =
                        authorization === undefined ? {} : { authorization, "content-type": "application/json" };
                    return fetch(url, { method, headers }).then(
                        (response) => response.status,
                        () => undefined,
                    );
                },
                emulator.url + path,
                method,
                authorization,
            );
        const token = `Basic ${Buffer.from(`${emulator.token.id}:${emulator.token.secret}`).toString("base64")}`;
        const content = `${apiRoot}/contents/${id}`;
        assert.equal(await status("GET", content, token), 200);
        assert.equal(await status("GET", content, "Basic d3Jvbmc6d3Jvbmc="), 401);
        assert.equal(await status("GET", `${apiRoot}/contents/none`, token), 404);

        assert.equal(await status("GET", "/_emulator/contents"), undefined);
        assert.equal(await status("POST", "/_emulator/reset"), undefined);
        assert.equal(await status("DELETE", `/_emulator/contents/${id}`, token), undefined);
        assert.equal(emulator.contents().length, 1);

        assert.equal(await status("DELETE", content, token), 200);
        assert.equal(emulator.contents().length, 0);
        await page.close();
    });
});
