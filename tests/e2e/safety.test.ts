/** S1, S2, S4 and S6 through the CLI with an odd service: exactly one object, nothing that exists is dropped. See environments.test.ts. */
import assert from "node:assert/strict";
import type { FieldForm } from "videograph-emulator";
import { objects } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

const content = [{ url: "https://media.example.com/a.mp4" }];

describe("An unsteady service (S1, S2, S4, S6)", () => {
    const testbed = useTestbed({
        fetchSources: false,
        variants: {
            policyKey: "playbackPolicy",
            createCode: 200,
            contentCreatedKey: "createdOn",
            livestreamCreatedKey: "created_at",
            ingestKey: "ingestUrl",
            rtmpsUrl: "empty",
            thumbnails: "thumbnails",
            pendingStatuses: ["Pending", "Processing", "Something new"],
            idShape: "opaque",
            emptyFields: "omitted",
            putData: false,
            whileDeleting: "notFound",
            visibleAfterMs: 8_000,
        },
    });

    it("that spells everything otherwise, shows nothing at once, is throttled and broken at times makes no difference", async () => {
        for (const method of ["POST", "GET", "PUT", "DELETE"]) {
            testbed.emulator.inject({ kind: "status", status: 429, retryAfter: 1, method, times: 1 });
        }
        for (const method of ["GET", "PUT", "DELETE"]) {
            testbed.emulator.inject({ kind: "status", status: 503, body: "html", method, after: 1, times: 1 });
            testbed.emulator.inject({ kind: "reset", method, after: 2, times: 1 });
        }
        // Created last: the service does not show it yet when the run ends.
        const fresh = (name: string) =>
            `new videograph.Content("${name}", { title: "Fresh", content, waitForReady: false }, { dependsOn: all });`;
        const program = (title: string, playbackPolicy: string) => `
            const content = ${JSON.stringify(content)};
            const all = [
                new videograph.Content("trailer", { title: "${title}", content }),
                new videograph.Livestream("stage", { title: "${title}", region: "us-east-1" }),
                new videograph.Content("replaced", { title: "Replaced", content, playbackPolicy: ["${playbackPolicy}"] }),
            ];
            ${fresh("one")}`;
        const stack = await testbed.stack(program("Before", "public"));
        await stack.up();
        const before = await stack.ids();
        const [trailer, stage] = [await stack.resource("trailer"), await stack.resource("stage")];
        assert.ok(trailer.outputs?.thumbnailUrl && trailer.outputs.createdOn);
        assert.ok(stage.outputs?.rtmpUrl && stage.outputs.createdOn);
        testbed.emulator.clearRequests();
        testbed.emulator.inject({ kind: "reset", when: "after", method: "POST", title: "Replaced", times: 1 });
        await stack.program(program("After", "signed") + fresh("two"));
        // What is not visible yet is not dropped, and not made again.
        await stack.up("--refresh");
        for (const name of ["trailer", "stage", "one"]) assert.equal(await stack.resourceId(name), before[name]);
        assert.notEqual(await stack.resourceId("replaced"), before.replaced);
        const titles = (method: string) =>
            sentBy(testbed.emulator, method)
                .filter(({ accepted }) => accepted)
                .map(({ body }) => (body as { title: string }).title);
        assert.deepEqual(titles("POST").sort(), ["Fresh", "Replaced"]);
        assert.deepEqual(titles("PUT"), ["After", "After"]);
        assert.deepEqual(objects(testbed).sort(), Object.values(await stack.ids()).sort());
        // Nor is it left behind.
        await stack.destroy();
        await waitFor("the service to be empty", () => objects(testbed).length === 0);
    });
});

describe("Answers without a single optional field (S4)", () => {
    const testbed = useTestbed({ fetchSources: false });
    const names = ["description", "tags", "streamKey", "rtmpUrl", "ingestUrl", "rtmpsUrl", "playbackUrl"];
    names.push("createdOn", "created_at", "thumbnailUrl", "duration", "resolution", "statusId");
    const hidden = (form: FieldForm) => Object.fromEntries(names.map((name) => [name, form]));

    it("lose nothing and change nothing, be the fields absent or of another type", async () => {
        testbed.emulator.setVariants({ fields: hidden("absent") });
        for (const add of ["addContent", "addLivestream"] as const) testbed.emulator[add]({ title: "Somebody else's" });
        const others = objects(testbed);
        const importId = testbed.emulator.addLivestream({ title: "Existing" }).streamUUID;
        const stack = await testbed.stack(
            declare("Content", "video", { title: "Video", content }) +
                declare("Livestream", "stream", { title: "Stream", region: "us-east-1" }) +
                declare("Livestream", "imported", { title: "Existing", importId }) +
                `exports.read = videograph.Livestream.get("read", "${importId}").title;`,
        );
        await stack.up();
        assert.equal(objects(testbed).length, others.length + 3);
        testbed.emulator.setVariants({ fields: hidden("object") });
        // `Livestream.get` reads each time.
        const planned = (await stack.planned("--refresh")).filter((step) => !step.startsWith("refresh "));
        assert.deepEqual(planned, ["read read"]);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
    });
});
