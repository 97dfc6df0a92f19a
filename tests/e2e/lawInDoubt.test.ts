/**
 * S1: a create that ends in doubt stays in the state, so that any machine goes on with it: the unconfirmed record. (W1) By an up:
 * cancelledJob.test.ts; by a destroy: unit/create/law.test.ts.
 */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { objects, source, theOne, unanswered } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A create that ends in doubt (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 10 });
    const posts = () => sentBy(testbed.emulator, "POST").length;

    it("is in the state of both faces and of libraries: a refresh on another machine finds every object, also a protected one, which no up can replace (W1)", async () => {
        // The record of a protected one cannot be replaced by its object.
        const stack = await testbed.stack(`
            const content = ${JSON.stringify(source("a"))};
            for (const [face, { Content, Livestream, ContentLibrary }] of Object.entries({ dynamic, native })) {
                new Content(face + "-film", { title: face + " film", content }, { protect: true });
                new Livestream(face + "-stage", { title: face + " stage", region: "us-east-1" });
                const contents = { one: { title: face + " one", content } };
                new ContentLibrary(face + "-films", { contents }, { protect: true });
            }`);
        const journal = join(stack.folder, "journal");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal;
        // The answers are lost, and the lists cannot be read afterwards; the machine is lost as well.
        testbed.emulator.inject(unanswered);
        const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "20", "--continue-on-error");
        await waitFor("the creates", () => posts() >= 6);
        for (const path of ["/contents", "/livestreams"])
            testbed.emulator.inject({ kind: "status", status: 503, method: "GET", path });
        const { code, output: doubt } = await up.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(doubt);
        assert.match(doubt, /on any machine: it searches before it creates.*VG3002/);
        testbed.emulator.clearFaults();
        testbed.emulator.clearRequests();
        await rm(journal, { recursive: true, force: true });

        const { output } = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error");
        assert.match(output, /VG3027/);
        assert.match(output, /pulumi refresh/);
        // An entry of a library is in the record of the library.
        const rows = async () => (await stack.resources()).filter(({ id }) => id?.startsWith("unconfirmed-")).length;
        assert.equal(await rows(), 4);
        await stack.refresh();
        assert.equal(await rows(), 0);
        await stack.up();
        assert.deepEqual([posts(), sentBy(testbed.emulator, "DELETE").length, objects(testbed).length], [0, 0, 6]);
        const ids = (await stack.resources()).map(({ id }) => id);
        for (const title of ["dynamic film", "dynamic stage", "native film", "native stage"])
            assert.ok(ids.includes(theOne(testbed, title)), title);
    });
});
