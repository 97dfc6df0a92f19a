/** L5: the engine's resource options work as for any resource; several providers serve one program. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";

describe("Resource options (L5)", function () {
    this.timeout(180_000);
    const lab = useLab();
    const trailer = (more: object = {}, options?: string) =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: lab.media.video() }], ...more }, options);

    it("ignoreChanges leaves a changed input alone", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        const options = `{ ignoreChanges: ["title", "playbackPolicy"] }`;
        await stack.program(trailer({ title: "Ignored", playbackPolicy: ["signed"] }, options));
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    });

    it("replaceOnChanges replaces for what would change in place", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        const id = await stack.resourceId("trailer");
        await stack.program(trailer({ title: "Another" }, `{ replaceOnChanges: ["title"] }`));
        assert.deepEqual(await stack.planned(), ["replace trailer"]);
        await stack.up();
        assert.notEqual(await stack.resourceId("trailer"), id);
        assert.equal(lab.emulator.contents().length, 1);
    });

    it("protect refuses destroy and replacement; retainOnDelete leaves the object", async () => {
        const stack = await lab.stack(trailer({}, "{ protect: true }"));
        await stack.up();
        await stack.fails(["destroy", "--yes", "--skip-preview"], /protect/);
        await stack.program(trailer({ playbackPolicy: ["signed"] }, "{ protect: true }"));
        await stack.upFails(/protect/);
        await stack.program(trailer({}, "{ retainOnDelete: true }"));
        await stack.up();
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 1);
        assert.equal(sentBy(lab.emulator, "DELETE").length, 0);
    });

    it("deleteBeforeReplace deletes first, and otherwise the new one comes first", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        const order = async () =>
            (await requestsOf(lab.emulator, () => stack.up()))
                .map((request) => request.split(" ")[0])
                .filter((method) => method === "POST" || method === "DELETE");
        await stack.program(trailer({ playbackPolicy: ["signed"] }));
        assert.deepEqual(await order(), ["POST", "DELETE"]);
        await stack.program(trailer({ playbackPolicy: ["public"] }, "{ deleteBeforeReplace: true }"));
        assert.deepEqual(await order(), ["DELETE", "POST"]);
        assert.equal(lab.emulator.contents().length, 1);
    });

    it("parent takes components, with several children and nested ones, and rows of their own", async () => {
        const stack = await lab.stack(`
            class Show extends pulumi.ComponentResource {
                constructor(name, opts) {
                    super("example:index:Show", name, {}, opts);
                    const content = new videograph.Content(name + "-trailer", {
                        title: "Trailer",
                        content: [{ url: "${lab.media.video()}" }],
                    }, { parent: this });
                    for (const number of [1, 2]) {
                        new videograph.Livestream(name + "-stage-" + number, {
                            title: "Stage " + number,
                            region: "us-east-1",
                        }, { parent: number === 1 ? this : content });
                    }
                    if (name === "outer") new Show("inner", { parent: this });
                }
            }
            new Show("outer");`);
        const up = await stack.up();
        assert.match(up.output, /Content inner-trailer .*Ready/, "Progress is not on the row of the resource");
        assert.equal(lab.emulator.contents().length, 2);
        assert.equal(lab.emulator.livestreams().length, 4);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length + lab.emulator.livestreams().length, 0);
    });

    it("aliases and component parents keep the object", async () => {
        const stack = await lab.stack(
            trailer() + declare("Livestream", "stage", { title: "Stage", region: "us-east-1" }),
        );
        await stack.up();
        const ids = [await stack.resourceId("trailer"), await stack.resourceId("stage")];
        await stack.program(`
            class Show extends pulumi.ComponentResource {
                constructor(name) {
                    super("example:index:Show", name);
                    const moved = { parent: this, aliases: [{ parent: pulumi.rootStackResource }] };
                    new videograph.Content("trailer", {
                        title: "Trailer",
                        content: [{ url: "${lab.media.video()}" }],
                    }, moved);
                    new videograph.Livestream("main", { title: "Stage", region: "us-east-1" }, {
                        parent: this,
                        aliases: [{ name: "stage", parent: pulumi.rootStackResource }],
                    });
                }
            }
            new Show("show");`);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up()), []);
        assert.deepEqual([await stack.resourceId("trailer"), await stack.resourceId("main")], ids);
        assert.match((await stack.resource("trailer")).urn, /example:index:Show\$/);
        assert.deepEqual(await stack.planned(), []);
    });

    it("provider serves several environments in one program", async () => {
        lab.emulator.addToken({ id: "second", secret: "second-secret-key", environmentId: 2 });
        const stack = await lab.stack(`
            const provider = new videograph.Provider("second", {
                accessTokenId: "second",
                secretKey: "second-secret-key",
            });
            const args = { title: "Trailer", content: [{ url: "${lab.media.video()}" }] };
            exports.mine = new videograph.Content("mine", args).id;
            exports.theirs = new videograph.Content("theirs", args, { provider }).id;`);
        stack.secrets.push("second-secret-key");
        await stack.up();
        assert.equal(lab.emulator.contents(1)[0]?.contentId, await stack.resourceId("mine"));
        assert.equal(lab.emulator.contents(2)[0]?.contentId, await stack.resourceId("theirs"));
        await stack.refresh("--expect-no-changes");
        assert.deepEqual(await stack.planned(), []);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("previews of an update know the id, and dependents of it do not change", async () => {
        const program = (title: string) => `
            const trailer = new videograph.Content("trailer", {
                title: "${title}",
                content: [{ url: "${lab.media.video()}" }],
            });
            exports.stage = new videograph.Livestream("stage", {
                title: "Stage",
                region: "us-east-1",
                metadata: { trailer: trailer.contentId },
            }).id;`;
        const stack = await lab.stack(program("Before"));
        await stack.up();
        await stack.program(program("After"));
        assert.deepEqual(await stack.planned(), ["update trailer"]);
    });
});
