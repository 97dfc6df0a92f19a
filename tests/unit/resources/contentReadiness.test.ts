/** What ContentReadiness says of contents that did not become Ready (A11, issue 13.7). */
import assert from "node:assert/strict";
import { Machine, type Made, type Process, urnOf } from "../../support/machine.ts";

describe("a ContentReadiness whose contents do not become Ready", () => {
    let machine: Machine;
    let process: Process;

    beforeEach(() => {
        machine = new Machine();
        process = machine.start();
    });

    const urn = urnOf("all", "ContentReadiness");
    const content = (status: string, reason?: string) => {
        const { contentId } = machine.core.addContent({ title: "a" });
        machine.core.setContentStatus(contentId, status, reason);
        return contentId;
    };
    const failure = async (contentIds: string[], limitMs?: number): Promise<Made & { failed: string }> => {
        const timeouts = limitMs === undefined ? {} : { create: limitMs };
        const { failed, ...made } = await process.create({ contentIds }, { urn, timeouts }, process.readiness);
        return { ...made, failed: failed ?? assert.fail("It did not fail") };
    };

    it("S3: shows of a URL in the service's words only its host: all else may be secret", async () => {
        for (const place of ["user:hunter2@media.example/t.mp4", "media.example/hunter2/t.mp4?k=hunter2"]) {
            const { failed } = await failure([content("Failed", `cannot fetch https://${place} (timeout)`)]);
            assert.match(failed, /: cannot fetch https:\/\/media\.example\[…\] \(timeout\)$/);
        }
        for (const url of [
            "https:\\/\\/media.example\\/hunter2\\/t.mp4",
            "https%3A%2F%2Fmedia.example%2Fhunter2%2Ft.mp4",
        ]) {
            const { failed, outputs } = await failure([content("Failed", `cannot fetch ${url} (timeout)`)]);
            assert.match(failed, /: \[not shown, because it may contain a secret: a URL or a key\]/);
            assert.doesNotMatch(failed + JSON.stringify(outputs), /hunter2/);
        }
        const { failed } = await failure([content("Failed", "https://media.example: timeout")]);
        assert.match(failed, /: https:\/\/media\.example: timeout/);
    });

    it("S3: shows no part of a source that this run knows, such as its path alone", async () => {
        const source = [{ url: "https://media.example/hunter2/t.mp4" }];
        const { id } = await process.create({ title: "a", content: source });
        // Another resource that only reads it.
        await machine.run(process.content.find({ urn: urnOf("shown"), timeouts: {}, id }));
        machine.core.setContentStatus(id, "Failed", "cannot read /hunter2/t.mp4 (object hunter2/t.mp4)");
        const { failed, outputs } = await failure([id]);
        assert.match(failed, /cannot read \[content\[0\]\.url\] \(object \[content\[0\]\.url\]\)/);
        assert.doesNotMatch(failed + JSON.stringify(outputs), /hunter2/);
    });

    it("W9: ends soon where an id is none, as the wait of a clip for such a source does; and a content that exists is waited for", async () => {
        machine.core.inject({ kind: "status", status: 400, method: "GET", path: "/contents/intro" });
        const begin = machine.clock.elapsed;
        assert.match((await failure(["intro", content("Ready")])).failed, /VG4009\]\n {2}- intro: .*HTTP 400/);
        assert.ok(machine.clock.elapsed - begin < 40_000);
        const inputs = { title: "Clip", contentId: "intro", startTime: 0, endTime: 5 };
        const made = process.create(inputs, { urn: urnOf("clip", "Clip") }, process.host("Clip"));
        await assert.rejects(made, /No clip was created.*HTTP 400.*VG4203/);
        assert.ok(machine.clock.elapsed - begin < 80_000);
        assert.equal(machine.files.size, 0);
    });

    it("names each on a line of its own, by its id and the resource that this run knows, and says what to do", async () => {
        const { id } = await process.create({ title: "a", content: [{ url: "https://media.example/t.mp4" }] });
        machine.core.setContentStatus(id, "Failed", "no video track.");
        const [silent, preparing, ready] = [content("Failed"), content("Preparing"), content("Ready")];
        const { failed } = await failure([id, silent, preparing, ready, "none"]);
        const [head = "", ...lines] = failed.split("\n");
        assert.match(head, /^4 of 5 .*Failed.*pulumi up --refresh.*\[VG4009\]$/);
        assert.deepEqual(lines.slice(0, 1), [`  - ${id} (one): no video track`]);
        const named = lines.map((line) => line.split(/[ :]+/)[2]);
        assert.deepEqual(named, [id, silent, preparing, "none"]);
        assert.match(lines.join(), /Preparing/);
    });

    it("ends in its time where contents are missing", async () => {
        await failure(["none"], 3_000);
        assert.ok(machine.clock.elapsed < 4_000, `${machine.clock.elapsed} ms`);
    });
});
