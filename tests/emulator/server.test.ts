// The emulator as a server: who may reach it and what of it, the control endpoint, and requests that are not as they should be.
import assert from "node:assert/strict";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { apiRoot, call, createContent, minimal } from "./support.ts";

const start = (options: EmulatorOptions = {}) => startEmulator({ fetchSources: false, ...options });

/** As `fetch`, which sends neither a Host of one's choice nor paths that are not clean. */
function send(emulator: Emulator, path: string, headers: Record<string, string> = {}, method = "GET") {
    const { port } = new URL(emulator.url);
    return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders }>((resolve, reject) => {
        httpRequest({ port, method, path, headers, agent: false }, (response) => {
            response.resume().on("end", () => resolve({ status: response.statusCode, headers: response.headers }));
        })
            .on("error", reject)
            .end();
    });
}

const routes = [
    "/",
    "/page.css",
    "/sample.mp4",
    "/playback/x/master.m3u8",
    "/_emulator/contents",
    `${apiRoot}/contents`,
];

describe("emulator: host names", () => {
    it("that nobody expects get 403 on every route", async () => {
        await using emulator = await start({ remoteControl: true });
        for (const path of routes) {
            for (const host of ["site.example", "127.site.example", "127.0.0.1.site.example", "[", "a b"]) {
                assert.equal((await send(emulator, path, { host })).status, 403, `${path} ${host}`);
            }
        }
        assert.deepEqual(emulator.requests, []);
    });

    it("of loopback, of the public URL, and given ones are answered", async () => {
        const publicUrl = "https://video.test:8443/base/";
        await using emulator = await start({ publicUrl, allowHosts: ["emulator", "other.test:80"] });
        const names = ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "video.test"];
        for (const name of [...names, "emulator", "other.test"]) {
            for (const host of [name, `${name}:4410`]) {
                assert.equal((await send(emulator, "/", { host })).status, 200, host);
            }
        }
        const id = await createContent(emulator);
        const { thumbnailUrl } = (await call(emulator, "GET", "/contents")).json.data[0];
        assert.equal(thumbnailUrl, `https://video.test:8443/base/playback/${id}/thumbnail.svg`);
    });
});

describe("emulator: pages of other sites", () => {
    it("get 403 for everything but playback, under whatever name", async () => {
        await using emulator = await start({ remoteControl: true, processingTimeMs: 0 });
        const { host, port } = new URL(emulator.url);
        const status = async (path: string, headers: Record<string, string>) =>
            (await send(emulator, path, { host, ...headers })).status;
        const playback = `/playback/${await createContent(emulator)}/master.m3u8`;
        for (const origin of ["https://site.example", "null", "http://127.0.0.1:1"]) {
            for (const path of ["/", "/_emulator/contents", `${apiRoot}/contents`]) {
                assert.equal(await status(path, { origin }), 403, `${origin} ${path}`);
            }
            assert.equal(await status(playback, { origin }), 200);
        }
        const own = `localhost:${port}`;
        for (const [name, origin] of [
            [host, emulator.url],
            [own, `http://${own}`],
        ]) {
            assert.equal(await status("/_emulator/contents", { host: name ?? "", origin: origin ?? "" }), 200);
        }
    });
});

describe("emulator: control endpoint", () => {
    let emulator: Emulator;
    beforeEach(async () => {
        emulator = await start({ processingTimeMs: 3_600_000 });
    });
    afterEach(() => emulator.close());
    const control = (method: string, path: string, body?: unknown) =>
        call(emulator, method, `/_emulator${path}`, body, { token: null });

    it("shows and changes contents without credentials", async () => {
        const id = await createContent(emulator);
        assert.deepEqual((await control("GET", "/contents")).json, JSON.parse(JSON.stringify(emulator.contents())));
        assert.equal((await control("GET", `/contents/${id}`)).json.title, "Trailer");
        const change = { title: "Edited", status: "Failed", reason: "cut" };
        const patched = (await control("PATCH", `/contents/${id}`, change)).json;
        assert.deepEqual([patched.title, patched.status, patched.failureReason], ["Edited", "Failed", "cut"]);
        const added = (await control("POST", "/contents", { title: "Added", environmentId: 2 })).json;
        assert.equal((await control("GET", "/contents?environmentId=2")).json[0].contentId, added.contentId);
        assert.equal((await control("DELETE", `/contents/${id}`)).status, 200);
        assert.equal((await control("DELETE", `/contents/${id}`)).status, 404);
        assert.equal((await control("PATCH", `/contents/${id}`, {})).status, 404);
        assert.equal((await control("POST", "/contents", { title: "x", wrong: 1 })).status, 400);
        assert.equal((await control("PATCH", `/contents/${added.contentId}`, { wrong: 1 })).status, 400);
    });

    it("shows and changes livestreams", async () => {
        const { streamUUID, region } = (await control("POST", "/livestreams", { title: "Added" })).json;
        const path = `/livestreams/${streamUUID}`;
        assert.deepEqual([region, (await control("GET", path)).json.status], ["us-east-1", "Idle"]);
        assert.equal((await control("PATCH", path, { status: "Active" })).json.status, "Active");
        assert.equal((await control("GET", "/livestreams")).json.length, 1);
        assert.deepEqual([(await control("DELETE", path)).status, (await control("GET", path)).status], [200, 404]);
        assert.equal((await control("GET", "/signing-keys")).json.length, 3);
    });

    it("shows and clears the request log, which it is not part of", async () => {
        await createContent(emulator);
        const logged = (await control("GET", "/requests")).json;
        assert.equal(logged.length, 1);
        assert.deepEqual([logged[0].method, logged[0].body.title, logged[0].status], ["POST", "Trailer", 201]);
        assert.deepEqual((await control("GET", "/requests?after=1")).json, []);
        await control("DELETE", "/requests");
        assert.deepEqual(emulator.requests, []);
    });

    it("injects, lists and removes faults", async () => {
        const fault = { kind: "status", status: 503, retryAfter: 1, path: "/contents", times: 2 };
        const injected = (await control("POST", "/faults", fault)).json;
        assert.deepEqual(injected, { id: injected.id, fault, hits: 0 });
        assert.equal((await call(emulator, "GET", "/contents")).status, 503);
        assert.equal((await control("GET", "/faults")).json[0].hits, 1);
        assert.equal((await control("DELETE", `/faults/${injected.id}`)).status, 200);
        assert.equal((await control("DELETE", `/faults/${injected.id}`)).status, 404);
        assert.equal((await call(emulator, "GET", "/contents")).status, 200);
        assert.equal((await control("POST", "/faults", { kind: "explode" })).status, 400);
        await control("POST", "/faults", fault);
        await control("DELETE", "/faults");
        assert.deepEqual(emulator.faults, []);
    });

    it("turns variants and tokens", async () => {
        assert.equal((await control("PATCH", "/variants", { createCode: 200 })).json.createCode, 200);
        assert.deepEqual((await control("GET", "/variants")).json, emulator.variants);
        assert.equal((await control("PATCH", "/variants", { createCode: 1 })).status, 400);
        const token = { id: "added", secret: "s" };
        await control("POST", "/tokens", token);
        assert.equal((await call(emulator, "GET", "/contents", undefined, { token })).status, 200);
        await control("DELETE", "/tokens/added");
        assert.equal((await call(emulator, "GET", "/contents", undefined, { token })).status, 401);
    });

    it("says that it is well, lets time pass at once, and resets all of that", async () => {
        const health = (await control("GET", "/health")).json;
        assert.deepEqual([health.status, typeof health.version], ["ok", "string"]);
        const id = await createContent(emulator);
        assert.equal(emulator.content(id)?.status, "Preparing");
        const { now } = (await control("POST", "/clock", { advanceMs: 3_600_000 })).json;
        assert.ok(Math.abs(now - Date.now() - 3_600_000) < 60_000);
        assert.equal(emulator.content(id)?.status, "Ready");
        assert.equal((await control("POST", "/clock", { advanceMs: -1 })).status, 400);
        emulator.addLivestream({ title: "Stage" });
        emulator.inject({ kind: "hang" });
        await control("POST", "/reset");
        assert.ok(Math.abs((await control("GET", "/clock")).json.now - Date.now()) < 60_000);
        const { faults, requests } = emulator;
        assert.deepEqual([emulator.contents(), emulator.livestreams(), faults, requests], [[], [], [], []]);
        assert.equal(emulator.signingKeys().length, 3);
    });

    it("answers to this machine only, unless told otherwise", async function () {
        const outside = Object.values(networkInterfaces())
            .flat()
            .find((address) => address?.family === "IPv4" && !address.internal)?.address;
        if (outside === undefined) return this.skip();
        for (const [remoteControl, expected] of [
            [false, 403],
            [true, 200],
        ] as const) {
            await using emulator = await start({ host: "0.0.0.0", remoteControl });
            const { port } = new URL(emulator.url);
            assert.equal((await fetch(`http://${outside}:${port}/_emulator/contents`)).status, expected);
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
        assert.ok(parts.length >= 4);
        for (const [, path = ""] of parts) assert.equal((await send(emulator, path)).status, 200, path);
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
        ] as const) {
            assert.equal((await send(emulator, path)).status, status, path);
        }
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
