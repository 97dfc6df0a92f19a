/** Livestream: the standard set, then what is its own: the stream key, the moving status, the slow delete. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { livestreamKind } from "./livestreamKind.ts";
import { standardTests } from "./standard.ts";

standardTests(livestreamKind);

describe("Livestream", function () {
    this.timeout(180_000);
    const lab = useLab();
    const stage = (more: object = {}, options?: string) =>
        declare("Livestream", "stage", { title: "Main stage", region: "us-east-1", ...more }, options);

    it("keeps the stream key a secret, in state, in outputs and through a refresh (S3)", async () => {
        const stack = await lab.stack(`
            const stage = new videograph.Livestream("stage", { title: "Main stage", region: "us-east-1" });
            exports.key = stage.streamKey;
            exports.ingest = pulumi.interpolate\`\${stage.rtmpUrl}/\${stage.streamKey}\`;`);
        const up = await stack.up();
        assert.match(up.output, /key\s*: \[secret\]/);
        const [stream] = lab.emulator.livestreams();
        assert.ok(stream);
        assert.equal((await stack.outputs()).key, stream.streamKey);
        // A key rotated outside is as secret as the first.
        lab.emulator.updateLivestream(stream.streamUUID, { streamKey: "rotated-stream-key-4711" });
        await stack.refresh("--diff");
        await stack.up("--diff");
        assert.equal((await stack.outputs()).key, "rotated-stream-key-4711");
        stack.checkForSecrets(await stack.export());
    });

    it("makes no difference of a status that moves with the broadcast (L6)", async () => {
        const stack = await lab.stack(stage());
        await stack.up();
        const id = await stack.resourceId("stage");
        for (const status of ["Active", "Failed", "Something new"]) {
            lab.emulator.updateLivestream(id, { status });
            await stack.refresh("--expect-no-changes");
            assert.deepEqual(await stack.planned(), []);
        }
        assert.equal((await stack.resource("stage")).outputs?.status, "Something new");
    });

    it("takes its region from the configuration, where it names none", async () => {
        const program = declare("Livestream", "stage", { title: "Main stage" });
        const stack = await lab.stack(program);
        await stack.previewFails(/region/, /videograph:region/);
        await stack.config("videograph:region", "ap-south-1");
        await stack.up();
        assert.equal(lab.emulator.livestreams()[0]?.region, "ap-south-1");
        stack.env.VIDEOGRAPH_REGION = "us-west-1";
        await stack.program(`${program}${declare("Livestream", "second", { title: "Second stage" })}`);
        await stack.up();
        assert.deepEqual(
            lab.emulator
                .livestreams()
                .filter(({ title }) => title === "Second stage")
                .map(({ region }) => region),
            ["us-west-1"],
        );
    });

    it("is followed until it is really gone when deleted (L7)", async () => {
        const stack = await lab.stack(stage());
        await stack.up();
        lab.emulator.clearRequests();
        await stack.destroy();
        assert.equal(lab.emulator.livestreams().length, 0);
        const reads = lab.emulator.requests.filter(
            ({ method, path }) => method === "GET" && /livestreams\/./.test(path),
        );
        assert.equal(reads.at(-1)?.status, 404, "The delete was not followed");
        assert.equal(sentBy(lab.emulator, "DELETE").length, 1);
    });

    it("is refreshed by its own GET whatever else the service holds (L6)", async () => {
        for (let number = 0; number < 30; number++) lab.emulator.addLivestream({ title: `Another ${number}` });
        const stack = await lab.stack(stage());
        await stack.up();
        const id = await stack.resourceId("stage");
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.refresh()), [`GET /livestreams/${id}`]);
    });
});

describe("A livestream whose deletion takes long", function () {
    this.timeout(180_000);
    const lab = useLab({ deletingTimeMs: 600_000 });

    it("ends the wait with a warning after customTimeouts.delete (L7)", async () => {
        const args = { title: "Main stage", region: "us-east-1" };
        const stack = await lab.stack(declare("Livestream", "stage", args, `{ customTimeouts: { delete: "2s" } }`));
        await stack.up();
        const destroyed = await stack.destroy();
        assert.match(destroyed.output, /warning: .*[Dd]elet/);
        assert.deepEqual(await stack.resources(), []);
        assert.equal(sentBy(lab.emulator, "DELETE").length, 1);
    });
});
