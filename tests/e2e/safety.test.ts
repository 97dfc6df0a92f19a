/** S1, S2, S4 and S6 through the CLI: exactly one object, nothing that exists is dropped, odd answers are absorbed. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { waitFor } from "../support/waitFor.ts";

describe("Exactly one object per resource (S1)", function () {
    this.timeout(180_000);
    const lab = useLab({ variants: { listMetadata: false } });
    it("when two resources are alike in everything", async () => {
        const same = { title: "Same", content: [{ url: lab.media.video() }] };
        const stack = await lab.stack(declare("Content", "one", same) + declare("Content", "two", same));
        lab.emulator.inject({ kind: "reset", when: "after", method: "POST", times: 2 });
        await stack.up();
        const ids = [await stack.resourceId("one"), await stack.resourceId("two")].sort();
        assert.deepEqual(
            lab.emulator
                .contents()
                .map(({ contentId }) => contentId)
                .sort(),
            ids,
        );
        assert.notEqual(ids[0], ids[1]);
        assert.doesNotMatch(JSON.stringify((await stack.resource("one")).outputs), /managed_by/);
    });

    it("when a replacement's answer is lost, and the old one goes", async () => {
        const policy = (playbackPolicy: string[]) =>
            declare("Content", "trailer", { title: "Trailer", content: [{ url: lab.media.video() }], playbackPolicy });
        const stack = await lab.stack(policy(["public"]));
        await stack.up();
        const id = await stack.resourceId("trailer");
        lab.emulator.inject({ kind: "reset", when: "after", method: "POST", times: 1 });
        await stack.program(policy(["signed"]));
        await stack.up();
        assert.deepEqual(
            lab.emulator.contents().map(({ contentId }) => contentId),
            [await stack.resourceId("trailer")],
        );
        assert.notEqual(await stack.resourceId("trailer"), id);
    });
});

describe("What exists is never dropped (S2)", function () {
    this.timeout(180_000);
    const lab = useLab();
    const program = () =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: lab.media.video() }] }) +
        declare("Livestream", "stage", { title: "Stage", region: "us-east-1" });
    const otherToken = { VIDEOGRAPH_ACCESS_TOKEN_ID: "other-token", VIDEOGRAPH_SECRET_KEY: "other-secret-key-31" };

    async function deployed() {
        const stack = await lab.stack(program());
        await stack.up();
        return { stack, ids: [await stack.resourceId("trailer"), await stack.resourceId("stage")] };
    }

    it("by the token of another environment, which answers 404 for everything", async () => {
        const { stack, ids } = await deployed();
        lab.emulator.addToken({ id: "other-token", secret: "other-secret-key-31", environmentId: 2 });
        stack.secrets.push("other-secret-key-31");
        Object.assign(stack.env, otherToken);
        await stack.fails(["refresh", "--yes", "--skip-preview"], /VIDEOGRAPH_TRUST_NOT_FOUND/);
        await stack.fails(["destroy", "--yes", "--skip-preview"], /VIDEOGRAPH_TRUST_NOT_FOUND/);
        await stack.program(program().replace("Trailer", "Another title"));
        await stack.upFails(/VIDEOGRAPH_TRUST_NOT_FOUND/);
        assert.deepEqual([await stack.resourceId("trailer"), await stack.resourceId("stage")], ids);

        Object.assign(stack.env, lab.emulator.env);
        await stack.up();
        assert.equal(sentBy(lab.emulator, "POST").length, 2);
        assert.equal(lab.emulator.contents(2).length + lab.emulator.livestreams(2).length, 0);
    });

    it("but goes when the user says that it is gone", async () => {
        const { stack } = await deployed();
        lab.emulator.addToken({ id: "other-token", secret: "other-secret-key-31", environmentId: 2 });
        Object.assign(stack.env, otherToken, { VIDEOGRAPH_TRUST_NOT_FOUND: "true" });
        await stack.refresh();
        assert.deepEqual(await stack.resources(), []);
    });

    it("and a rotated token of the same environment sees what is gone and what is not", async () => {
        const { stack, ids } = await deployed();
        lab.emulator.addToken({ id: "other-token", secret: "other-secret-key-31", environmentId: 1 });
        Object.assign(stack.env, otherToken);
        lab.emulator.deleteContent(ids[0] ?? "");
        await stack.refresh();
        assert.deepEqual(
            (await stack.resources()).map(({ id }) => id),
            [ids[1]],
        );
        await stack.up();
        assert.equal(lab.emulator.contents().length, 1);
    });
});

describe("What is not visible yet is not dropped (S2)", function () {
    this.timeout(180_000);
    const lab = useLab({ variants: { visibleAfterMs: 6_000 } });

    it("by a refresh or a destroy right after the create", async () => {
        const video = { title: "Trailer", content: [{ url: lab.media.video() }], waitForReady: false };
        const program = (name: string) => declare("Content", name, video);
        const stack = await lab.stack(program("one"));
        await stack.up();
        const id = await stack.resourceId("one");
        await stack.run("refresh", "--yes", "--skip-preview");
        assert.equal(await stack.resourceId("one"), id);

        await stack.program(program("one") + program("two"));
        await stack.up();
        await stack.run("destroy", "--yes", "--skip-preview");
        assert.deepEqual(lab.emulator.contents(), []);
    });
});

describe("An unsteady service (S4, S6)", function () {
    this.timeout(180_000);
    const lab = useLab({
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
        },
    });
    const program = (title: string) =>
        declare("Content", "trailer", { title, content: [{ url: lab.media.video() }] }) +
        declare("Livestream", "stage", { title, region: "us-east-1" });

    /** This service answers 404 for a livestream whose deletion still goes on. */
    const nothingLeft = () =>
        waitFor(
            "the service to be empty",
            () => lab.emulator.contents().length + lab.emulator.livestreams().length === 0,
        );

    it("that spells everything the other way makes no difference", async () => {
        const stack = await lab.stack(program("Before"));
        await stack.up();
        assert.ok((await stack.resource("trailer")).outputs?.thumbnailUrl);
        assert.ok((await stack.resource("trailer")).outputs?.createdOn);
        assert.ok((await stack.resource("stage")).outputs?.rtmpUrl);
        assert.ok((await stack.resource("stage")).outputs?.createdOn);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        await stack.refresh("--expect-no-changes");
        await stack.program(program("After"));
        await stack.up();
        await stack.refresh("--expect-no-changes");
        await stack.destroy();
        await nothingLeft();
    });

    it("that is throttled and broken at times is waited for", async () => {
        for (const method of ["POST", "GET", "PUT", "DELETE"]) {
            lab.emulator.inject({ kind: "status", status: 429, retryAfter: 1, method, times: 1 });
        }
        for (const method of ["GET", "PUT", "DELETE"]) {
            lab.emulator.inject({ kind: "status", status: 503, body: "html", method, after: 1, times: 1 });
            lab.emulator.inject({ kind: "reset", method, after: 2, times: 1 });
        }
        const stack = await lab.stack(program("Before"));
        await stack.up();
        await stack.program(program("After"));
        await stack.up();
        assert.equal(lab.emulator.contents()[0]?.title, "After");
        await stack.destroy();
        await nothingLeft();
    });
});
