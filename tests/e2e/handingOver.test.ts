/**
 * A video, and an entry of a library, that goes from one stack to another and back, as docs/guides/moving-stacks.md says; and one that another
 * stack has adopted before this one has released it (W14).
 */
import assert from "node:assert/strict";
import { decided, objects, theOne } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A video that goes from one stack to another (S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    const content = [{ url: "https://media.example.com/a.mp4" }];
    const film = (title: string, more: object = {}) => ({
        title,
        ...(Object.hasOwn(more, "importId") ? {} : { content }),
        ...more,
    });
    const native = (program: string) => program.replaceAll("videograph.", "native.");
    const program = (...declarations: string[]) =>
        ['const native = require("pulumi-videograph/native");', ...declarations].join("\n");
    const video = (title: string, more: object = {}, options = "{}") =>
        declare("Content", "film", film(title, more), options);
    const library = (keys: string[], more: object = {}, ids: Record<string, string | undefined> = {}) => {
        const entry = (key: string) => film(key, key in ids ? { importId: ids[key] } : {});
        const contents = Object.fromEntries(keys.map((key) => [key, entry(key)]));
        return declare("ContentLibrary", "films", { contents, ...more });
    };
    const retained = "{ retainOnDelete: true }";
    const up = async (stack: TestStack, ...declarations: string[]) => {
        await stack.program(program(...declarations));
        return stack.up();
    };

    it("and back is the same one, also from a library and into one: neither created nor deleted", async () => {
        // Both stacks are called the same, and so are their resources.
        const [dynamic, other] = [await testbed.stack(""), await testbed.stack("")];
        await up(dynamic, video("single", {}, retained), library(["ice", "snow"]));
        const before = objects(testbed).sort();
        const [single, ice] = [theOne(testbed, "single"), theOne(testbed, "ice")];
        testbed.emulator.clearRequests();

        // Released by the one, the video and the entry are adopted by the other: as an entry of a library, and as a resource.
        const { output } = await up(dynamic, library(["snow"], { release: ["ice"] }));
        assert.match(output, /1 released \(ice\)/);
        const imported = declare("Content", "film", film("ice"), `{ import: "${ice}" }`);
        await other.program(program(native(library(["sea", "single"], {}, { single })), native(imported)));
        await decided(other, `${single},${ice}`);

        // One of them goes back.
        await up(other, native(library(["sea"], { release: ["single"] })), native(imported));
        await dynamic.program(program(video("single", { importId: single }), library(["snow"])));
        await decided(dynamic, single);
        const sea = theOne(testbed, "sea");
        assert.deepEqual([sentBy(testbed.emulator, "POST").length, sentBy(testbed.emulator, "DELETE")], [1, []]);
        assert.deepEqual(await requestsOf(testbed.emulator, () => dynamic.up("--expect-no-changes")), []);
        assert.deepEqual(objects(testbed).sort(), [...before, sea].sort());
    });

    it("is neither changed nor deleted by the stack that it has left without a release, which says who has it (W14)", async () => {
        // The stack that takes them has the dynamic types, and that which loses them the native ones.
        const [one, two] = [await testbed.stack("", "native"), await testbed.stack("")];
        const stage = (title: string, more: object = {}) =>
            declare("Livestream", "stage", { title, region: "us-east-1", ...more });
        await one.program(video("single") + stage("stage") + library(["ice", "snow"]));
        await one.up();
        const [single, live, ice] = ["single", "stage", "ice"].map((title) => theOne(testbed, title));
        const taken = objects(testbed)
            .filter((id) => id !== theOne(testbed, "snow"))
            .sort();
        const entry = library(["ice"], {}, { ice });
        await two.program(video("single", { importId: single }) + stage("stage", { importId: live }) + entry);
        await decided(two, taken.join(","));
        testbed.emulator.clearRequests();

        await one.program(video("2") + stage("2") + library(["ice", "snow"], { defaults: { tags: ["b"] } }));
        const { output } = await one.upOfAllFails(
            /Content \S+ is not changed.*VG6010/,
            /Livestream \S+ is not changed.*VG6010/,
            /ice: Content \S+ is not changed.*VG6010/,
        );
        for (const its of taken) assert.match(output, new RegExp(`VIDEOGRAPH_UNRECORDED=${its}`));
        const left = await one.destroy();
        for (const its of taken) assert.match(left.output, new RegExp(`${its} was not deleted.*VG6009`));
        assert.deepEqual(objects(testbed).sort(), taken);
        assert.equal(sentBy(testbed.emulator, "DELETE").length, 1);
    });
});
