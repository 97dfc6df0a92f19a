/** Where requests go, and the fingerprint of the credentials. What they hold: tests/e2e/standard.test.ts. */
import assert from "node:assert/strict";
import { VideographApi } from "../../../provider/dist/api/client.js";
import { ClientError } from "../../../provider/dist/api/errors.js";
import { success, useService } from "./support.ts";

describe("requests", () => {
    const held = useService(({ path }) => {
        const [, , asked = "", part] = path.split("/");
        const id = part === "clips" || asked === "" ? "new" : decodeURIComponent(asked);
        return success({ contentId: id, streamUUID: id, status: "Ready" });
    });
    const sent = async (call: (api: VideographApi) => Promise<unknown>) => {
        await held.service.clock.runUntil(call(held.service.api()));
        const { method, path, body } = held.service.requests.at(-1) ?? {};
        return { line: `${method} ${path}`, body };
    };

    it("address an object by its encoded id", async () => {
        const id = "a/b?c#d é%2e";
        const path = "/a%2Fb%3Fc%23d%20%C3%A9%252e";
        const body = { title: "t" };
        for (const [line, expected, call] of [
            [`GET /contents${path}`, undefined, (api) => api.contents.get(id)],
            [`PUT /contents${path}`, body, (api) => api.contents.put(id, body)],
            [`DELETE /contents${path}`, undefined, (api) => api.contents.remove(id)],
            [`POST /contents${path}/clips`, body, (api) => api.createClip(id, body)],
            [`POST /contents${path}/subtitles`, body, (api) => api.setPart(id, "subtitles", body)],
            [`POST /contents${path}/thumbnails`, body, (api) => api.setPart(id, "thumbnails", body)],
            [`GET /livestreams${path}`, undefined, (api) => api.livestreams.get(id)],
            [`PUT /livestreams${path}`, body, (api) => api.livestreams.put(id, body)],
            [`DELETE /livestreams${path}`, undefined, (api) => api.livestreams.remove(id)],
        ] as [string, unknown, (api: VideographApi) => Promise<unknown>][]) {
            assert.deepEqual(await sent(call), { line, body: expected });
        }
    });

    it("are not sent for an id that would name something else", async () => {
        for (const id of ["", ".", ".."])
            await assert.rejects(async () => held.service.api().contents.remove(id), ClientError);
        assert.equal(held.service.requests.length, 0);
    });

    it("go below a base address with a path", async () => {
        const { service } = held;
        service.script = () => success([]);
        await service.clock.runUntil(service.api({ baseUrl: `${service.origin}/mirror/` }).signingKeys());
        assert.equal(service.requests[0]?.path, "/mirror/signing-keys");
    });
});

describe("the fingerprint", () => {
    const of = (baseUrl: string, accessTokenId = "a") =>
        new VideographApi({ secretKey: "s3cr3t-key", baseUrl, accessTokenId }).fingerprint;

    it("is of the base address, however it is written, and of the token", () => {
        assert.match(of("https://api.example"), /^[0-9a-f]{16}$/);
        assert.equal(of("https://api.example"), of("HTTPS://API.example:443//"));
        assert.notEqual(of("https://api.example"), of("https://api.example/x"));
        assert.notEqual(of("https://api.example"), of("https://api.example", "b"));
    });
    it("never changes: it is in users' state", () => assert.equal(of("https://api.videograph.ai"), "2e1a91d4e8156de3"));
});
