/** L5: the engine's resource options work as for any resource. Several providers: environments.test.ts. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Resource options (L5)", () => {
    const testbed = useTestbed();
    const content = (name: string, more: object = {}, options?: string) =>
        declare("Content", name, { title: name, content: [{ url: testbed.media.video() }], ...more }, options);
    const stage = (name: string) => `{ title: "${name}", region: "us-east-1" }`;

    it("work as for any resource: ignoreChanges, replaceOnChanges, retainOnDelete, deleteBeforeReplace, aliases, parents, dependents", async () => {
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
        const stack = await testbed.stack(
            content("ignored") +
                content("forced") +
                content("retained", {}, "{ retainOnDelete: true }") +
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

        await stack.program(
            content(
                "ignored",
                { title: "Ignored", playbackPolicy: ["signed"] },
                `{ ignoreChanges: ["title", "playbackPolicy"] }`,
            ) +
                content("forced", { title: "Another" }, `{ replaceOnChanges: ["title"] }`) +
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
        assert.ok(!(await stack.resources()).some(({ id }) => id === retained));
    });

    it("delete the object of a resource that an alias has renamed: replaced before or after, with a refresh, in a library, in both faces", async () => {
        const film = (name: string, title: string, { signed = false, options = "" } = {}) => {
            const more = signed ? ', playbackPolicy: ["signed"]' : "";
            return `new videograph.Content("${name}", { title: "${title}", content${more} }, { ${options} });\n`;
        };
        const library = (name: string, title: string, options = "") =>
            `new videograph.ContentLibrary("${name}", { contents: { a: { title: "${title}", content } } }, { ${options} });\n`;
        const program = (...all: string[]) => {
            const its = all.join("");
            const natives = its
                .replaceAll("videograph.", "native.")
                .replaceAll(/(Content|Library|name:) ?\(?"/g, "$&native-");
            return `const native = require("pulumi-videograph/native");
                const content = [{ url: "${testbed.media.video()}" }];\n${its}${natives}`;
        };
        const renamed = (from: string, more = "") => `aliases: [{ name: "${from}" }]${more}`;
        const before = ", deleteBeforeReplace: true";
        const ids = () => testbed.emulator.contents().map(({ contentId }) => contentId);
        const recorded = async () => (await stack.resources()).map(({ id }) => id);
        const stack = await testbed.stack(
            program(film("old", "One"), film("left", "One"), film("unsigned", "One"), library("films", "One")),
        );
        await stack.up();
        const first = ids();
        assert.equal(first.length, 8);
        const kept = film("kept", "One", { options: renamed("left") });
        // The package asks for an update of the first and of the library, and the engine makes them replacements.
        const rest = (options: (from: string) => string) => [
            film("new", "Two", { options: `${options("old")}, replaceOnChanges: ["title"]` }),
            library("movies", "Two", `${options("films")}, replaceOnChanges: ["contents"]`),
        ];
        const signed = film("signed", "One", { signed: true, options: renamed("unsigned", before) });
        await stack.program(program(...rest((from) => renamed(from, before)), signed, kept));
        await stack.up();
        assert.equal(ids().length, 8);
        assert.equal(ids().filter((id) => first.includes(id)).length, 2);

        // The alias is still there when the one is deleted; it is gone when the other is replaced once more.
        const again = film("signed", "One", { options: "deleteBeforeReplace: true" });
        await stack.program(program(...rest((from) => renamed(from)), again));
        await stack.up("--refresh");
        assert.equal(ids().length, 6);
        assert.ok(ids().every((id) => !first.includes(id)));
        const contents = (await recorded()).filter((id) => ids().includes(id ?? ""));
        assert.equal(contents.length, 4);
    });
});
