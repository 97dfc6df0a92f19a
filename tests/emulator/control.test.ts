import assert from "node:assert/strict";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { startEmulator } from "videograph-emulator";
import { call, createContent, createLivestream, startStill } from "./support.ts";

describe("emulator: control endpoint", () => {
    it("shows and changes contents without credentials", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const control = (method: string, path: string, body?: unknown) =>
            call(emulator, method, `/_emulator${path}`, body, { token: null });
        const id = await createContent(emulator);
        assert.deepEqual((await control("GET", "/contents")).json, JSON.parse(JSON.stringify(emulator.contents())));
        assert.equal((await control("GET", `/contents/${id}`)).json.title, "Trailer");
        const change = { title: "Edited", status: "Failed", reason: "cut" };
        const patched = (await control("PATCH", `/contents/${id}`, change)).json;
        assert.deepEqual([patched.title, patched.status, patched.failureReason], ["Edited", "Failed", "cut"]);
        const added = (await control("POST", "/contents", { title: "Added", environmentId: 2 })).json;
        assert.equal(emulator.contents(2)[0]?.contentId, added.contentId);
        assert.equal((await control("GET", "/contents?environmentId=2")).json.length, 1);
        assert.equal((await control("DELETE", `/contents/${id}`)).status, 200);
        assert.equal((await control("DELETE", `/contents/${id}`)).status, 404);
        assert.equal((await control("PATCH", `/contents/${id}`, {})).status, 404);
        assert.equal((await control("POST", "/contents", { title: "x", wrong: 1 })).status, 400);
        assert.equal((await control("PATCH", `/contents/${added.contentId}`, { wrong: 1 })).status, 400);
    });

    it("shows and changes livestreams", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const id = await createLivestream(emulator);
        const path = `/_emulator/livestreams/${id}`;
        assert.equal((await call(emulator, "GET", path)).json.status, "Idle");
        assert.equal((await call(emulator, "PATCH", path, { status: "Active" })).json.status, "Active");
        assert.equal((await call(emulator, "DELETE", path)).status, 200);
        assert.equal((await call(emulator, "GET", path)).status, 404);
        const added = (await call(emulator, "POST", "/_emulator/livestreams", { title: "Added" })).json;
        assert.equal(added.region, "us-east-1");
        assert.equal((await call(emulator, "GET", "/_emulator/livestreams")).json.length, 1);
        assert.equal((await call(emulator, "GET", "/_emulator/signing-keys")).json.length, 3);
    });

    it("shows and clears the request log, which it is not part of", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        await createContent(emulator);
        const logged = (await call(emulator, "GET", "/_emulator/requests")).json;
        assert.equal(logged.length, 1);
        assert.deepEqual([logged[0].method, logged[0].body.title, logged[0].status], ["POST", "Trailer", 201]);
        await call(emulator, "DELETE", "/_emulator/requests");
        assert.deepEqual(emulator.requests, []);
    });

    it("injects, lists and removes faults", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const fault = { kind: "status", status: 503, retryAfter: 1, path: "/contents", times: 2 };
        const injected = (await call(emulator, "POST", "/_emulator/faults", fault)).json;
        assert.deepEqual(injected, { id: injected.id, fault, hits: 0 });
        assert.equal((await call(emulator, "GET", "/contents")).status, 503);
        assert.equal((await call(emulator, "GET", "/_emulator/faults")).json[0].hits, 1);
        assert.equal((await call(emulator, "DELETE", `/_emulator/faults/${injected.id}`)).status, 200);
        assert.equal((await call(emulator, "DELETE", `/_emulator/faults/${injected.id}`)).status, 404);
        assert.equal((await call(emulator, "GET", "/contents")).status, 200);
        assert.equal((await call(emulator, "POST", "/_emulator/faults", { kind: "explode" })).status, 400);
        await call(emulator, "POST", "/_emulator/faults", fault);
        await call(emulator, "DELETE", "/_emulator/faults");
        assert.deepEqual(emulator.faults, []);
    });

    it("turns variants and tokens", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const variants = (await call(emulator, "PATCH", "/_emulator/variants", { createCode: 200 })).json;
        assert.equal(variants.createCode, 200);
        assert.deepEqual((await call(emulator, "GET", "/_emulator/variants")).json, emulator.variants);
        assert.equal((await call(emulator, "PATCH", "/_emulator/variants", { createCode: 1 })).status, 400);
        const token = { id: "added", secret: "s" };
        await call(emulator, "POST", "/_emulator/tokens", token);
        assert.equal((await call(emulator, "GET", "/contents", undefined, { token })).status, 200);
        await call(emulator, "DELETE", "/_emulator/tokens/added");
        assert.equal((await call(emulator, "GET", "/contents", undefined, { token })).status, 401);
    });

    it("resets objects, faults and the log", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        await createContent(emulator);
        await createLivestream(emulator);
        emulator.inject({ kind: "hang" });
        assert.equal((await call(emulator, "POST", "/_emulator/reset")).status, 200);
        assert.deepEqual(
            [emulator.contents(), emulator.livestreams(), emulator.faults, emulator.requests],
            [[], [], [], []],
        );
        assert.equal(emulator.signingKeys().length, 3);
    });

    it("says that it is well, and lets time pass at once until it is reset", async () => {
        await using emulator = await startEmulator({ fetchSources: false, processingTimeMs: 3_600_000 });
        const health = (await call(emulator, "GET", "/_emulator/health")).json;
        assert.deepEqual([health.status, typeof health.version], ["ok", "string"]);
        const id = await createContent(emulator);
        assert.equal(emulator.content(id)?.status, "Preparing");
        const { now } = (await call(emulator, "POST", "/_emulator/clock", { advanceMs: 3_600_000 })).json;
        assert.ok(Math.abs(now - Date.now() - 3_600_000) < 60_000);
        assert.equal(emulator.content(id)?.status, "Ready");
        assert.equal((await call(emulator, "POST", "/_emulator/clock", { advanceMs: -1 })).status, 400);
        await call(emulator, "POST", "/_emulator/reset");
        assert.ok(Math.abs((await call(emulator, "GET", "/_emulator/clock")).json.now - Date.now()) < 60_000);
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
            const { emulator } = await startStill({ host: "0.0.0.0", remoteControl });
            await using _ = emulator;
            const { port } = new URL(emulator.url);
            assert.equal((await fetch(`http://${outside}:${port}/_emulator/contents`)).status, expected);
            assert.equal((await fetch(`http://127.0.0.1:${port}/_emulator/contents`)).status, 200);
        }
    });

    it("does not answer to pages of other sites, not even under a name that leads here", async () => {
        for (const remoteControl of [false, true]) {
            const { emulator } = await startStill({ remoteControl });
            await using _ = emulator;
            const { port } = new URL(emulator.url);
            const status = (headers: Record<string, string>) =>
                new Promise((resolve, reject) => {
                    const sent = request({ port, method: "POST", path: "/_emulator/reset", headers });
                    sent.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
                    sent.end();
                });
            assert.equal(await status({ host: `127.0.0.1:${port}`, origin: emulator.url }), 200);
            assert.equal(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` }), 200);
            assert.equal(await status({ origin: "https://site.example" }), 403);
            assert.equal(await status({ origin: "null" }), 403);
            assert.equal(await status({ host: "site.example", origin: "http://site.example" }), 403);
            assert.equal(await status({ host: "127.site.example" }), 403);
        }
    });

    it("has a page, and all that belongs to it", async () => {
        const { emulator } = await startStill();
        await using _ = emulator;
        const response = await fetch(emulator.url);
        assert.match(response.headers.get("content-type") ?? "", /html/);
        assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self';/);
        const parts = [...(await response.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
        assert.ok(parts.length >= 4);
        for (const path of parts) assert.equal((await fetch(emulator.url + path)).status, 200, path);
        assert.equal((await fetch(`${emulator.url}/elsewhere`)).status, 404);
    });
});
