import assert from "node:assert/strict";
import type { Emulator, Fault } from "videograph-emulator";
import { LostAnswer } from "videograph-emulator/core";
import { apiRoot, call, minimal, startCore, startStill } from "./support.ts";

type Core = ReturnType<typeof startCore>;

/** How a request ends when there is no answer, e.g. "ECONNRESET". */
async function failure(request: Promise<unknown>): Promise<string> {
    try {
        await request;
    } catch (error) {
        if (error instanceof LostAnswer) return error.how;
        return (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    }
    throw new assert.AssertionError({ message: "There was an answer" });
}

const create = ({ call }: Core) => call("POST", "/contents", minimal);
const elsewhere = "https://elsewhere.example.com";

describe("emulator: faults", () => {
    describe("a create under", () => {
        for (const [fault, ends, stored, later = stored] of [
            [{ kind: "reset" }, "reset", 0],
            [{ kind: "reset", when: "after" }, "reset", 1],
            [{ kind: "hang" }, "hang", 0],
            [{ kind: "hang", when: "after" }, "hang", 1],
            [{ kind: "truncate" }, "truncate", 1],
            [{ kind: "lateAcceptance", ms: 300 }, "reset", 0, 1],
            [{ kind: "lateAcceptance", ms: 20, maxMs: 60, status: 504 }, 504, 0, 1],
            [{ kind: "status", status: 500 }, 500, 0],
            [{ kind: "status", status: 422, when: "after" }, 422, 1],
            [{ kind: "answer", status: 200, json: { success: false } }, 200, 0],
            [{ kind: "answer", status: 404, text: "<html>no</html>", contentType: "text/html", when: "after" }, 404, 1],
            [{ kind: "redirect", to: elsewhere }, 307, 0],
            [{ kind: "redirect", to: elsewhere, status: 302 }, 302, 0],
            [{ kind: "redirect", status: 303, when: "after" }, 303, 1],
            ...(["malformed", "html", "empty", "null", "array", "text", "noData"] as const).map(
                (body) => [{ kind: "body", body }, 201, 1] as const,
            ),
        ] as const satisfies readonly (readonly [Fault, string | number, number, number?])[]) {
            it(`${JSON.stringify(fault)} ends with ${ends}, and is ${later > 0 ? "" : "not "}carried out`, async () => {
                const core = startCore({ faults: [fault as Fault] });
                const end = create(core);
                assert.equal(typeof ends === "number" ? (await end).status : await failure(end), ends);
                assert.equal(core.core.contents().length, stored);
                await core.clock.advance(300);
                assert.equal(core.core.contents().length, later);
                assert.deepEqual(core.core.requests[0]?.faults, [fault.kind]);
            });
        }
    });

    it("after acceptance leave requests alone that are refused anyway", async () => {
        const { status, call } = startCore({ faults: [{ kind: "reset", when: "after" }] });
        assert.equal(await status("POST", "/contents", {}), 400);
        assert.equal(await status("GET", "/contents/unknown"), 404);
        assert.equal((await call("GET", "/contents", undefined, { token: { id: "", secret: "" } })).status, 401);
    });

    it("latencies add up before or after acceptance, and combine with another fault", async () => {
        for (const [when, ms, stored] of [
            ["before", 30, 0],
            ["after", 60, 1],
        ] as const) {
            const latency = { kind: "latency", ms, when } as const;
            const core = startCore({ faults: [latency, latency, { kind: "status", status: 503, when: "after" }] });
            const end = create(core);
            await core.clock.advance(2 * ms - 1);
            assert.equal(core.core.contents().length, stored);
            await core.clock.advance(1);
            assert.equal((await end).status, 503);
            assert.deepEqual(core.core.requests[0]?.faults, ["latency", "latency", "status"]);
        }
    });

    for (const [what, more, value] of [
        ["nothing", {}, undefined],
        ["seconds", { retryAfter: 2 }, "2"],
        ["garbage", { retryAfter: "soon" }, "soon"],
        ["a date", { retryAfterDateIn: 30 }, "Thu, 01 Jan 2026 00:00:30 GMT"],
    ] as const) {
        it(`a status may have ${what} as Retry-After`, async () => {
            const core = startCore({ faults: [{ kind: "status", status: 429, ...more }] });
            assert.equal((await create(core)).headers["retry-after"], value);
        });
    }
    for (const [body, text] of [
        ["envelope", /"code":503/],
        ["json", /^\{"error"/],
        ["html", /^<html>/],
        ["empty", /^$/],
        ["malformed", /^\{.*[^}]$/],
    ] as const) {
        it(`a status may have a body that is ${body}`, async () => {
            assert.match((await create(startCore({ faults: [{ kind: "status", status: 503, body }] }))).text, text);
        });
    }
    for (const [body, text] of [
        ["malformed", /contentId.*,,$/],
        ["html", /<html>/],
        ["empty", /^$/],
        ["null", /^null$/],
        ["array", /^\[\]$/],
        ["text", /^"OK"$/],
        ["noData", /^\{"status":"Success","code":201,"message":"[^"]*"\}$/],
    ] as const) {
        it(`an answer may be spoiled to ${body}`, async () => {
            assert.match((await create(startCore({ faults: [{ kind: "body", body }] }))).text, text);
        });
    }

    it("redirects lead to the same path elsewhere, or to where the object is", async () => {
        const away = startCore({ faults: [{ kind: "redirect", to: elsewhere }] });
        const list = await away.call("GET", "/contents?start=5");
        assert.equal(list.headers.location, `${elsewhere}${apiRoot}/contents?start=5`);
        const here = startCore({ faults: [{ kind: "redirect", status: 303, when: "after", method: "POST" }] });
        const { location } = (await create(here)).headers;
        assert.equal(location, `${apiRoot}/contents/${here.core.contents()[0]?.contentId}`);
    });

    it("another object than the one that was asked for, of the same kind", async () => {
        const { core, call, content, status } = startCore();
        const id = await content({ title: "Mine" });
        core.inject({ kind: "otherObject" });
        const shown = async (method: string, path: string, body?: unknown) =>
            (await call(method, path, body)).json.data;
        assert.notEqual((await shown("GET", `/contents/${id}`)).contentId, id, "made up, as there is no other");
        const other = core.addContent({ title: "Theirs" }).contentId;
        const stream = core.addLivestream({ title: "Stream" }).streamUUID;
        assert.equal((await shown("GET", `/contents/${id}`)).contentId, other);
        const updated = await shown("PUT", `/contents/${id}`, { title: "Renamed" });
        assert.deepEqual([updated.title, core.content(id)?.title], ["Theirs", "Renamed"]);
        assert.notEqual((await shown("GET", `/livestreams/${stream}`)).streamUUID, stream);
        assert.equal(await status("GET", "/contents/none"), 404);
    });

    it("processing: slow, stuck, and failed with a reason", async () => {
        const { core, clock, content } = startCore({
            faults: [
                { kind: "processing", ms: 60_000, title: "slow" },
                { kind: "processing", stuck: true, title: "stuck" },
                { kind: "processing", fail: "unsupported codec", title: "failing" },
            ],
        });
        for (const title of ["slow", "stuck", "failing", "other"]) await content({ title });
        const statuses = () => core.contents().map(({ status }) => status);
        await clock.advance(1000);
        assert.deepEqual(statuses(), ["Preparing", "Preparing", "Failed", "Ready"]);
        assert.equal(core.contents()[2]?.failureReason, "unsupported codec");
        await clock.advance(59_000);
        assert.deepEqual(statuses(), ["Ready", "Preparing", "Failed", "Ready"]);
        await clock.advance(1e9);
        assert.deepEqual(statuses(), ["Ready", "Preparing", "Failed", "Ready"]);
    });

    describe("over HTTP", () => {
        const post = (emulator: Emulator, signal?: AbortSignal) =>
            call(emulator, "POST", "/contents", minimal, signal && { signal });

        it("reset: the connection breaks", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "reset" }] });
            await using _ = emulator;
            assert.equal(await failure(post(emulator)), "ECONNRESET");
        });
        it("truncate: half the body, then the end of the connection", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "truncate" }] });
            await using _ = emulator;
            assert.equal(await failure(post(emulator)), "UND_ERR_SOCKET");
        });
        it("hang: no answer, until the client gives up; other requests are answered", async () => {
            const { emulator } = await startStill({ faults: [{ kind: "hang", when: "after", times: 1 }] });
            await using _ = emulator;
            const patience = new AbortController();
            const hanging = failure(post(emulator, patience.signal));
            const request = await emulator.waitForRequest(({ method }) => method === "POST");
            assert.equal((await call(emulator, "GET", "/contents")).status, 200);
            assert.equal(request.finishedAt, null);
            patience.abort();
            assert.equal(await hanging, "AbortError");
            await emulator.waitForRequest((ended) => ended === request && ended.finishedAt !== null);
            assert.equal(request.status, null);
        });
    });

    describe("hit", () => {
        const all = ["GET /contents", "GET /contents/C", "GET /livestreams/L", "POST /contents a", "POST /contents b"];
        for (const [match, hits] of [
            [{}, [0, 1, 2, 3, 4]],
            [{ method: "post" }, [3, 4]],
            [{ path: "/contents" }, [0, 3, 4]],
            [{ path: "/contents/*" }, [1]],
            [{ path: "/*" }, [0, 3, 4]],
            [{ path: "/*/*" }, [1, 2]],
            [{ path: "/content." }, []],
            [{ tokenId: "two" }, [2]],
            [{ title: "b" }, [4]],
            [{ where: ({ path }: { path: string }) => path.includes("live") }, [2]],
            [{ times: 2 }, [0, 1]],
            [{ after: 3 }, [3, 4]],
            [{ after: 1, times: 1 }, [1]],
            [{ method: "POST", after: 1 }, [4]],
        ] as const) {
            it(`of ${all.join(", ")}: ${hits.join(", ")} for ${JSON.stringify(match)}`, async () => {
                const tokens = ["one", "two"].map((id) => ({ id, secret: "s" }));
                const { core, call, content, stream } = startCore({ tokens });
                const paths = ["/contents", `/contents/${await content()}`, `/livestreams/${await stream()}`];
                core.clearRequests();
                core.inject({ kind: "status", status: 503, ...match } as Fault);
                for (const [index, path] of paths.entries()) {
                    await call("GET", path, undefined, index === 2 ? { token: { id: "two", secret: "s" } } : {});
                }
                for (const title of ["a", "b"]) await call("POST", "/contents", { ...minimal, title });
                const hit = core.requests.flatMap(({ faults }, index) => (faults.length > 0 ? [index] : []));
                assert.deepEqual(hit, hits);
            });
        }

        it("by probability, repeatably by seed", async () => {
            const struck = async (seed: number) => {
                const { status } = startCore({ faults: [{ kind: "status", status: 503, probability: 0.3, seed }] });
                const statuses: number[] = [];
                for (let index = 0; index < 100; index++) statuses.push(await status("GET", "/contents"));
                return statuses;
            };
            const first = await struck(7);
            const count = first.filter((status) => status === 503).length;
            assert.ok(count > 15 && count < 45, `${count} of 100`);
            assert.deepEqual(await struck(7), first);
            assert.notDeepEqual(await struck(8), first);
        });

        it("in the order of injection, one each, until they are removed", async () => {
            const { core, status } = startCore();
            const first = core.inject({ kind: "status", status: 500, times: 1 });
            const second = core.inject({ kind: "status", status: 503 });
            assert.deepEqual([await status("GET", "/contents"), first.hits, second.hits], [500, 1, 0]);
            assert.equal(await status("GET", "/contents"), 503);
            second.remove();
            assert.equal(await status("GET", "/contents"), 200);
        });
    });

    it("are refused where they make no sense", () => {
        const { core } = startCore();
        for (const fault of [
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
        ]) {
            assert.throws(() => core.inject(fault as Fault), /Invalid fault/, JSON.stringify(fault));
        }
        assert.equal(core.faults.length, 0);
    });
});
