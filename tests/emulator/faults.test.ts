import assert from "node:assert/strict";
import type { Emulator, Fault } from "videograph-emulator";
import { apiRoot, call, channel, createContent, createLivestream, minimal, startStill } from "./support.ts";

/** How a request ends when there is no answer, e.g. "ECONNRESET". */
async function failure(request: Promise<unknown>): Promise<string> {
    try {
        await request;
    } catch (error) {
        const cause = (error as { cause?: { code?: string } }).cause;
        return cause?.code ?? (error as Error).name;
    }
    throw new assert.AssertionError({ message: "There was an answer" });
}

const create = (emulator: Emulator) => call(emulator, "POST", "/contents", minimal);
const toCreate: Pick<Fault, "method" | "path"> = { method: "POST", path: "/contents" };

describe("emulator: faults", () => {
    describe("effects", () => {
        it("reset before acceptance: the connection breaks and nothing is stored", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "reset", ...toCreate }] });
            await using _ = emulator;
            assert.equal(await failure(create(emulator)), "ECONNRESET");
            assert.equal(emulator.contents().length, 0);
            const [request] = emulator.requests;
            assert.deepEqual([request?.accepted, request?.status, request?.faults], [false, null, ["reset"]]);
        });

        it("reset after acceptance: the object is stored and only the answer is lost", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "reset", when: "after", times: 3 }] });
            await using _ = emulator;
            assert.equal(await failure(create(emulator)), "ECONNRESET");
            assert.equal(emulator.contents().length, 1);
            assert.deepEqual([emulator.requests[0]?.accepted, emulator.requests[0]?.status], [true, null]);
            assert.equal(await failure(call(emulator, "POST", "/livestreams", channel)), "ECONNRESET");
            assert.equal(emulator.livestreams().length, 1);
            const id = emulator.contents()[0]?.contentId;
            assert.equal(await failure(call(emulator, "DELETE", `/contents/${id}`)), "ECONNRESET");
            assert.equal(emulator.contents().length, 0);
        });

        it("after acceptance leaves requests alone that are refused anyway", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "reset", when: "after" }] });
            await using _ = emulator;
            assert.equal((await call(emulator, "POST", "/contents", {})).status, 400);
            assert.equal((await call(emulator, "GET", "/contents/unknown")).status, 404);
            assert.equal((await call(emulator, "GET", "/contents", undefined, { token: null })).status, 401);
            assert.ok(emulator.requests.every((request) => !request.accepted));
        });

        for (const when of ["before", "after"] as const) {
            it(`hang ${when} acceptance: no answer, until the client gives up`, async () => {
                const { emulator } = await startStill({ faults: [{ kind: "hang", when, times: 1 }] });
                await using _ = emulator;
                const patience = new AbortController();
                const hanging = failure(call(emulator, "POST", "/contents", minimal, { signal: patience.signal }));
                const request = await emulator.waitForRequest((request) => request.method === "POST");
                // What comes later is answered: the hanging request is not merely slow.
                assert.equal((await call(emulator, "GET", "/contents")).status, 200);
                assert.equal(emulator.contents().length, when === "before" ? 0 : 1);
                assert.equal(request.finishedAt, null);
                patience.abort();
                assert.equal(await hanging, "AbortError");
                await emulator.waitForRequest((ended) => ended === request && ended.finishedAt !== null);
                assert.equal(request.status, null);
            });
        }

        it("latency after acceptance: stored at once, answered late", async () => {
            const { emulator } = await startStill({
                faults: [{ kind: "latency", ms: 500, maxMs: 600, when: "after", ...toCreate }],
            });
            await using _ = emulator;
            const started = performance.now();
            const answer = create(emulator);
            const request = await emulator.waitForRequest((request) => request.accepted);
            assert.equal((await call(emulator, "GET", "/contents")).json.data.length, 1);
            assert.equal(request.status, null);
            assert.equal(emulator.contents().length, 1);
            assert.equal((await answer).status, 201);
            assert.ok(performance.now() - started >= 495);
            assert.equal(request.status, 201);
        });

        it("latencies add up, and combine with another fault", async () => {
            const { emulator } = await startStill({
                faults: [
                    { kind: "latency", ms: 30 },
                    { kind: "latency", ms: 30 },
                    { kind: "status", status: 503 },
                ],
            });
            await using _ = emulator;
            const started = performance.now();
            assert.equal((await create(emulator)).status, 503);
            assert.ok(performance.now() - started >= 55);
            assert.deepEqual(emulator.requests[0]?.faults, ["latency", "latency", "status"]);
        });

        it("status with Retry-After in seconds, as a date, and as garbage", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            let answeredAt = Number.NaN;
            const retryAfter = async (fault: Partial<Extract<Fault, { kind: "status" }>>) => {
                emulator.clearFaults();
                emulator.inject({ kind: "status", status: 429, ...fault });
                const answer = await create(emulator);
                assert.equal(answer.status, 429);
                answeredAt = Date.parse(answer.headers.get("date") ?? "");
                return answer.headers.get("retry-after");
            };
            assert.equal(await retryAfter({}), null);
            assert.equal(await retryAfter({ retryAfter: 2 }), "2");
            assert.equal(await retryAfter({ retryAfter: "soon" }), "soon");
            const date = await retryAfter({ retryAfterDateIn: 30 });
            const ahead = Date.parse(date ?? "") - answeredAt;
            assert.match(date ?? "", /GMT$/);
            assert.equal(ahead, 30_000);
        });

        it("status with each kind of body", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const body = async (kind: "envelope" | "json" | "html" | "empty" | "malformed") => {
                emulator.clearFaults();
                emulator.inject({ kind: "status", status: 503, body: kind });
                return create(emulator);
            };
            assert.equal((await body("envelope")).json.code, 503);
            assert.deepEqual(Object.keys((await body("json")).json), ["error"]);
            assert.match((await body("html")).text, /^<html>/);
            assert.equal((await body("empty")).text, "");
            const malformed = await body("malformed");
            assert.equal(malformed.json, undefined);
            assert.match(malformed.text, /^\{/);
        });

        it("spoiled bodies keep the status, and the object is stored", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const spoiled = async (body: Extract<Fault, { kind: "body" }>["body"]) => {
                emulator.clearFaults();
                emulator.inject({ kind: "body", body });
                const answer = await create(emulator);
                assert.equal(answer.status, 201);
                return answer;
            };
            const malformed = await spoiled("malformed");
            assert.equal(malformed.json, undefined);
            assert.match(malformed.text, /contentId/);
            const html = await spoiled("html");
            assert.match(html.headers.get("content-type") ?? "", /html/);
            assert.match(html.text, /<html>/);
            assert.equal((await spoiled("empty")).text, "");
            assert.equal((await spoiled("null")).json, null);
            assert.deepEqual((await spoiled("array")).json, []);
            assert.equal((await spoiled("text")).json, "OK");
            assert.deepEqual(Object.keys((await spoiled("noData")).json), ["status", "code", "message"]);
            assert.equal(emulator.contents().length, 7);
        });

        it("truncated: half the body, then the end of the connection", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "truncate", ...toCreate }] });
            await using _ = emulator;
            const response = await fetch(`${emulator.url}${apiRoot}/contents`, {
                method: "POST",
                headers: {
                    "content-type": "application/json",
                    authorization: `Basic ${Buffer.from(`${emulator.token.id}:${emulator.token.secret}`).toString("base64")}`,
                },
                body: JSON.stringify(minimal),
            });
            assert.equal(response.status, 201);
            assert.equal(await failure(response.text()), "UND_ERR_SOCKET");
            assert.equal(emulator.contents().length, 1);
        });

        it("redirect to another origin, with the path and query kept and nothing carried out", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            emulator.inject({ kind: "redirect", to: "https://elsewhere.example.com" });
            const answer = await create(emulator);
            assert.equal(answer.status, 307);
            assert.equal(answer.headers.get("location"), `https://elsewhere.example.com${apiRoot}/contents`);
            assert.equal(emulator.contents().length, 0);
            emulator.clearFaults();
            emulator.inject({ kind: "redirect", to: "https://elsewhere.example.com", status: 302 });
            const list = await call(emulator, "GET", "/contents?start=5");
            assert.equal(list.status, 302);
            assert.equal(list.headers.get("location"), `https://elsewhere.example.com${apiRoot}/contents?start=5`);
        });

        it("redirect after acceptance, to where the object is", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            emulator.inject({ kind: "redirect", status: 303, when: "after", method: "POST" });
            const answer = await create(emulator);
            const [content] = emulator.contents();
            assert.equal(answer.status, 303);
            assert.equal(answer.headers.get("location"), `${apiRoot}/contents/${content?.contentId}`);
            assert.equal((await call(emulator, "POST", "/contents", {})).status, 400);
        });

        it("late acceptance after an error answer, within a span of time", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            emulator.inject({ kind: "lateAcceptance", ms: 20, maxMs: 60, status: 504, ...toCreate });
            assert.equal((await create(emulator)).status, 504);
            assert.equal(emulator.contents().length, 0);
            await emulator.waitForRequest((request) => request.accepted);
            assert.equal(emulator.contents().length, 1);
        });

        it("any answer, before and after acceptance, to one path or to all", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const id = await createContent(emulator);
            const path = `/contents/${id}`;
            emulator.inject({ kind: "answer", status: 200, json: { success: false }, method: "DELETE", times: 1 });
            const untouched = await call(emulator, "DELETE", path);
            assert.deepEqual([untouched.status, untouched.json], [200, { success: false }]);
            assert.equal(emulator.contents().length, 1);
            const html = { kind: "answer", status: 404, text: "<html>no</html>", contentType: "text/html" } as const;
            emulator.inject({ ...html, path, when: "after" });
            const gone = await call(emulator, "DELETE", path);
            assert.deepEqual([gone.status, gone.text, gone.headers.get("content-type")], [404, html.text, "text/html"]);
            assert.equal(emulator.contents().length, 0);
            assert.equal((await call(emulator, "GET", "/contents")).status, 200);
            emulator.inject({ kind: "answer", status: 204 });
            assert.deepEqual((await call(emulator, "GET", "/contents")).status, 204);
        });

        it("another object than the one that was asked for, of the same kind", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const id = await createContent(emulator, { title: "Mine" });
            emulator.inject({ kind: "otherObject" });
            const shown = async (method: string, path: string, body?: unknown) =>
                (await call(emulator, method, path, body)).json.data;
            assert.notEqual((await shown("GET", `/contents/${id}`)).contentId, id, "made up, as there is no other");
            const other = emulator.addContent({ title: "Theirs" }).contentId;
            const stream = emulator.addLivestream({ title: "Stream" }).streamUUID;
            assert.equal((await shown("GET", `/contents/${id}`)).contentId, other);
            const updated = await shown("PUT", `/contents/${id}`, { title: "Renamed" });
            assert.deepEqual([updated.contentId, updated.title], [other, "Theirs"]);
            assert.equal(emulator.content(id)?.title, "Renamed");
            assert.notEqual((await shown("GET", `/livestreams/${stream}`)).streamUUID, stream);
            assert.equal((await call(emulator, "GET", "/contents/none")).status, 404);
        });

        it("processing: slow, stuck, and failed with a reason", async () => {
            const { emulator, clock } = await startStill({
                faults: [
                    { kind: "processing", ms: 60_000, title: "slow" },
                    { kind: "processing", stuck: true, title: "stuck" },
                    { kind: "processing", fail: "unsupported codec", title: "failing" },
                ],
            });
            await using _ = emulator;
            const [slow, stuck, failing, other] = await Promise.all(
                ["slow", "stuck", "failing", "other"].map((title) => createContent(emulator, { title })),
            );
            const statuses = async () =>
                Promise.all(
                    [slow, stuck, failing, other].map(
                        async (id) => (await call(emulator, "GET", `/contents/${id}`)).json.data.status,
                    ),
                );
            assert.deepEqual(await statuses(), ["Preparing", "Preparing", "Preparing", "Preparing"]);
            clock.advance(1000);
            assert.deepEqual(await statuses(), ["Preparing", "Preparing", "Failed", "Ready"]);
            clock.advance(59_000);
            assert.deepEqual(await statuses(), ["Ready", "Preparing", "Failed", "Ready"]);
            clock.advance(1e9);
            assert.deepEqual(await statuses(), ["Ready", "Preparing", "Failed", "Ready"]);
            const failed = (await call(emulator, "GET", `/contents/${failing}`)).json.data;
            assert.equal(failed.errorMessage, "unsupported codec");
        });
    });

    describe("matching", () => {
        /** Which of these requests a fault hits. */
        async function hits(fault: Partial<Fault>, titles = ["a"]): Promise<string[]> {
            const { emulator } = await startStill({
                tokens: [
                    { id: "one", secret: "s" },
                    { id: "two", secret: "s" },
                ],
            });
            await using _ = emulator;
            const content = await createContent(emulator);
            const stream = await createLivestream(emulator);
            emulator.clearRequests();
            emulator.inject({ kind: "status", status: 503, ...fault } as Fault);
            const two = { token: { id: "two", secret: "s" } };
            await call(emulator, "GET", "/contents");
            await call(emulator, "GET", `/contents/${content}`);
            await call(emulator, "GET", `/livestreams/${stream}`, undefined, two);
            for (const title of titles) await call(emulator, "POST", "/contents", { ...minimal, title });
            return emulator.requests
                .filter((request) => request.faults.length > 0)
                .map((request) =>
                    `${request.method} ${request.path.replace(apiRoot, "")}`.replace(content, "C").replace(stream, "L"),
                );
        }

        it("by method", async () => {
            assert.deepEqual(await hits({ method: "post" }), ["POST /contents"]);
        });

        it("by path, with * for one segment", async () => {
            assert.deepEqual(await hits({ path: "/contents" }), ["GET /contents", "POST /contents"]);
            assert.deepEqual(await hits({ path: "/contents/*" }), ["GET /contents/C"]);
            assert.deepEqual(await hits({ path: "/*" }), ["GET /contents", "POST /contents"]);
            assert.deepEqual(await hits({ path: "/*/*" }), ["GET /contents/C", "GET /livestreams/L"]);
            assert.deepEqual(await hits({ path: "/content." }), []);
        });

        it("by token, title and predicate", async () => {
            assert.deepEqual(await hits({ tokenId: "two" }), ["GET /livestreams/L"]);
            assert.equal((await hits({ title: "b" }, ["a", "b", "c"])).length, 1);
            assert.deepEqual(await hits({ where: (request) => request.path.includes("live") }), ["GET /livestreams/L"]);
        });

        it("by count: the next n, and after n", async () => {
            assert.deepEqual(await hits({ times: 2 }), ["GET /contents", "GET /contents/C"]);
            assert.deepEqual(await hits({ after: 3 }), ["POST /contents"]);
            assert.deepEqual(await hits({ after: 1, times: 1 }), ["GET /contents/C"]);
            assert.deepEqual(await hits({ method: "POST", after: 1 }, ["a", "b", "c"]), [
                "POST /contents",
                "POST /contents",
            ]);
        });

        it("by probability, repeatably by seed", async () => {
            const struck = async (seed: number) => {
                const { emulator } = await startStill({
                    faults: [{ kind: "status", status: 503, probability: 0.3, seed }],
                });
                await using _ = emulator;
                const statuses: number[] = [];
                for (let index = 0; index < 100; index++)
                    statuses.push((await call(emulator, "GET", "/contents")).status);
                return statuses;
            };
            const first = await struck(7);
            const count = first.filter((status) => status === 503).length;
            assert.ok(count > 15 && count < 45, `${count} of 100`);
            assert.deepEqual(await struck(7), first);
            assert.notDeepEqual(await struck(8), first);
        });

        it("refuses a fault that makes no sense", async () => {
            const { emulator } = await startStill();
            await using _ = emulator;
            const nonsense = [
                { kind: "explode" },
                { kind: "status", status: 200 },
                { kind: "status" },
                { kind: "reset", path: "contents" },
                { kind: "reset", times: 0 },
                { kind: "reset", probability: 2 },
                { kind: "hang", ms: 5 },
                { kind: "redirect", to: "elsewhere" },
                { kind: "answer" },
                { kind: "lateAcceptance", ms: 1, status: 200 },
            ];
            for (const fault of nonsense) {
                assert.throws(() => emulator.inject(fault as Fault), /Invalid fault/, JSON.stringify(fault));
            }
            assert.equal(emulator.faults.length, 0);
        });
    });
});
