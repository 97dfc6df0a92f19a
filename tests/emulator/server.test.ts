// The emulator as a server: who may reach it and what of it, the control endpoint, and requests that are not as they should be.
import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { apiRoot, call, createContent, minimal } from "./support.ts";

const start = (options: EmulatorOptions = {}) => startEmulator({ fetchSources: false, ...options });

/** As `fetch`, which sends neither a Host of one's choice nor paths that are not clean. */
async function send(emulator: Emulator, path: string, headers: Record<string, string> = {}, method = "GET") {
    const { port } = new URL(emulator.url);
    const request = httpRequest({ port, method, path, headers, agent: false }).end();
    const [response]: IncomingMessage[] = await once(request, "response");
    await once(response?.resume() ?? assert.fail(), "end");
    return { status: response?.statusCode, headers: response?.headers ?? {} };
}

const pages = ["/", "/page.css", "/sample.mp4", "/playback/x/master.m3u8"];

describe("emulator: host names", () => {
    it("that nobody expects get 403 on every route", async () => {
        await using emulator = await start({ remoteControl: true });
        for (const path of [...pages, "/_emulator/contents", `${apiRoot}/contents`])
            for (const host of ["site.example", "127.site.example", "127.0.0.1.site.example", "[", "a b"])
                assert.equal((await send(emulator, path, { host })).status, 403, `${path} ${host}`);
        assert.deepEqual(emulator.requests, []);
    });

    it("of loopback, of the public URL, and given ones are answered", async () => {
        const publicUrl = "https://video.test:8443/base/";
        await using emulator = await start({ publicUrl, allowHosts: ["emulator", "other.test:80"] });
        const names = ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "video.test"];
        for (const name of [...names, "emulator", "other.test"])
            for (const host of [name, `${name}:4410`])
                assert.equal((await send(emulator, "/", { host })).status, 200, host);
        const id = await createContent(emulator);
        const { thumbnailUrl } = (await call(emulator, "GET", "/contents")).json.data[0];
        assert.equal(thumbnailUrl, `https://video.test:8443/base/playback/${id}/thumbnail.svg`);
    });
});

describe("emulator: pages of other sites", () => {
    it("get 403 for everything but playback, under whatever name", async () => {
        await using emulator = await start({ remoteControl: true, processingTimeMs: 0 });
        const { host, port } = new URL(emulator.url);
        const status = async (path: string, headers: Record<string, string>, method?: string) =>
            (await send(emulator, path, { host, ...headers }, method)).status;
        const playback = `/playback/${await createContent(emulator)}/master.m3u8`;
        for (const origin of ["https://site.example", "null", "http://127.0.0.1:1"]) {
            for (const path of ["/", "/_emulator/contents", `${apiRoot}/contents`])
                assert.equal(await status(path, { origin }), 403, `${origin} ${path}`);
            assert.equal(await status(playback, { origin }), 200);
            // What the emulator's own page does to an object.
            for (const method of ["PATCH", "DELETE", "OPTIONS"])
                assert.equal(await status("/_emulator/contents/x", { origin }, method), 403, `${origin} ${method}`);
        }
        for (const own of [host, `localhost:${port}`])
            assert.equal(await status("/_emulator/contents", { host: own, origin: `http://${own}` }), 200);
    });
});

describe("emulator: pages of an origin that is allowed", () => {
    it("call the API, as the service allows, and nothing else", async () => {
        const origin = "https://site.example";
        await using emulator = await start({ allowOrigins: [origin] });
        const { host } = new URL(emulator.url);
        const asked = async (path: string, from: string, method?: string) => {
            const { status, headers } = await send(emulator, path, { host, origin: from }, method);
            return [status, headers["access-control-allow-origin"], headers["access-control-allow-headers"]];
        };
        const contents = `${apiRoot}/contents`;
        assert.deepEqual(await asked(contents, origin, "OPTIONS"), [204, "*", "authorization, content-type"]);
        // Without credentials: the answer is one that the page may read.
        assert.deepEqual((await asked(contents, origin)).slice(0, 2), [401, "*"]);
        for (const path of ["/", "/_emulator/contents"]) assert.equal((await asked(path, origin))[0], 403, path);
        assert.equal((await asked(contents, "https://other.example", "OPTIONS"))[0], 403);
    });
});

describe("emulator: control endpoint", () => {
    it("does what the library does, without credentials, and is not in the log", async () => {
        await using emulator = await start({ processingTimeMs: 3_600_000 });
        const content = `/contents/${await createContent(emulator)}`;
        const stream = `/livestreams/${emulator.addLivestream({ title: "Stage" }).streamUUID}`;
        const fault = { kind: "status", status: 503, retryAfter: 1, path: "/contents", times: 2 };
        const edit = { title: "Edited", status: "Failed" };
        const token = { id: "added", secret: "s" };
        /** A request, its body, the status of the answer, and a part of the answer. */
        const steps: [request: string, body: unknown, status: number, answer?: object][] = [
            ["GET /health", undefined, 200, { status: "ok" }],
            ["GET /requests", undefined, 200, [{ method: "POST", status: 201, body: { title: "Trailer" } }]],
            ["GET /requests?after=1", undefined, 200, []],
            ["GET /contents", undefined, 200, [{ title: "Trailer", status: "Preparing" }]],
            ["POST /clock", { advanceMs: 3_600_000 }, 200],
            ["POST /clock", { advanceMs: -1 }, 400],
            [`GET ${content}`, undefined, 200, { status: "Ready" }],
            [`PATCH ${content}`, { ...edit, reason: "cut" }, 200, { ...edit, failureReason: "cut" }],
            [`PATCH ${content}`, { wrong: 1 }, 400],
            [`DELETE ${content}`, undefined, 200],
            [`DELETE ${content}`, undefined, 404],
            ["POST /contents", { title: "Added", environmentId: 2 }, 200, { status: "Ready" }],
            ["POST /contents", { title: "Added", wrong: 1 }, 400],
            ["GET /contents?environmentId=2", undefined, 200, [{ title: "Added" }]],
            ["POST /livestreams", { title: "Added" }, 200, { region: "us-east-1", status: "Idle" }],
            [`PATCH ${stream}`, { status: "Active" }, 200, { status: "Active" }],
            [`DELETE ${stream}`, undefined, 200],
            [`GET ${stream}`, undefined, 404],
            ["GET /livestreams", undefined, 200, [{ title: "Added" }]],
            ["GET /signing-keys", undefined, 200, [{ environmentId: 1 }]],
            ["POST /faults", fault, 200, { id: 1, fault, hits: 0 }],
            ["POST /faults", { kind: "explode" }, 400],
            ["GET /faults", undefined, 200, [{ id: 1 }]],
            ["DELETE /faults/1", undefined, 200],
            ["DELETE /faults/1", undefined, 404],
            ["POST /faults", fault, 200],
            ["PATCH /variants", { createCode: 200 }, 200, { createCode: 200 }],
            ["PATCH /variants", { createCode: 1 }, 400],
            ["POST /tokens", token, 200],
            ["DELETE /tokens/added", undefined, 200],
            ["DELETE /tokens/added", undefined, 404],
            ["GET /nothing", undefined, 404],
        ];
        for (const [request, body, status, part] of steps) {
            const [method = "", path = ""] = request.split(" ");
            const answer = await call(emulator, method, `/_emulator${path}`, body, { token: null });
            assert.equal(answer.status, status, request);
            if (part !== undefined) assert.partialDeepStrictEqual(answer.json, part, request);
        }
        assert.equal(emulator.requests.length, 1);
        await call(emulator, "POST", "/_emulator/reset", undefined, { token: null });
        const { faults, requests } = emulator;
        assert.deepEqual([emulator.contents(), emulator.livestreams(), faults, requests], [[], [], [], []]);
        assert.ok(Math.abs(emulator.now() - Date.now()) < 60_000);
        assert.equal(emulator.signingKeys().length, 3);
    });

    it("answers to this machine only, unless told otherwise", async function () {
        const outside = Object.values(networkInterfaces())
            .flat()
            .find((address) => address?.family === "IPv4" && !address.internal)?.address;
        if (outside === undefined) return this.skip();
        for (const remoteControl of [false, true]) {
            await using emulator = await start({ host: "0.0.0.0", remoteControl });
            const { port } = new URL(emulator.url);
            assert.equal(
                (await fetch(`http://${outside}:${port}/_emulator/contents`)).status,
                remoteControl ? 200 : 403,
            );
            assert.equal((await fetch(`http://127.0.0.1:${port}/_emulator/contents`)).status, 200);
        }
    });
});

describe("emulator: server", () => {
    it("has a page, and all that belongs to it", async () => {
        await using emulator = await start();
        const { headers } = await send(emulator, "/");
        assert.match(headers["content-type"] ?? "", /html/);
        assert.match(String(headers["content-security-policy"]), /default-src 'none'; script-src 'self';/);
        const parts = [...(await (await fetch(emulator.url)).text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)];
        assert.ok(parts.length >= 5);
        for (const [, path = ""] of [...parts, ["", "/sample2.mp4"]])
            assert.equal((await send(emulator, path)).status, 200, path);
    });

    it("refuses requests that are not as they should be, never with a 500", async () => {
        await using emulator = await start();
        for (const [path, status] of [
            ["/elsewhere", 404],
            ["/playback/%zz/master.m3u8", 400],
            ["/_emulator/contents/%zz", 400],
            [`${apiRoot}/contents/%zz`, 401],
            ["//", 200],
            ["//[/", 404],
            ["http://[/", 400],
        ] as const)
            assert.equal((await send(emulator, path)).status, status, path);
        const large = { ...minimal, description: "x".repeat(1024 * 1024) };
        assert.equal((await call(emulator, "POST", "/contents", large)).status, 413);
        // Cut off in the middle of a body.
        const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
        socket.write(`POST ${apiRoot}/contents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{`);
        await new Promise((resolve) => socket.once("connect", resolve));
        socket.destroy();
        assert.equal((await call(emulator, "GET", "/contents")).status, 200);
    });
});
