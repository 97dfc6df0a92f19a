/** The ways out that messages about whose an object is name: each is run as it is printed. The table of all: tests/docs/advised.test.ts. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { advised, obey, withVariables } from "../support/advised.ts";
import { killedUp, objects, theOne, video } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { stateFile } from "../support/projectFolder.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const content = [{ url: "https://media.example.com/a.mp4" }];

const aliasIn = (printed: string) => /`(aliases: [^`]+)`/.exec(printed)?.[1] ?? assert.fail(printed);

describe("The ways out, run as they are printed", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5, onLinux: true });
    const library = (keys: readonly string[]) => {
        const contents = Object.fromEntries(keys.map((title) => [title, { title, content }]));
        return declare("ContentLibrary", "films", { contents });
    };

    // In both faces: lawYear.test.ts, which takes the words for all, too.
    it("of a library whose update was killed with its machine: one word for all adopts them, one leaves them alone (VG3036, VG3037)", async () => {
        const keys = ["harbour", "ice", "snow"];
        const stack = await testbed.stack(library(["first"]), "native");
        await stack.up();
        await stack.program(library(["first", ...keys]));
        for (const title of keys) testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", title });
        await killedUp(testbed, stack, keys.length);
        const made = objects(testbed).toSorted();
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "another-machine");
        const { output } = await stack.upFails(/VG3017/);
        assert.deepEqual(objects(testbed).toSorted(), made);
        const [[adopt = ""], [leave = ""]] = [advised(output, "VG3036"), advised(output, "VG3037")];
        const state = await stack.stateText();
        for (const [word, more] of [
            [adopt, 0],
            [leave, keys.length],
        ] as const) {
            // Once more as after the refusal.
            await stack.write(stateFile, state);
            const requests = await requestsOf(testbed.emulator, () => obey(stack, word));
            assert.ok(requests.length <= 5 * (keys.length + 1), requests.join());
            assert.equal(objects(testbed).length, made.length + more);
        }
        assert.deepEqual(sentBy(testbed.emulator, "DELETE"), []);
        await stack.up("--expect-no-changes");
    });

    it("of an object that another stack has, and another name of this one (VG6004): its record moves, and nothing is sent but its title", async () => {
        const inside = (title: string) => `
            const hall = new pulumi.ComponentResource("shop:index:Hall", "hall");
            ${declare("Content", "film", { title, content }, "{ parent: hall }")}`;
        const staging = await testbed.stack(inside("film"));
        const other = await testbed.stack("", "native");
        other.env.PULUMI_BACKEND_URL = staging.environment.PULUMI_BACKEND_URL;
        await other.rename("e2e", "production");
        const file = join(staging.folder, "state", ".pulumi", "stacks", "e2e", "production.json");
        other.sharedState = () => readFile(file, "utf8");
        await staging.up();
        await other.up();
        const importId = theOne(testbed, "film");
        const adopting = (name: string, id = importId) =>
            declare("Content", name, { title: "film", content }, `{ import: "${id}" }`);
        const taking = (name: string, aliases: string, title = "film") =>
            declare("Content", name, { title, content }, `{ ${aliases} }`);

        const free = testbed.emulator.addContent({ title: "film" }).contentId;
        await other.program(declare("Content", "free", { title: "film", importId: free }));
        const [bring = ""] = advised((await other.previewFails()).output, "VG8004");
        await obey(other, `${bring} videograph:index:Content free ${free} --yes --generate-code=false --protect=false`);
        assert.deepEqual(await other.ids(), { free });
        await other.run("state", "delete", (await other.resource("free")).urn, "--yes");
        testbed.emulator.deleteContent(free);

        await other.program(adopting("movie"));
        const { output } = await other.upFails(/VG6004/);
        const [move = "", urns = ""] = advised(output, "VG6004");
        const [, urn = ""] = /(urn:\S+Content::film)/.exec(await obey(other, urns)) ?? [];
        await obey(other, `${move.replace("<urn>", urn)} --yes`);
        await staging.program("");
        await staging.up();
        const here = /(urn:\S+Content::film)/.exec((await other.run("stack", "--show-urns")).output)?.[1] ?? "";
        const movie = taking("movie", aliasIn(output).replace("<urn>", here));
        await other.program(movie + declare("Content", "kept", { title: "kept", content }));
        await other.up();
        assert.equal(await other.resourceId("movie"), importId);

        // Under the same parents of the same stack, the name is enough.
        const kept = theOne(testbed, "kept");
        await other.program(movie + adopting("picture", kept));
        const { output: named } = await other.upFails(/VG6004/);
        await other.program(movie + taking("picture", aliasIn(named), "kept"));
        await other.up();
        assert.equal(await other.resourceId("picture"), kept);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
    });

    it("of an object that a library adopts from a resource that has released it (VG6004), and that its old owner changes still (VG6010)", async () => {
        const kept = "{ retainOnDelete: true }";
        const stack = await testbed.stack(video("film", {}, kept));
        const old = await testbed.stack("");
        await stack.up();
        const importId = theOne(testbed, "film");
        const state = await stack.stateText();
        await stack.program(declare("ContentLibrary", "films", { contents: { film: { title: "film", importId } } }));
        const { output } = await stack.upFails(/VG6004/);
        assert.doesNotMatch(output, /state move|aliases/);
        const [word = ""] = advised(output, "VG6004");
        const [name = "", value = ""] = word.split("=");
        await withVariables(stack, { [name]: value }, () => stack.up());
        assert.deepEqual([objects(testbed), sentBy(testbed.emulator, "DELETE")], [[importId], []]);

        // A copy of the state that has it still.
        await old.write(stateFile, state);
        await old.program(video("film", { title: "film", description: "theirs" }, kept));
        const refused = await old.upFails(/VG6010/);
        const [back = ""] = advised(refused.output, "VG6010");
        const [, id = ""] = back.split("=");
        await withVariables(old, { VIDEOGRAPH_UNRECORDED: id }, () => old.up());
        assert.equal(testbed.emulator.content(importId)?.description, "theirs");
    });
});
