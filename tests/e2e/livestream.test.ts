/** Livestream, beyond the standard set: the stream key, the moving status, the region, the slow delete. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Livestream", () => {
    const testbed = useTestbed();

    it("keeps its key secret (S3) and its region, whatever its status is refreshed by one GET to no difference (L6), and is followed until it is gone (L7)", async () => {
        for (let number = 0; number < 30; number++) testbed.emulator.addLivestream({ title: `Another ${number}` });
        const others = testbed.emulator.livestreams().length;
        const statuses = ["Active", "Failed", "Something new"];
        const program = `${statuses.map((title) => declare("Livestream", title, { title, region: "us-east-1" })).join("")}
            const stage = new videograph.Livestream("stage", { title: "Main stage" });
            exports.key = stage.streamKey;
            exports.ingest = pulumi.interpolate\`\${stage.rtmpUrl}/\${stage.streamKey}\`;`;
        const stack = await testbed.stack(program);
        const region = (wanted: string) => testbed.emulator.livestreams().find(({ title }) => title === wanted)?.region;
        await stack.config("videograph:region", "ap-south-1");
        const up = await stack.up();
        assert.equal(region("Main stage"), "ap-south-1");
        assert.match(up.output, /key\s*: \[secret\]/);
        const id = await stack.resourceId("stage");

        const paths = (await stack.resources()).map((one) => `/livestreams/${one.id}`);
        for (const status of statuses) testbed.emulator.updateLivestream(await stack.resourceId(status), { status });
        // A key rotated outside is as secret as the first; another default is for what is new.
        testbed.emulator.updateLivestream(id, { streamKey: "rotated-stream-key-4711" });
        stack.env.VIDEOGRAPH_REGION = "us-west-1";
        await stack.program(program + declare("Livestream", "second", { title: "Second stage" }));
        const requests = await requestsOf(testbed.emulator, () => stack.up("--refresh", "--diff"));
        const second = `/livestreams/${await stack.resourceId("second")}`;
        const reads = requests.filter(
            (request) => request.startsWith("GET /livestreams/") && !request.endsWith(second),
        );
        assert.deepEqual(reads.sort(), paths.map((path) => `GET ${path}`).sort());
        assert.ok(!requests.some((request) => request.startsWith("PUT")));
        for (const status of statuses) assert.equal((await stack.resource(status)).outputs?.status, status);
        assert.equal((await stack.outputs()).key, "rotated-stream-key-4711");
        assert.deepEqual([region("Main stage"), region("Second stage")], ["ap-south-1", "us-west-1"]);
        assert.equal(await stack.resourceId("stage"), id);

        testbed.emulator.clearRequests();
        await stack.destroy();
        assert.equal(testbed.emulator.livestreams().length, others);
        for (const path of paths) {
            const reads = testbed.emulator.requests.filter((one) => one.method === "GET" && one.path.endsWith(path));
            assert.equal(reads.at(-1)?.status, 404, "The delete was not followed");
            assert.equal(sentBy(testbed.emulator, "DELETE").filter((one) => one.path.endsWith(path)).length, 1);
        }
    });
});
