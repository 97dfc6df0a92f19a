/**
 * L5: the engine's resource options work as for any resource. ignoreChanges: untouched.test.ts; retainOnDelete: lawReleased.test.ts; those
 * that a page explains: optionsPage.test.ts; several providers: environments.test.ts.
 */
import assert from "node:assert/strict";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Resource options (L5)", () => {
    const testbed = useTestbed();

    it("delete the object of a resource that an alias has renamed: replaced before or after, with a refresh, in a library, and keep that of one that a component has now, in both faces", async () => {
        const film = (name: string, title: string, { signed = false, options = "" } = {}) => {
            const more = signed ? ', playbackPolicy: ["signed"]' : "";
            return `new videograph.Content(prefix + "${name}", { title: "${title}", content${more} }, { ${options} });\n`;
        };
        const library = (name: string, title: string, options = "") =>
            `new videograph.ContentLibrary(prefix + "${name}", { contents: { a: { title: "${title}", content } } }, { ${options} });\n`;
        const program = (...all: string[]) => `
            const home = new pulumi.ComponentResource("example:index:Home", "home");
            const content = [{ url: "${testbed.media.video()}" }];
            for (const [prefix, videograph] of [["", dynamic], ["native-", native]]) {
                ${all.join("")}
            }`;
        const renamed = (from: string, more = "") => `aliases: [{ name: prefix + "${from}" }]${more}`;
        const before = ", deleteBeforeReplace: true";
        const ids = () => testbed.emulator.contents().map(({ contentId }) => contentId);
        const stack = await testbed.stack(
            program(film("old", "One"), film("left", "One"), film("unsigned", "One"), library("films", "One")),
        );
        await stack.up();
        const first = ids();
        assert.equal(first.length, 8);
        const kept = film("kept", "One", {
            options: 'parent: home, aliases: [{ name: prefix + "left", parent: pulumi.rootStackResource }]',
        });
        // The package asks for an update of the first and of the library, and the engine makes them replacements.
        const rest = (options: (from: string) => string) => [
            film("new", "Two", { options: `${options("old")}, replaceOnChanges: ["title"]` }),
            library("movies", "Two", `${options("films")}, replaceOnChanges: ["contents"]`),
        ];
        const signed = film("signed", "One", { signed: true, options: renamed("unsigned", before) });
        await stack.program(program(...rest((from) => renamed(from, before)), signed, kept));
        testbed.emulator.clearRequests();
        await stack.up();
        let deleted = 0;
        for (const { method } of sentBy(testbed.emulator, "POST", "DELETE")) {
            deleted += method === "DELETE" ? 1 : -1;
            assert.ok(deleted >= 0, "A new one was created before the old one was deleted");
        }
        assert.equal(ids().length, 8);
        assert.equal(ids().filter((id) => first.includes(id)).length, 2);

        // The alias is still there when the one is deleted; it is gone when the other is replaced once more.
        const again = film("signed", "One", { options: "deleteBeforeReplace: true" });
        await stack.program(program(...rest((from) => renamed(from)), again));
        await stack.up("--refresh");
        assert.equal(ids().length, 6);
        assert.ok(ids().every((id) => !first.includes(id)));
        const contents = Object.values(await stack.ids()).filter((id) => ids().includes(id ?? ""));
        assert.equal(contents.length, 4);
    });
});
