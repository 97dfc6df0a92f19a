/** Content, beyond the standard set: readiness, failures, sources. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("Content", () => {
    const testbed = useTestbed();
    const content = (name: string, more: object = {}, options?: string) =>
        declare("Content", name, { title: name, content: [{ url: testbed.media.video() }], ...more }, options);

    const statuses = () =>
        testbed.emulator
            .contents()
            .map(({ title, status }) => `${title} ${status}`)
            .sort();

    it("is playable when up ends, and up tells while it waits (L1); its state is small (C1)", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const written = { title: "Trailer", content: [{ url: testbed.media.video() }] };
        const stack = await testbed.stack(`
            const trailer = new videograph.Content("trailer", ${JSON.stringify(written)});
            exports.url = trailer.playbackUrl;
            exports.id = trailer.contentId;
            exports.status = trailer.status;`);
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
        assert.ok(handler.length > 0 && Buffer.byteLength(handler) < 140, handler);
        const kept = JSON.stringify(inputs).length + JSON.stringify(outputs).length;
        // The engine keeps what was written twice: as inputs and as outputs.
        const beyond = kept - 2 * JSON.stringify(written).length;
        assert.ok(beyond <= 1024, `${beyond} bytes beyond what was written`);
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
        assert.deepEqual(statuses(), [
            "failed Failed",
            "good Ready",
            "late Preparing",
            "no video Failed",
            "on its own Preparing",
            "too late Preparing",
        ]);
        assert.ok(((await stack.resource("no video")).initErrors ?? []).length > 0);
        assert.equal((await stack.resource("on its own")).outputs?.status, "Preparing");

        const targets = [await stack.resource("no video"), await stack.resource("too late")];
        await stack.destroy(...targets.flatMap(({ urn }) => ["--target", urn]));
        assert.equal(testbed.emulator.contents().length, 4);

        // Nor does a refresh make either look finished.
        testbed.emulator.setContentStatus(await id("on its own"), "Ready");
        fault.remove();
        await stack.program(program("60s"));
        testbed.emulator.clearRequests();
        const resumed = stack.start("up", "--yes", "--skip-preview", "--refresh");
        const reads = () => sentBy(testbed.emulator, "GET").filter(({ path }) => path.endsWith(late));
        await waitFor("the wait after the refresh", () => reads().length > 1);
        testbed.emulator.setContentStatus(late, "Ready");
        const { code, output } = await resumed.result;
        assert.equal(code, 0);
        stack.checkForSecrets(output);
        const told = output.slice(output.indexOf("Diagnostics:"));
        assert.equal(told.split("has Failed: it will be replaced").length - 1, 1, told);
        assert.deepEqual(
            sentBy(testbed.emulator, "POST", "PUT").map(({ method }) => method),
            ["POST"],
        );
        assert.deepEqual([await id("good"), await id("late")], [good, late]);
        assert.notEqual(await id("failed"), broken);
        assert.deepEqual(statuses(), ["failed Ready", "good Ready", "late Ready", "on its own Ready"]);
        for (const name of ["late", "on its own"]) assert.equal((await stack.resource(name)).outputs?.status, "Ready");
    });
});
