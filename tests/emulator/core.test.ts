// The emulator's core in one process, on virtual time: no server, no disk, no timers.
import assert from "node:assert/strict";
import { apiRoot, minimal, startCore } from "./support.ts";

describe("emulator: core", () => {
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
