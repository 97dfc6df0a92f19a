/**
 * A video, and an entry of a library, that goes from one stack to another and back, as docs/guides/moving-stacks.md says, and one that goes
 * into a library. One that another stack has adopted before this one has released it (W14): unit/lifecycle/changedHands.test.ts.
 */
import assert from "node:assert/strict";
import { decided, objects, theOne } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A video that moves (S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    const content = [{ url: "https://media.example.com/a.mp4" }];
    const film = (title: string, more: object = {}) => ({
        title,
        ...(Object.hasOwn(more, "importId") ? {} : { content }),
        ...more,
    });
    const native = (program: string) => program.replaceAll("videograph.", "native.");
    const video = (title: string, more: object = {}, options = "{}") =>
        declare("Content", "film", film(title, more), options);
    const library = (keys: string[], more: object = {}, ids: Record<string, string> = {}) => {
        const entry = (key: string) => film(key, key in ids ? { importId: ids[key] } : {});
        const contents = Object.fromEntries(keys.map((key) => [key, entry(key)]));
        return declare("ContentLibrary", "films", { contents, ...more });
    };
    const retained = "{ retainOnDelete: true }";
    const up = async (stack: TestStack, ...declarations: string[]) => {
        await stack.program(declarations.join("\n"));
        return stack.up();
    };

    it("from one stack to another and back is the same one, also from a library and into one: neither created nor deleted", async () => {
        // Both stacks are called the same, and so are their resources.
        const [dynamic, other] = [await testbed.stack(""), await testbed.stack("")];
        await up(dynamic, video("single", {}, retained), library(["ice", "snow"]));
        const before = objects(testbed).sort();
        const [single, ice] = [theOne(testbed, "single"), theOne(testbed, "ice")];
        testbed.emulator.clearRequests();

        // Released by the one, the video and the entry are adopted by the other: as an entry of a library, and as a resource.
        const { output } = await up(dynamic, library(["snow"], { release: ["ice"] }));
        assert.match(output, /1 to release \(ice\)/);
        const imported = declare("Content", "film", film("ice"), `{ import: "${ice}" }`);
        await other.program(native(library(["sea", "single"], {}, { single }) + imported));
        await decided(other, `${single},${ice}`);

        // One of them goes back.
        await up(other, native(library(["sea"], { release: ["single"] })), native(imported));
        await dynamic.program(video("single", { importId: single }) + library(["snow"]));
        await decided(dynamic, single);
        const sea = theOne(testbed, "sea");
        assert.deepEqual([sentBy(testbed.emulator, "POST").length, sentBy(testbed.emulator, "DELETE")], [1, []]);
        assert.deepEqual(await requestsOf(testbed.emulator, () => dynamic.up("--expect-no-changes")), []);
        assert.deepEqual(objects(testbed).sort(), [...before, sea].sort());
    });

    it("into a library of its stack is the same one, first by importId and then with its source: neither created nor deleted", async () => {
        const keys = ["harbour", "ice"];
        const stack = await testbed.stack(keys.map((key) => declare("Content", key, film(key), retained)).join(""));
        await stack.up();
        const before = objects(testbed);
        testbed.emulator.clearRequests();
        const adopting = library(keys, {}, Object.fromEntries(keys.map((key) => [key, theOne(testbed, key)])));
        await stack.program(adopting);
        await decided(stack, before.join());
        // Without importId, then with their sources as well.
        for (const program of [adopting.replaceAll(/,"importId":"[^"]+"/g, ""), library(keys)]) {
            await stack.program(program);
            await stack.up();
        }
        assert.deepEqual(objects(testbed), before);
        assert.deepEqual(sentBy(testbed.emulator, "POST", "DELETE"), []);
    });
});
