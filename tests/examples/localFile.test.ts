/** examples/local-file: a file goes to a bucket, and the service reads it from there. The bucket is one of moto. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleVideo } from "videograph-emulator";
import { longerVideo } from "../emulator/support.ts";
import { ObjectStore } from "../support/objectStore.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { exampleStack } from "./exampleStack.ts";

describe("A video from a local file", () => {
    const testbed = useTestbed();

    it("is uploaded once, and replaced only when the file is another one", async function () {
        const s3 = await ObjectStore.start();
        if (typeof s3 === "string") return this.skip();
        await using _ = s3;
        const bucket = s3.urlOf(await s3.bucket());
        const keys = async () => [...(await (await fetch(bucket)).text()).matchAll(/<Key>(.+?)<\/Key>/g)].length;
        const stack = await exampleStack(testbed, "local-file");
        Object.assign(stack.env, { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" });
        const file = join(stack.folder, "film.mp4");
        await writeFile(file, await sampleVideo());
        await stack.config("file", "film.mp4");
        await stack.config("bucketUrl", bucket);

        await stack.preview();
        assert.equal(await keys(), 0, "a preview uploads nothing");
        await stack.up();
        const [first] = testbed.emulator.contents();
        assert.deepEqual([first?.status, first?.durationMs, await keys()], ["Ready", 2000, 1]);
        assert.match(first?.sourceUrls[0] ?? "", /X-Amz-Signature=/);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), [], "another signature is no change");

        await writeFile(file, await longerVideo(2));
        await stack.up();
        const [second, ...others] = testbed.emulator.contents();
        assert.deepEqual([second?.durationMs, await keys(), others], [4000, 2, []]);
        assert.notEqual(second?.contentId, first?.contentId);
    });
});
