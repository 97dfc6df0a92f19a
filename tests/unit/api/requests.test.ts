/** What goes over the wire, and who is told what. */
import assert from "node:assert/strict";
import { VideographApi } from "../../../provider/dist/api/client.js";
import { BadRequestError, ConnectionError, NotFoundError } from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { wireBody } from "../../../provider/dist/inputs/definition.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { isList, rejection, success, useService } from "./support.ts";

const content = contentDefinition.inputs;
const base = { accessTokenId: "token-id", secretKey: "s3cr3t-key" };

describe("requests", () => {
    const held = useService(({ path }) => {
        const id = decodeURIComponent(path.split("/")[2] ?? "new");
        return success({ contentId: id, streamUUID: id, status: "Ready" });
    });
    const sent = async (call: (api: VideographApi) => Promise<unknown>) => {
        await held.service.clock.runUntil(call(held.service.api()));
        const { method, path, body } = held.service.requests.at(-1) ?? {};
        return { method, path, body };
    };

    it("create a content", async () => {
        const body = {
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
        assert.deepEqual(await sent((api) => api.createContent(wireBody(content, body))), {
            method: "POST",
            path: "/contents",
            body: {
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
            },
        });
    });

    it("read, update and delete by an encoded id", async () => {
        const id = "a/b?c#d é%2e";
        const path = "/a%2Fb%3Fc%23d%20%C3%A9%252e";
        const contents = `/contents${path}`;
        const livestreams = `/livestreams${path}`;
        const body = undefined;
        assert.deepEqual(await sent((api) => api.getContent(id)), { method: "GET", path: contents, body });
        assert.deepEqual(await sent((api) => api.deleteContent(id)), { method: "DELETE", path: contents, body });
        assert.deepEqual(await sent((api) => api.updateContent(id, { title: "t", save_original_copy: false })), {
            method: "PUT",
            path: contents,
            body: { title: "t", save_original_copy: false },
        });
        assert.deepEqual(await sent((api) => api.getLivestream(id)), { method: "GET", path: livestreams, body });
        assert.deepEqual(await sent((api) => api.deleteLivestream(id)), { method: "DELETE", path: livestreams, body });
        assert.deepEqual(await sent((api) => api.updateLivestream(id, { title: "t", dvrDurationInMins: 5 })), {
            method: "PUT",
            path: livestreams,
            body: { title: "t", dvrDurationInMins: 5 },
        });
    });

    for (const id of ["", ".", ".."]) {
        it(`are not sent for the id ${JSON.stringify(id)}, which would name something else`, async () => {
            const { service } = held;
            await assert.rejects(async () => service.api().deleteContent(id), BadRequestError);
            assert.equal(service.requests.length, 0);
        });
    }

    it("carry the credentials, and a content type only with content", async () => {
        await sent((api) => api.getContent("c1"));
        await sent((api) => api.updateContent("c1", { title: "t" }));
        const [get, put] = held.service.requests.map(({ headers }) => headers);
        assert.equal(get?.authorization, `Basic ${Buffer.from("token-id:s3cr3t-key").toString("base64")}`);
        assert.equal(get?.["user-agent"], "pulumi-videograph");
        assert.equal(get?.["content-type"], undefined);
        assert.equal(put?.["content-type"], "application/json");
    });

    it("go below a base address with a path", async () => {
        const { service } = held;
        await service.clock.runUntil(
            service
                .api({ baseUrl: `${service.origin}/mirror/` })
                .signingKeys()
                .catch(() => {}),
        );
        assert.equal(service.requests[0]?.path, "/mirror/signing-keys");
    });
});

describe("errors", () => {
    const held = useService();

    it("say what happened where, without any secret and without a line break", async () => {
        const { service } = held;
        const redactor = new Redactor([{ name: "content[0].url", value: "https://m.example/t.mp4?sig=abc" }]);
        const message = "no https://m.example/t.mp4?sig=abc\nfor token-id:s3cr3t-key";
        service.script = (seen) =>
            isList(seen) ? success([]) : { status: 404, body: { status: "Error", code: 404, message } };
        const error = await service.clock.runUntil(
            rejection(NotFoundError, service.api().getContent("c1", { redactor })),
        );
        assert.match(
            error.message,
            /^GET \/contents\/c1: .*"no \[content\[0\]\.url\] for \[credentials\]".*\[VG5104\]$/,
        );
        assert.equal(error.status, 404);
        assert.equal(error.name, "NotFoundError");
    });

    it("of a transport that says nothing leave a POST in doubt", async () => {
        const { service } = held;
        const transport = { send: () => Promise.reject(new Error("secret stuff")), close: () => Promise.resolve() };
        const create = service.api({ transport }).createLivestream({ title: "t", region: "r", record: true });
        const error = await service.clock.runUntil(rejection(ConnectionError, create));
        assert.equal(error.outcome, "ambiguous");
        assert.doesNotMatch(error.message, /secret/);
    });
});

describe("the fingerprint", () => {
    const of = (baseUrl: string, accessTokenId = "a") =>
        new VideographApi({ ...base, baseUrl, accessTokenId }).fingerprint;

    it("is of the base address, however it is written, and of the token", () => {
        assert.match(of("https://api.example"), /^[0-9a-f]{16}$/);
        assert.equal(of("https://api.example"), of("HTTPS://API.example:443//"));
        assert.notEqual(of("https://api.example"), of("https://api.example/x"));
        assert.notEqual(of("https://api.example"), of("https://api.example", "b"));
    });
    it("never changes: it is in users' state", () => assert.equal(of("https://api.videograph.ai"), "2e1a91d4e8156de3"));
});
