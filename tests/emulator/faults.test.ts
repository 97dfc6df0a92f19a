// Faults on demand: what becomes of a request, and of the object that it was to make; which requests are hit.
import assert from "node:assert/strict";
import { type Fault, startEmulator } from "videograph-emulator";
import { LostAnswer } from "videograph-emulator/core";
import { apiRoot, type CallOptions, call, minimal, startCore } from "./support.ts";

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

const create = ({ call }: ReturnType<typeof startCore>) => call("POST", "/contents", minimal);
const elsewhere = "https://elsewhere.example.com";

describe("emulator: faults", () => {
    // A create under the fault: how it ends, how many objects there are then, and 300 ms later.
    const fates: [Fault, string | number, number, number?][] = [
        [{ kind: "reset" }, "reset", 0],
        [{ kind: "reset", when: "after" }, "reset", 1],
        [{ kind: "hang" }, "hang", 0],
        [{ kind: "hang", when: "after" }, "hang", 1],
        [{ kind: "truncate" }, "truncate", 1],
        [{ kind: "lateAcceptance", ms: 300 }, "reset", 0, 1],
        [{ kind: "lateAcceptance", ms: 60, status: 504 }, 504, 0, 1],
        [{ kind: "status", status: 500 }, 500, 0],
        [{ kind: "status", status: 422, when: "after" }, 422, 1],
        [{ kind: "answer", status: 200, json: { success: false } }, 200, 0],
        [{ kind: "answer", status: 404, text: "<html>no</html>", contentType: "text/html", when: "after" }, 404, 1],
        [{ kind: "redirect", to: elsewhere }, 307, 0],
        [{ kind: "redirect", to: elsewhere, status: 302 }, 302, 0],
        [{ kind: "redirect", status: 303, when: "after" }, 303, 1],
        [{ kind: "body", body: "malformed" }, 201, 1],
    ];
    for (const [fault, ends, stored, later = stored] of fates)
        it(`${JSON.stringify(fault)} ends with ${ends}, and is ${later > 0 ? "" : "not "}carried out`, async () => {
            const core = startCore({ faults: [fault] });
            const end = create(core);
            assert.equal(typeof ends === "number" ? (await end).status : await failure(end), ends);
            assert.equal(core.core.contents().length, stored);
            await core.clock.advance(300);
            assert.equal(core.core.contents().length, later);
            assert.deepEqual(core.core.requests[0]?.faults, [fault.kind]);
        });

    it("after acceptance leave requests alone that are refused anyway", async () => {
        const { status, call } = startCore({ faults: [{ kind: "reset", when: "after" }] });
        assert.equal(await status("POST", "/contents", {}), 400);
        assert.equal(await status("GET", "/contents/unknown"), 404);
        assert.equal((await call("GET", "/contents", undefined, { token: null })).status, 401);
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

    // The body of the answer to a create, and one header of it.
    const status = { kind: "status", status: 503 } as const;
    const answers: [Fault, RegExp, [name: string, value: string]?][] = [
        [{ ...status, retryAfter: 2 }, /"code":503/, ["retry-after", "2"]],
        [{ ...status, retryAfter: "Thu, 01 Jan 2026 00:00:30 GMT", body: "json" }, /^\{"error"/],
        [{ ...status, body: "html" }, /^<html>/, ["content-type", "text/html"]],
        [{ ...status, body: "empty" }, /^$/],
        [{ ...status, body: "malformed" }, /^\{.*[^}]$/],
        [{ kind: "body", body: "malformed" }, /contentId.*,,$/],
        [{ kind: "body", body: "html" }, /<html>/],
        [{ kind: "body", body: "empty" }, /^$/],
        [{ kind: "body", body: "text" }, /^"OK"$/],
        [{ kind: "body", body: "noData" }, /^\{"status":"Success","code":201,"message":"[^"]*"\}$/],
        [{ kind: "otherObject" }, /"contentId":"other"/],
        [{ kind: "redirect", to: elsewhere }, /^$/, ["location", `${elsewhere}${apiRoot}/contents`]],
    ];
    it("make the answer that they describe", async () => {
        for (const [fault, body, [name, value] = []] of answers) {
            const { text, headers } = await create(startCore({ faults: [fault] }));
            assert.match(text, body, JSON.stringify(fault));
            if (name !== undefined) assert.equal(headers[name], value);
        }
        const here = startCore({ faults: [{ kind: "redirect", status: 303, when: "after" }] });
        const { location } = (await create(here)).headers;
        assert.equal(location, `${apiRoot}/contents/${here.core.contents()[0]?.contentId}`);
    });

    it("over HTTP: reset, truncate and hang do that to the connection", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        const post = (options?: CallOptions) => call(emulator, "POST", "/contents", minimal, options);
        emulator.inject({ kind: "reset", times: 1 });
        assert.equal(await failure(post()), "ECONNRESET");
        emulator.inject({ kind: "truncate", times: 1 });
        assert.equal(await failure(post()), "UND_ERR_SOCKET");
        emulator.clearRequests();
        emulator.inject({ kind: "hang", when: "after", times: 1 });
        const patience = new AbortController();
        const hanging = failure(post(patience));
        const request = await emulator.waitForRequest(({ method }) => method === "POST");
        assert.equal((await call(emulator, "GET", "/contents")).status, 200);
        assert.equal(request.finishedAt, null);
        patience.abort();
        assert.equal(await hanging, "AbortError");
        await emulator.waitForRequest((ended) => ended === request && ended.finishedAt !== null);
        assert.equal(request.status, null);
    });

    it("hit the requests that they match", async () => {
        const tokens = ["one", "two"].map((id) => ({ id, secret: "s" }));
        // Of GET /contents, GET /contents/C, GET /livestreams/L with another token, and POST /contents of "a" and "b".
        const matches: [object, number[]][] = [
            [{}, [0, 1, 2, 3, 4]],
            [{ method: "post" }, [3, 4]],
            [{ path: "/contents" }, [0, 3, 4]],
            [{ path: "/contents/*" }, [1]],
            [{ path: "/*/*" }, [1, 2]],
            [{ path: "/content." }, []],
            [{ tokenId: "two" }, [2]],
            [{ title: "b" }, [4]],
            [{ where: ({ path }: { path: string }) => path.includes("live") }, [2]],
            [{ times: 2 }, [0, 1]],
            [{ after: 1, times: 1 }, [1]],
            [{ method: "POST", after: 1 }, [4]],
        ];
        for (const [match, expected] of matches) {
            const { core, call, content, stream } = startCore({ tokens });
            const paths = ["/contents", `/contents/${await content()}`, `/livestreams/${await stream()}`];
            core.clearRequests();
            core.inject({ kind: "status", status: 503, ...match } as Fault);
            for (const [index, path] of paths.entries())
                await call("GET", path, undefined, index === 2 ? { token: { id: "two", secret: "s" } } : {});
            for (const title of ["a", "b"]) await call("POST", "/contents", { ...minimal, title });
            const hit = core.requests.flatMap(({ faults }, index) => (faults.length > 0 ? [index] : []));
            assert.deepEqual(hit, expected, JSON.stringify(match));
        }
    });

    it("hit by probability, repeatably by seed", async () => {
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

    it("hit in the order of injection, one each, until they are removed", async () => {
        const { core, status } = startCore();
        const first = core.inject({ kind: "status", status: 500, times: 1 });
        const second = core.inject({ kind: "status", status: 503 });
        assert.deepEqual([await status("GET", "/contents"), first.hits, second.hits], [500, 1, 0]);
        assert.equal(await status("GET", "/contents"), 503);
        second.remove();
        assert.equal(await status("GET", "/contents"), 200);
    });

    it("are refused where they make no sense", () => {
        const { core } = startCore();
        for (const [kind, more] of [
            ["explode", {}],
            ["status", { status: 200 }],
            ["reset", { path: "contents" }],
            ["hang", { ms: 5 }],
        ] as const)
            assert.throws(() => core.inject({ kind, ...more } as Fault), /Invalid fault/, kind);
        assert.equal(core.faults.length, 0);
    });
});
