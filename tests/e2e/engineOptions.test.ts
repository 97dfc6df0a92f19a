/** L5: the engine's resource options work as for any resource. Several providers: environments.test.ts. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Resource options (L5)", () => {
    const testbed = useTestbed();
    const content = (name: string, more: object = {}, options?: string) =>
        declare("Content", name, { title: name, content: [{ url: testbed.media.video() }], ...more }, options);
    const stage = (name: string) => `{ title: "${name}", region: "us-east-1" }`;

    it("work as for any resource: ignoreChanges, replaceOnChanges, protect, retainOnDelete, deleteBeforeReplace, aliases, parents, dependents", async () => {
        const dependent = `
            exports.after = new videograph.Livestream("after", {
                title: "After",
                region: "us-east-1",
                metadata: { known: exports.known },
            }).id;`;
        const component = `
            class Show extends pulumi.ComponentResource {
                constructor(name, opts) {
                    super("example:index:Show", name, {}, opts);
                    const args = { title: "Trailer", content: [{ url: "${testbed.media.video()}" }] };
                    const trailer = new videograph.Content(name + "-trailer", args, { parent: this });
                    new videograph.Livestream(name + "-stage-1", ${stage("1")}, { parent: this });
                    new videograph.Livestream(name + "-stage-2", ${stage("2")}, { parent: trailer });
                    if (name === "outer") new Show("inner", { parent: this });
                }
            }
            new Show("outer");`;
        const protect = "{ protect: true }";
        const stack = await testbed.stack(
            content("ignored") +
                content("forced") +
                content("protected", {}, protect) +
                content("retained") +
                content("first") +
                content("last") +
                content("moved") +
                declare("Livestream", "renamed", { title: "Renamed", region: "us-east-1" }) +
                content("known") +
                dependent +
                component,
        );
        const up = await stack.up();
        assert.match(up.output, /Content inner-trailer .*Ready/, "Progress is not on the row of the resource");
        const id = (name: string) => stack.resourceId(name);
        const [ignored, forced, first, last, moved, renamed, retained] = await Promise.all(
            ["ignored", "forced", "first", "last", "moved", "renamed", "retained"].map(id),
        );
        const count = () => testbed.emulator.contents().length + testbed.emulator.livestreams().length;
        const all = count();

        const { urn } = await stack.resource("protected");
        await stack.fails(["destroy", "--yes", "--skip-preview", "--target", urn], /protect/);
        await stack.program(content("protected", { playbackPolicy: ["signed"] }, protect));
        await stack.previewFails(/protect/);
        assert.equal(count(), all);

        await stack.program(
            content(
                "ignored",
                { title: "Ignored", playbackPolicy: ["signed"] },
                `{ ignoreChanges: ["title", "playbackPolicy"] }`,
            ) +
                content("forced", { title: "Another" }, `{ replaceOnChanges: ["title"] }`) +
                content("protected") +
                content("retained", {}, "{ retainOnDelete: true }") +
                content("first", { playbackPolicy: ["signed"] }, "{ deleteBeforeReplace: true }") +
                content("last", { playbackPolicy: ["signed"] }) +
                `class Home extends pulumi.ComponentResource {
                    constructor() {
                        super("example:index:Home", "home");
                        const args = { title: "moved", content: [{ url: "${testbed.media.video()}" }] };
                        const parent = pulumi.rootStackResource;
                        new videograph.Content("moved", args, { parent: this, aliases: [{ parent }] });
                        new videograph.Livestream("main", ${stage("Renamed")}, {
                            parent: this,
                            aliases: [{ name: "renamed", parent }],
                        });
                    }
                }
                new Home();` +
                content("known", { title: "Updated" }) +
                dependent +
                component,
        );
        const changes = (await stack.planned()).filter((step) => /^(update|replace|create|delete) /.test(step));
        assert.deepEqual(changes.sort(), [
            "create home",
            "replace first",
            "replace forced",
            "replace last",
            "update known",
        ]);
        testbed.emulator.clearRequests();
        await stack.up();
        const requests = sentBy(testbed.emulator, "POST", "DELETE").map(({ method, path, body }) =>
            method === "POST" ? `POST ${(body as { title: string }).title}` : `DELETE ${path.split("/").at(-1)}`,
        );
        const order = (...wanted: string[]) => requests.filter((request) => wanted.includes(request));
        assert.deepEqual(order("POST first", `DELETE ${first}`), [`DELETE ${first}`, "POST first"]);
        assert.deepEqual(order("POST last", `DELETE ${last}`), ["POST last", `DELETE ${last}`]);
        assert.deepEqual(order("POST Another", `DELETE ${forced}`), ["POST Another", `DELETE ${forced}`]);
        assert.equal(requests.length, 6);
        assert.equal(sentBy(testbed.emulator, "PUT").length, 1);
        assert.equal(count(), all);
        assert.deepEqual([await id("ignored"), await id("moved"), await id("main")], [ignored, moved, renamed]);
        assert.match((await stack.resource("moved")).urn, /example:index:Home\$/);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

        await stack.destroy();
        assert.deepEqual(
            testbed.emulator.contents().map(({ contentId }) => contentId),
            [retained],
        );
        assert.equal(testbed.emulator.livestreams().length, 0);
    });

    it("do not break update plans, in both faces, with a content and a library", async () => {
        const program = (title: string, more: object = {}) => {
            const film = JSON.stringify({ title, content: [{ url: testbed.media.video() }], ...more });
            const both = ["videograph", "native"].map(
                (face) => `new ${face}.Content("${face}-film", ${film});
                    new ${face}.ContentLibrary("${face}-films", { contents: { first: ${film} } });`,
            );
            return `const native = require("pulumi-videograph/native");\n${both.join("\n")}`;
        };
        const stack = await testbed.stack("");
        stack.env.PULUMI_EXPERIMENTAL = "true";
        const planned = ["up", "--yes", "--plan=plan.json"];
        for (const [title, more] of [["One"], ["Two", { playbackPolicy: ["signed"] }]] as const) {
            await stack.program(program(title, more));
            await stack.run("preview", "--save-plan=plan.json");
            await stack.run(...planned);
        }
        await stack.run("preview", "--save-plan=plan.json");
        await stack.program(program("Three"));
        await stack.fails(planned, /violates plan/);
    });

    for (const face of ["dynamic", "native"] as const)
        it(`delete the object of a resource that an alias has renamed: replaced before or after, with a refresh, in a library (${face})`, async () => {
            const entry = (title: string) => ({ title, content: [{ url: testbed.media.video() }] });
            const library = (name: string, title: string, options?: string) =>
                declare("ContentLibrary", name, { contents: { a: entry(title) } }, options);
            const old = content("old") + content("left") + library("films", "One");
            const replaced = '{ aliases: [{ name: "old" }], deleteBeforeReplace: true, replaceOnChanges: ["title"] }';
            const renamed = '{ aliases: [{ name: "left" }] }';
            const more = '{ aliases: [{ name: "films" }], deleteBeforeReplace: true, replaceOnChanges: ["contents"] }';
            const ids = () => testbed.emulator.contents().map(({ contentId }) => contentId);
            const stack = await testbed.stack(old, face);
            await stack.up();
            // The package asks for an update, and the engine makes it a replacement.
            const program = (title: string) => content("new", { title }, replaced) + library("movies", title, more);
            await stack.program(program("Two") + content("kept", { title: "left" }, renamed));
            await stack.up();
            assert.equal(ids().length, 3);
            await stack.program(program("Two"));
            await stack.up("--refresh");
            assert.equal(ids().length, 2);
            const signed = { title: "Two", playbackPolicy: ["signed"] };
            await stack.program(content("newer", signed, '{ aliases: [{ name: "new" }], deleteBeforeReplace: true }'));
            await stack.up();
            assert.deepEqual(ids(), [await stack.resourceId("newer")]);
            await stack.program(content("newer", { title: "Two" }, "{ deleteBeforeReplace: true }"));
            await stack.up();
            assert.deepEqual(ids(), [await stack.resourceId("newer")]);
            await stack.program(content("newest", { title: "Two" }, '{ aliases: [{ name: "newer" }] }'));
            await stack.up();
            await stack.destroy("--refresh");
            assert.deepEqual(ids(), []);
        });
});
