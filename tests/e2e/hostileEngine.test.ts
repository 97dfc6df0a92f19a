/**
 * S1 where the engine forgets or repeats what it did: `PULUMI_SKIP_CHECKPOINTS`, and an `onError` hook that retries.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { decided, holds, journalOf, killed, objects, refused, theOne } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { Face } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An engine that forgets or repeats (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const video = (name: string, more = {}) => declare("Content", name, { title: "One", content: source, ...more });
    const stream = (name: string) => declare("Livestream", name, { title: "One", region: "us-east-1" });
    const posts = () => sentBy(testbed.emulator, "POST").filter(({ accepted }) => accepted).length;
    /** Somebody else's, with our title. */
    let theirs: string[];
    beforeEach(() => {
        testbed.emulator.addContent({ title: "One" });
        testbed.emulator.addLivestream({ title: "One" });
        theirs = objects(testbed);
    });
    const ours = () => objects(testbed).filter((id) => !theirs.includes(id));

    it("where a killed run wrote nothing down (PULUMI_SKIP_CHECKPOINTS), the user decides", async () => {
        const stack = await testbed.stack(video("video"));
        await stack.up();
        const before = ours();
        stack.env.PULUMI_SKIP_CHECKPOINTS = "true";
        await stack.program(video("video") + video("a") + stream("b") + video("stuck", { title: "Stuck" }));
        testbed.emulator.inject({ kind: "processing", stuck: true, title: "Stuck" });
        testbed.emulator.clearRequests();
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("two answers", async () => (await journalOf(stack)).join().split('"birth":""').length >= 3);
        await killed(stack, up);
        testbed.emulator.clearFaults();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        const forgotten = ours().filter((id) => ![...before, theOne(testbed, "Stuck")].includes(id));
        assert.equal(forgotten.length, 2);
        await refused(stack, ...forgotten);
        await decided(stack, forgotten.join());
        assert.equal(posts(), 3);
        await holds(testbed, stack, ours(), theirs);
    });

    for (const face of ["dynamic", "native"] as const)
        it(`${face}: an onError hook that retries goes on with the object of the first try, also where the answer is lost and it gives up`, () =>
            retried(face));

    async function retried(face: Face) {
        const stack = await testbed.stack(
            `
            let left = 1;
            const hook = (name, decide) => ({ hooks: { onError: [new pulumi.ErrorHook(name, decide)] } });
            const again = hook("again", async () => true);
            const once = hook("once", async () => left-- > 0);
            const dependsOn = [
                new videograph.Content("video", { title: "One", content: [{ url: "${source[0]?.url}" }] }, again),
                new videograph.Livestream("stream", { title: "One", region: "us-east-1" }, again),
            ];
            new videograph.Livestream("lost", { title: "Lost", region: "us-east-1" }, { ...once, dependsOn });`,
            face,
        );
        testbed.emulator.setVariants({ createData: "terse" });
        const refused = { kind: "status", status: 403, method: "GET" } as const;
        // The wait for Ready, the first read of the livestream, and all looks for the lost one.
        testbed.emulator.inject({ ...refused, path: "/contents/*", times: 2 });
        testbed.emulator.inject({ ...refused, path: "/livestreams/*", times: 1 });
        testbed.emulator.inject({ ...refused, path: "/livestreams", where: () => posts() === 3 });
        testbed.emulator.inject({
            kind: "status",
            status: 502,
            method: "POST",
            title: "Lost",
            when: "after",
            times: 1,
        });
        const first = await stack.upInline();
        assert.notEqual(first.code, 0);
        for (const name of ["video", "stream", "lost"])
            assert.match(first.output, new RegExp(`${name} creating .*retrying create due to on-error hook request`));
        // The lost one has the row of a create in doubt: newer engines ask for an update of it, which never succeeds.
        const ids = (await stack.resources()).map(({ id = "" }) => id);
        assert.equal(ids.length, 3);
        assert.equal(ids.filter((id) => id.startsWith("unconfirmed-")).length, 1);
        const created = ours();
        assert.equal(created.length, 3);
        testbed.emulator.clearFaults();
        const second = await stack.upInline();
        assert.equal(second.code, 0, second.output);
        testbed.emulator.setVariants({ createData: "object" });
        assert.deepEqual(ours(), created);
        assert.equal(posts(), 3);
        await holds(testbed, stack, ours(), theirs);
    }
});
