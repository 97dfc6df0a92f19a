/** What goes over the wire, and who is told what. */
import assert from "node:assert/strict";
import { VideographApi } from "../../../provider/dist/api/client.js";
import { ClientError } from "../../../provider/dist/api/errors.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import { wireBody } from "../../../provider/dist/definitions/definition.js";
import { success, useService } from "./support.ts";

describe("requests", () => {
    const held = useService(({ path }) => {
        const id = decodeURIComponent(path.split("/")[2] ?? "new");
        return success({ contentId: id, streamUUID: id, status: "Ready" });
    });
    const sent = async (call: (api: VideographApi) => Promise<unknown>) => {
        await held.service.clock.runUntil(call(held.service.api()));
        const { method, path, body } = held.service.requests.at(-1) ?? {};
        return { line: `${method} ${path}`, body };
    };

    it("create a content", async () => {
        const inputs = {
            title: "t",
            content: [{ url: "https://m.example/t.mp4" }],
            playbackPolicy: ["public"],
            description: "",
            tags: [],
            metadata: { a: "1", b: "" },
            mp4Support: false,
            saveOriginalCopy: true,
            testVideo: undefined,
            watermark: [{ url: "u", xPos: "1px", yPos: "2%", opacity: "50%" }],
            subtitle: [{ url: "u", name: "n", languageCode: "en", supportClosedCaptions: true }],
        };
        const { line, body } = await sent((api) => api.contents.post(wireBody(contentDefinition.inputs, inputs)));
        assert.equal(line, "POST /contents");
        assert.deepEqual(body, {
            title: "t",
            content: [{ url: "https://m.example/t.mp4" }],
            playback_policy: ["public"],
            description: "",
            tags: [],
            metadata: [
                { key: "a", value: "1" },
                { key: "b", value: "" },
            ],
            mp4_support: false,
            save_original_copy: true,
            watermark: [{ url: "u", x_pos: "1px", y_pos: "2%", opacity: "50%" }],
            subtitle: [{ url: "u", name: "n", language_code: "en", support_closed_captions: true }],
        });
    });

    it("address an object by its encoded id", async () => {
        const id = "a/b?c#d é%2e";
        const path = "/a%2Fb%3Fc%23d%20%C3%A9%252e";
        const body = { title: "t" };
        for (const [line, expected, call] of [
            [`GET /contents${path}`, undefined, (api) => api.contents.get(id)],
            [`PUT /contents${path}`, body, (api) => api.contents.put(id, body)],
            [`DELETE /contents${path}`, undefined, (api) => api.contents.remove(id)],
            [`POST /contents${path}/clips`, body, (api) => api.createClip(id, body)],
            [`POST /contents${path}/subtitles`, body, (api) => api.setSubtitle(id, body)],
            [`POST /contents${path}/thumbnails`, body, (api) => api.setThumbnail(id, body)],
            [`GET /livestreams${path}`, undefined, (api) => api.livestreams.get(id)],
            [`PUT /livestreams${path}`, body, (api) => api.livestreams.put(id, body)],
            [`DELETE /livestreams${path}`, undefined, (api) => api.livestreams.remove(id)],
        ] as [string, unknown, (api: VideographApi) => Promise<unknown>][]) {
            assert.deepEqual(await sent(call), { line, body: expected });
        }
    });

    it("are not sent for an id that would name something else", async () => {
        for (const id of ["", ".", ".."]) {
            await assert.rejects(async () => held.service.api().contents.remove(id), ClientError);
        }
        assert.equal(held.service.requests.length, 0);
    });

    it("carry the credentials, and a content type only with content", async () => {
        await sent((api) => api.contents.get("c1"));
        await sent((api) => api.contents.put("c1", { title: "t" }));
        const [get, put] = held.service.requests.map(({ headers }) => headers);
        assert.equal(get?.authorization, `Basic ${Buffer.from("token-id:s3cr3t-key").toString("base64")}`);
        assert.equal(get?.["user-agent"], "pulumi-videograph");
        assert.deepEqual([get?.["content-type"], put?.["content-type"]], [undefined, "application/json"]);
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
