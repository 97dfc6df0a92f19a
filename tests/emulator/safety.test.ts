// What the emulator owes the machine it runs on: who may reach it, and how much it may take.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, sampleVideo, startEmulator } from "videograph-emulator";
import { openDownload } from "../../emulator/dist/download.js";
import { apiRoot, call, createContent, eventually, longerVideo, minimal, serve, startStill } from "./support.ts";

interface Sent {
    method?: string;
    headers?: Record<string, string>;
}

/** As `fetch`, which sends neither a Host of one's choice nor paths that are not clean. */
function send(emulator: Emulator, path: string, { method = "GET", headers = {} }: Sent = {}) {
    const { port } = new URL(emulator.url);
    return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const sent = httpRequest({ port, method, path, headers, agent: false }, (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk) => chunks.push(chunk));
            response.on("end", () =>
                resolve({
                    status: response.statusCode ?? 0,
                    headers: response.headers,
                    text: Buffer.concat(chunks).toString(),
                }),
            );
        });
        sent.on("error", reject).end();
    });
}

/** Of all files in a folder. */
async function bytesIn(folder: string): Promise<number> {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
    return sizes.reduce((sum, size) => sum + size, 0);
}

const routes = [
    `${apiRoot}/contents`,
    "/",
    "/page.css",
    "/sample.mp4",
    "/playback/x/master.m3u8",
    "/_emulator/contents",
];

describe("emulator: safety", () => {
    describe("host names", () => {
        it("answers 403 under a name that nobody expects, on every route", async () => {
            const { emulator } = await startStill({ remoteControl: true });
            await using _ = emulator;
            for (const path of routes) {
                for (const host of ["site.example", "127.site.example", "127.0.0.1.site.example", "[", "a b"]) {
                    assert.equal((await send(emulator, path, { headers: { host } })).status, 403, `${path} ${host}`);
                }
            }
            assert.deepEqual(emulator.requests, []);
        });

        it("answers under loopback names, under that of the public URL, and under those it is given", async () => {
            const options = { publicUrl: "https://video.test:8443/base/", allowHosts: ["emulator", "other.test:80"] };
            const { emulator } = await startStill(options);
            await using _ = emulator;
            const names = ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "video.test"];
            for (const name of [...names, "emulator", "other.test"]) {
                for (const host of [name, `${name}:4410`]) {
                    assert.notEqual((await send(emulator, "/", { headers: { host } })).status, 403, host);
                }
            }
            const id = await createContent(emulator);
            const { thumbnailUrl } = (await call(emulator, "GET", "/contents")).json.data[0];
            assert.equal(thumbnailUrl, `https://video.test:8443/base/playback/${id}/thumbnail.svg`);
        });
    });

    describe("pages of other origins", () => {
        const page = { origin: "https://site.example" };

        it("may ask beforehand without credentials, by name and never by *", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            for (const path of ["/contents/x", "/livestreams/x", "/anything"]) {
                const headers = {
                    ...page,
                    "access-control-request-method": "DELETE",
                    "access-control-request-headers": "authorization,content-type",
                };
                const answer = await send(emulator, apiRoot + path, { method: "OPTIONS", headers });
                assert.equal(answer.status, 204);
                assert.equal(answer.headers["access-control-allow-origin"], "*");
                assert.match(answer.headers["access-control-allow-methods"] ?? "", /\bGET\b.*\bPUT\b.*\bDELETE\b/);
                const names = (answer.headers["access-control-allow-headers"] ?? "").split(", ");
                assert.deepEqual(names.sort(), ["authorization", "content-type"]);
            }
        });

        it("may read every answer of the API, errors and faults included", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const origin = async (
                method: string,
                path: string,
                token: { id: string; secret: string } | null = emulator.token,
            ) =>
                (await call(emulator, method, path, undefined, { headers: page, token })).headers.get(
                    "access-control-allow-origin",
                );
            assert.equal(await origin("GET", "/contents"), "*");
            assert.equal(await origin("GET", "/contents/none"), "*");
            assert.equal(await origin("GET", "/contents", null), "*");
            assert.equal(await origin("PATCH", "/contents"), "*");
            emulator.inject({ kind: "status", status: 503 });
            assert.equal(await origin("GET", "/contents"), "*");
        });

        it("cannot reach the control endpoint", async () => {
            const { emulator } = await startStill({ remoteControl: true });
            await using _ = emulator;
            for (const method of ["OPTIONS", "GET", "POST"]) {
                const answer = await send(emulator, "/_emulator/contents", { method, headers: page });
                assert.equal(answer.status, 403);
                assert.equal(answer.headers["access-control-allow-origin"], undefined);
            }
        });

        it("cannot make it reach addresses that are not public, open or closed, by number, name or redirect", async () => {
            const bytes = await sampleVideo();
            const asked: string[] = [];
            await using sources = await serve(({ url = "" }, response) => {
                asked.push(url);
                response.end(bytes);
            });
            await using emulator = await startEmulator({ processingTimeMs: 0 });
            const { port } = new URL(sources.url);
            const outcome = async (url: string, headers: Record<string, string> = page) => {
                const body = { ...minimal, content: [{ url }] };
                const { json } = await call(emulator, "POST", "/contents", body, { headers });
                return eventually(() => {
                    const { status, failureReason } = emulator.content(json.data.contentId) ?? {};
                    return status === "Preparing" ? undefined : (failureReason ?? status);
                });
            };
            const hosts = [
                "127.0.0.1",
                "localhost",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "0.0.0.0",
                "10.0.0.1",
                "169.254.1.1",
            ];
            const reasons = new Set<unknown>();
            for (const host of hosts) reasons.add(await outcome(`http://${host}:${port}/`));
            reasons.add(await outcome("http://127.0.0.1:1/"));
            reasons.add(await outcome(sources.url, { origin: "null" }));
            assert.deepEqual([...reasons].length, 1);
            assert.match(String([...reasons][0]), /a web page of another site asked for it/);
            assert.deepEqual(asked, []);
            // A public server may redirect to a private address: each step is checked.
            await using redirecting = await serve((_request, response) =>
                response.writeHead(302, { location: sources.url }).end(),
            );
            const limits = { signal: new AbortController().signal, mayReachAll: (url: URL) => url.port !== port };
            await assert.rejects(openDownload(redirecting.url, limits), /its address is not public/);
            assert.deepEqual(asked, []);
            // Its own sample is no secret, its own page is no other site, and programs may ask for anything.
            assert.equal(await outcome(emulator.sampleUrl()), "Ready");
            assert.equal(await outcome(sources.url, { origin: emulator.url }), "Ready");
            assert.equal(await outcome(sources.url, {}), "Ready");
        });
    });

    describe("bounds", () => {
        it("bounds the log in bytes, and keeps the newest request however large", async () => {
            const { emulator } = await startStill({ requestLogBytes: 100_000 });
            await using _ = emulator;
            const post = (size: number) =>
                call(emulator, "POST", "/contents", { ...minimal, description: "x".repeat(size) });
            for (let index = 0; index < 30; index++) await post(9_000);
            assert.ok(emulator.requests.length >= 4 && emulator.requests.length <= 10);
            assert.equal(emulator.requests.at(-1)?.number, 30);
            await post(500_000);
            assert.deepEqual(
                emulator.requests.map(({ number }) => number),
                [31],
            );
        });

        it("bounds the log in requests", async () => {
            const { emulator } = await startStill({ requestLogLimit: 10 });
            await using _ = emulator;
            for (let index = 0; index < 25; index++) await call(emulator, "GET", "/contents");
            assert.ok(emulator.requests.length <= 10);
            assert.equal(emulator.requests.at(-1)?.number, 25);
        });

        it("refuses more objects than fit, and takes them again when some were deleted", async () => {
            const { emulator } = await startStill({ maxStateBytes: 50_000 });
            await using _ = emulator;
            const body = { ...minimal, description: "x".repeat(30_000) };
            const create = async () => (await call(emulator, "POST", "/contents", body)).status;
            assert.deepEqual([await create(), await create(), await create()], [201, 201, 413]);
            const id = emulator.contents()[0]?.contentId;
            assert.equal((await call(emulator, "PUT", `/contents/${id}`, { title: "x" })).status, 413);
            assert.equal((await call(emulator, "DELETE", `/contents/${id}`)).status, 200);
            assert.equal(await create(), 201);
        });

        it("bounds what sources and streams take on the disk, together with the objects", async () => {
            const videos = await Promise.all([2, 3, 4, 5, 6, 7, 8].map(longerVideo));
            const maxStateBytes = 60_000;
            assert.ok(videos.reduce((sum, { length }) => sum + length, 0) > 2 * maxStateBytes);
            await using sources = await serve(({ url }, response) => response.end(videos[Number(url?.slice(1))]));
            await using emulator = await startEmulator({ processingTimeMs: 0, maxStateBytes });
            const create = async (index: number) => {
                const id = await createContent(emulator, { content: [{ url: `${sources.url}/${index}` }] });
                const { failureReason } = await eventually(() => {
                    const content = emulator.content(id);
                    return content?.status === "Preparing" ? undefined : content;
                });
                await fetch(`${emulator.url}/playback/${id}/master.m3u8`);
                return failureReason ?? "";
            };
            const reasons = await Promise.all(videos.map((_, index) => create(index)));
            assert.match(reasons.find((reason) => reason !== "") ?? "", /at most 60000 bytes of objects and files/);
            assert.ok(reasons.includes(""), "what fits is taken");
            const taken = await bytesIn(emulator.mediaFolder);
            assert.ok(taken > 0 && taken <= 1.1 * maxStateBytes, `${taken} bytes`);
            emulator.reset();
            assert.equal(await bytesIn(emulator.mediaFolder), 0);
            assert.equal(await create(0), "");
        });

        it("deletes a source when the last content that refers to it is deleted, or Failed", async () => {
            const [bytes, other] = [await sampleVideo(), await longerVideo(2)];
            await using sources = await serve((request, response) => {
                response.end(request.url === "/broken" ? "no video" : request.url === "/other" ? other : bytes);
            });
            await using emulator = await startEmulator({ processingTimeMs: 0 });
            const create = async (...paths: string[]) => {
                const id = await createContent(emulator, {
                    content: paths.map((path) => ({ url: sources.url + path })),
                });
                await eventually(() => ["Ready", "Failed"].includes(emulator.content(id)?.status ?? ""));
                return id;
            };
            const files = () => readdir(emulator.mediaFolder);
            const [first, second, third] = [await create("/a"), await create("/b"), await create("/other")];
            await create("/c", "/broken");
            assert.equal((await files()).length, 2);
            const { playbackUrl } = (await call(emulator, "GET", `/contents/${first}`)).json.data;
            assert.equal((await fetch(playbackUrl)).status, 200);
            assert.equal((await files()).length, 3, "two sources and a stream");
            await call(emulator, "DELETE", `/contents/${first}`);
            assert.equal((await files()).length, 3);
            await call(emulator, "DELETE", `/contents/${second}`);
            assert.equal((await files()).length, 1);
            emulator.deleteContent(third);
            assert.deepEqual(await files(), []);
        });

        it("deletes at its start what a killed one left in the folder of sources, and nothing else", async () => {
            const folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
            try {
                const stateFile = join(folder, "state.jsonl");
                const first = await startEmulator({ stateFile, processingTimeMs: 0 });
                const id = await createContent(first, { content: [{ url: first.sampleUrl() }] });
                await eventually(() => first.content(id)?.status === "Ready");
                const kept = await readdir(first.mediaFolder);
                await first.close();
                for (const name of ["incoming-1", "a".repeat(64), "notes.txt"]) {
                    await writeFile(join(first.mediaFolder, name), "left");
                }
                await using second = await startEmulator({ stateFile });
                assert.deepEqual((await readdir(second.mediaFolder)).sort(), [...kept, "notes.txt"].sort());
            } finally {
                await rm(folder, { recursive: true, force: true });
            }
        });
    });

    describe("requests that are not as they should be", () => {
        it("get a refusal, never a 500", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const statusOf = async (path: string, method = "GET") => (await send(emulator, path, { method })).status;
            assert.equal(await statusOf("/playback/%zz/master.m3u8"), 400);
            assert.equal(await statusOf("/_emulator/contents/%zz"), 400);
            assert.equal(await statusOf(`${apiRoot}/contents/%zz`), 401);
            assert.equal(await statusOf("//"), 200);
            assert.equal(await statusOf("//[/"), 404);
            assert.equal(await statusOf("http://[/"), 400);
            assert.equal(await statusOf("/_emulator/contents", "TRACE"), 404);
            assert.equal(await statusOf(`${apiRoot}/contents/x/y`), 401);
            assert.equal((await call(emulator, "GET", "/contents/x/y")).status, 404);
            assert.equal((await call(emulator, "GET", "/contents/%zz")).status, 400);
        });

        it("may be cut off in the middle of a body", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
            socket.write(`POST ${apiRoot}/contents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{`);
            await new Promise((resolve) => socket.once("connect", resolve));
            socket.destroy();
            assert.equal((await call(emulator, "GET", "/contents")).status, 200);
        });
    });

    it("fetches sources with user info, and repeats the password nowhere", async () => {
        const seen: (string | undefined)[] = [];
        const bytes = await sampleVideo();
        await using sources = await serve(({ headers, url }, response) => {
            seen.push(headers.authorization);
            if (url === "/gone") response.writeHead(404);
            response.end(bytes);
        });
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const base = sources.url.replace("http://", "http://user:pass%40word@");
        const outcome = async (url: string) => {
            const id = await createContent(emulator, { content: [{ url }] });
            return eventually(() => emulator.content(id)?.outcome ?? undefined);
        };
        assert.equal((await outcome(`${base}/video`)).playable, true);
        assert.equal(seen[0], `Basic ${Buffer.from("user:pass@word").toString("base64")}`);
        for (const url of [
            `${base}/gone`,
            "http://user:pass%40word@127.0.0.1:1/",
            "http://user:pass%40word@[::2]:1/x",
        ]) {
            const failed = await outcome(url);
            assert.ok(!failed.playable);
            assert.doesNotMatch(failed.reason, /pass/);
        }
    });

    describe("state files", () => {
        let folder: string;
        let stateFile: string;
        beforeEach(async () => {
            folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
            stateFile = join(folder, "state.jsonl");
        });
        afterEach(() => rm(folder, { recursive: true, force: true }));

        it("belong to one emulator at a time", async () => {
            const { emulator } = await startStill({ stateFile });
            await assert.rejects(startStill({ stateFile }), /is in use by process \d+/);
            await emulator.close();
            const second = await startStill({ stateFile });
            await second.emulator.close();
            assert.deepEqual(await readdir(folder), ["state.jsonl", "state.jsonl.media"]);
        });

        it("are condensed while they grow, and lose nothing by it", async () => {
            const { emulator } = await startStill({ stateFile });
            const id = await createContent(emulator, { description: "x".repeat(200_000) });
            let largest = 0;
            for (let index = 0; index < 60; index++) {
                emulator.updateContent(id, { title: `t${index}` });
                largest = Math.max(largest, (await stat(stateFile)).size);
            }
            assert.ok(largest > 3e6 && largest < 6e6, `${largest} bytes`);
            await emulator.close();
            const second = await startStill({ stateFile });
            await using _ = second.emulator;
            assert.equal(second.emulator.content(id)?.title, "t59");
        });

        it("are free again when their emulator was killed, and not while it runs elsewhere", async () => {
            const lock = `${stateFile}.lock`;
            for (const owner of ["", JSON.stringify({ pid: 1, host: "elsewhere" })]) {
                await writeFile(lock, owner);
                await assert.rejects(startStill({ stateFile }), /is in use/);
            }
            // A number beyond those that processes get, and the number of an earlier process that is ours now.
            for (const pid of [2 ** 30, process.pid]) {
                await writeFile(lock, JSON.stringify({ pid, host: hostname() }));
                const { emulator } = await startStill({ stateFile });
                await emulator.close();
            }
        });

        it("are checked line by line", async () => {
            for (const line of [
                { content: { contentId: "x" } },
                { other: {} },
                { contentDeleted: { environmentId: "1", id: "x" } },
            ]) {
                await writeFile(stateFile, `${JSON.stringify(line)}\n`);
                await assert.rejects(startStill({ stateFile }), /damaged in line 1/);
            }
        });

        it("cannot name files outside the folder of sources", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const content = emulator.addContent({ title: "Evil" });
            const outcome = { playable: true, durationMs: 1, resolution: "1x1", file: "../../precious" };
            await writeFile(stateFile, `${JSON.stringify({ content: { ...content, outcome } })}\n`);
            await assert.rejects(startStill({ stateFile }), /damaged in line 1/);
        });
    });
});
