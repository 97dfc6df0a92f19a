/** Content, beyond the standard set: readiness, failures, sources. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Content", () => {
    const testbed = useTestbed();
    const content = (name: string, more: object = {}, options?: string) =>
        declare("Content", name, { title: name, content: [{ url: testbed.media.video() }], ...more }, options);

    it("is playable when up ends, and up tells while it waits (L1); its state is small (C1); a changed timeout is no update; a sourceVersion decides about a replacement alone", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const written = { title: "Trailer", content: [{ url: testbed.media.video() }] };
        const program = (options: string) => `
            const trailer = new videograph.Content("trailer", ${JSON.stringify(written)}, ${options});
            exports.url = trailer.playbackUrl;
            exports.id = trailer.contentId;
            exports.status = trailer.status;`;
        const source = (name: string, file: string, sourceVersion?: string) =>
            content(name, { content: [{ url: testbed.media.video(file) }], sourceVersion });
        // A replacement of what is protected would be an error.
        const late = (title: string) => `
            const stage = new videograph.Livestream("stage", { title: "${title}", region: "us-east-1" });
            const url = pulumi.interpolate\`${testbed.media.video()}?key=\${stage.status}\`;
            new videograph.Content("late", { title: "Late", content: [{ url }], sourceVersion: "1" }, { protect: true });`;
        const other = source("other", "a.mp4?sig=2");
        const sources = [
            source("one", "a.mp4") + source("other", "a.mp4?sig=1", "1") + late("Before"),
            source("one", "a.mp4", "1") + source("other", "a.mp4?sig=2", "1") + late("After"),
            source("one", "c.mp4", "2") + other + late("After"),
        ];
        const stack = await testbed.stack(program("{}"));
        const up = await stack.upShowing(/Content trailer .*Preparing/, () => {
            const [{ contentId = "" } = {}] = testbed.emulator.contents();
            testbed.emulator.setContentStatus(contentId, "Ready");
        });
        const { url, id, status } = await stack.outputs();
        assert.equal(status, "Ready");
        assert.equal(id, testbed.emulator.contents()[0]?.contentId);
        assert.equal((await fetch(String(url))).status, 200);
        assert.doesNotMatch(up.output.split("Diagnostics:")[1] ?? "", /Preparing/, "Progress is kept as a diagnostic");

        const { inputs = {}, outputs = {} } = await stack.resource("trailer");
        const handler = String(outputs.__provider);
        assert.equal(inputs.__provider, handler);
        assert.ok(handler.length > 0 && Buffer.byteLength(handler) < 100, handler);
        const kept = JSON.stringify(inputs).length + JSON.stringify(outputs).length;
        // The engine keeps what was written twice: as inputs and as outputs.
        const beyond = kept - 2 * JSON.stringify(written).length;
        assert.ok(beyond <= 1024, `${beyond} bytes beyond what was written`);

        await stack.program(program(`{ customTimeouts: { create: "2h", delete: "1m" } }`) + sources[0]);
        testbed.emulator.clearFaults();
        testbed.emulator.clearRequests();
        await stack.up();
        assert.ok(testbed.emulator.requests.every(({ path }) => !path.endsWith(String(id))));
        // Another version alone replaces a content; it may be given up at the last run's URL, and the URL be unknown.
        const ids = [await stack.resourceId("one"), await stack.resourceId("other")];
        testbed.emulator.clearRequests();
        await stack.program(sources[1] ?? "");
        await stack.up();
        assert.deepEqual(sentBy(testbed.emulator, "POST"), []);
        assert.deepEqual([await stack.resourceId("one"), await stack.resourceId("other")], ids);
        await stack.program(sources[2] ?? "");
        await stack.up();
        assert.notEqual(await stack.resourceId("one"), ids[0]);
        assert.equal(await stack.resourceId("other"), ids[1]);
        const [made] = testbed.emulator.contents().filter(({ title }) => title === "one");
        assert.deepEqual(made?.sourceUrls, [testbed.media.video("c.mp4")]);
        assert.equal(sentBy(testbed.emulator, "POST").length, 1);
    });

    it("that Fails or whose wait times out keeps its id: the next up replaces the one, resumes the other with GETs, and either can be destroyed (L3, L4)", async () => {
        const stuck = (title: string) => testbed.emulator.inject({ kind: "processing", stuck: true, title });
        for (const title of ["late", "too late", "on its own"]) stuck(title);
        const reason = "the codec is not supported";
        const fault = testbed.emulator.inject({ kind: "processing", fail: reason, title: "failed" });
        const signature = "X-Signature-8e2d40";
        const waits = (create: string) => `{ customTimeouts: { create: "${create}", update: "${create}" } }`;
        const program = (create: string) =>
            content("good") +
            content("failed") +
            content("late", {}, waits(create)) +
            content("on its own", { waitForReady: false });
        const stack = await testbed.stack(
            program("8s") +
                content("no video", { content: [{ url: `${testbed.media.notVideo}?sig=${signature}` }] }) +
                content("too late", {}, waits("8s")),
        );
        // Of a source that fails, too: in no error and no initErrors (S3).
        stack.secrets.push(signature);
        const failed = await stack.upOfAllFails(
            /Failed/,
            new RegExp(reason),
            /it is a web page, not an MP4/,
            /Fix content\[0\]\.url \(.*\), then run `pulumi up`/,
            /\(late\):[^(]*Preparing/,
        );
        const id = async (name: string) => await stack.resourceId(name);
        const [good, broken, late] = [await id("good"), await id("failed"), await id("late")];
        for (const one of [broken, late, await id("no video"), await id("too late")])
            assert.ok(failed.output.includes(one), "The message does not name the content");
        assert.deepEqual(
            testbed.emulator
                .contents()
                .map(({ title, status }) => `${title} ${status}`)
                .sort(),
            [
                "failed Failed",
                "good Ready",
                "late Preparing",
                "no video Failed",
                "on its own Preparing",
                "too late Preparing",
            ],
        );
        assert.ok(((await stack.resource("no video")).initErrors ?? []).length > 0);
        assert.equal((await stack.resource("on its own")).outputs?.status, "Preparing");

        const targets = [await stack.resource("no video"), await stack.resource("too late")];
        await stack.destroy(...targets.flatMap(({ urn }) => ["--target", urn]));
        assert.equal(testbed.emulator.contents().length, 4);

        // Nor does a refresh make either look finished.
        testbed.emulator.setContentStatus(await id("on its own"), "Ready");
        await stack.program(program("2s"));
        const again = await stack.fails(["up", "--yes", "--skip-preview", "--refresh"]);
        assert.equal((await stack.resource("on its own")).outputs?.status, "Ready");
        const told = again.output.slice(again.output.indexOf("Diagnostics:"));
        assert.equal(told.split("has Failed: it will be replaced").length - 1, 1, told);

        fault.remove();
        await stack.program(program("60s"));
        testbed.emulator.clearRequests();
        const resumed = stack.start("up", "--yes", "--skip-preview");
        await testbed.emulator.waitForRequest(({ method, path }) => method === "GET" && path.endsWith(late), 300_000);
        testbed.emulator.setContentStatus(late, "Ready");
        assert.equal((await resumed.result).code, 0);
        assert.deepEqual(
            sentBy(testbed.emulator, "POST", "PUT").map(({ method }) => method),
            ["POST"],
        );
        assert.deepEqual([await id("good"), await id("late")], [good, late]);
        assert.notEqual(await id("failed"), broken);
        assert.deepEqual(
            testbed.emulator
                .contents()
                .map(({ title, status }) => `${title} ${status}`)
                .sort(),
            ["failed Ready", "good Ready", "late Ready", "on its own Ready"],
        );
        assert.equal((await stack.resource("late")).outputs?.status, "Ready");
    });
});
