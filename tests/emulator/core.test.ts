// The emulator's core in one process, on virtual time: no server, no disk, no timers.
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { type CoreOptions, EmulatorCore, LostAnswer } from "videograph-emulator/core";
import { FakeClock, seededRandom } from "../support/fakeClock.ts";
import { apiRoot, minimal } from "./support.ts";

function startCore(options: CoreOptions = {}, seed = 1) {
    const clock = new FakeClock();
    const core = new EmulatorCore({ clock, random: seededRandom(seed), ...options });
    const authorization = `Basic ${Buffer.from(`${core.token.id}:${core.token.secret}`).toString("base64")}`;
    const call = async (method: string, path: string, body?: unknown, faults?: Fault[]) => {
        const answer = await core.handle(
            {
                method,
                url: `https://api.test${apiRoot}${path}`,
                headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
                body: body === undefined ? undefined : JSON.stringify(body),
            },
            { faults },
        );
        return { ...answer, json: JSON.parse(answer.body) };
    };
    return { clock, core, call };
}

describe("emulator: core", () => {
    it("creates, processes, lists and deletes without a server, on a clock that is given", async () => {
        const { clock, call } = startCore({ processingTimeMs: 3_600_000 });
        const created = await call("POST", "/contents", minimal);
        assert.equal(created.status, 201);
        assert.equal(created.headers.date, new Date(clock.now()).toUTCString());
        const id = created.json.data.contentId;
        assert.equal((await call("GET", `/contents/${id}`)).json.data.status, "Preparing");
        await clock.advance(3_600_000);
        assert.equal((await call("GET", `/contents/${id}`)).json.data.status, "Ready");
        assert.equal((await call("GET", "/contents")).json.data.length, 1);
        assert.equal((await call("DELETE", `/contents/${id}`)).status, 200);
        assert.equal((await call("GET", `/contents/${id}`)).status, 404);
    });

    it("makes the same objects from the same seed, and others from another", async () => {
        const ids = async (seed: number) => {
            const { core, call } = startCore({}, seed);
            await call("POST", "/contents", minimal);
            await call("POST", "/livestreams", { title: "a", region: "us-east-1", record: false });
            return [core.contents()[0]?.contentId, core.livestreams()[0]?.streamUUID, core.livestreams()[0]?.streamKey];
        };
        assert.deepEqual(await ids(7), await ids(7));
        assert.notDeepEqual(await ids(7), await ids(8));
    });

    it("takes sources from whoever is asked for them", async () => {
        const { clock, core, call } = startCore({
            processingTimeMs: 10,
            sources: async (url) =>
                url.includes("broken")
                    ? { playable: false, reason: "no video" }
                    : { playable: true, durationMs: 5, resolution: "1x1", file: null },
        });
        await call("POST", "/contents", minimal);
        await call("POST", "/contents", { ...minimal, content: [{ url: "https://media.test/broken.mp4" }] });
        await clock.advance(10);
        assert.deepEqual(
            core.contents().map(({ status, failureReason, durationMs }) => [status, failureReason, durationMs]),
            [
                ["Ready", null, 5],
                ["Failed", "no video", 0],
            ],
        );
    });

    it("gives faults to single requests, and loses answers in the way they name", async () => {
        const { core, call } = startCore();
        const lost = async (fault: Fault) => {
            const error = await call("POST", "/contents", minimal, [fault]).catch((error: unknown) => error);
            assert.ok(error instanceof LostAnswer);
            return [error.how, core.contents().length];
        };
        assert.deepEqual(await lost({ kind: "reset" }), ["reset", 0]);
        assert.deepEqual(await lost({ kind: "reset", when: "after" }), ["reset", 1]);
        assert.deepEqual(await lost({ kind: "hang", when: "after" }), ["hang", 2]);
        assert.deepEqual(await lost({ kind: "truncate" }), ["truncate", 3]);
        assert.equal((await call("POST", "/contents", minimal)).status, 201);
    });

    it("accepts a request a minute after its answer was lost, in virtual time", async () => {
        const { clock, core, call } = startCore();
        await assert.rejects(call("POST", "/contents", minimal, [{ kind: "lateAcceptance", ms: 60_000 }]), LostAnswer);
        await clock.advance(59_999);
        assert.equal(core.contents().length, 0);
        await clock.advance(1);
        assert.equal(core.contents().length, 1);
        assert.equal(core.contents()[0]?.createdOn, clock.now());
    });

    it("tells every change, whoever made it", async () => {
        const { core, call } = startCore();
        const changes: string[] = [];
        core.onChange = (change) => changes.push(...Object.keys(change));
        const { contentId } = core.addContent({ title: "Theirs" });
        await call("PUT", `/contents/${contentId}`, { title: "Renamed" });
        await call("DELETE", `/contents/${contentId}`);
        assert.deepEqual(changes, ["content", "content", "contentDeleted"]);
    });

    it("answers 404 outside the API and 400 to a target that is no URL", async () => {
        const { core } = startCore();
        const statusOf = async (url: string) => (await core.handle({ method: "GET", url, headers: {} })).status;
        assert.equal(await statusOf("/_emulator/contents"), 404);
        assert.equal(await statusOf("http://[/"), 400);
        assert.equal(await statusOf(`//${apiRoot}/contents`), 401);
    });
});
