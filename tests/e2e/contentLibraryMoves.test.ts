/** Moving contents into a library, and a library of an existing account: no video is made twice or lost. Back: handingOver.test.ts. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectCode, runIn } from "../cli/support.ts";
import { decided } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Moving to a ContentLibrary", () => {
    const testbed = useTestbed({ fetchSources: false });
    const keys = ["harbour", "ice"];
    const entry = (key: string, importId?: string) => ({
        title: key,
        ...(importId === undefined ? { content: [{ url: `https://media.example.com/${key}.mp4` }] } : { importId }),
    });
    /** By these ids, or with the sources. */
    const library = (ids: Record<string, string> = {}) => {
        const contents = Object.fromEntries(keys.map((key) => [key, entry(key, ids[key])]));
        return declare("ContentLibrary", "films", { contents });
    };
    const ids = () => Object.fromEntries(testbed.emulator.contents().map(({ title, contentId }) => [title, contentId]));

    it("takes the same videos, first by importId and then with their sources: neither a create nor a delete", async () => {
        const all = keys.map((key) => declare("Content", key, entry(key), "{ retainOnDelete: true }"));
        const stack = await testbed.stack(all.join(""));
        await stack.up();
        const before = ids();
        testbed.emulator.clearRequests();
        await stack.program(library(before));
        await decided(stack, Object.values(before).join(","));
        // Without importId, then with their sources as well.
        await stack.program(library(before).replaceAll(/,"importId":"[^"]+"/g, ""));
        await stack.up();
        await stack.program(library());
        await stack.up();
        assert.deepEqual(ids(), before);
        assert.deepEqual(sentBy(testbed.emulator, "POST", "DELETE"), []);
    });

    it("adopt --library: a program whose up adopts the account, with all its inputs", async () => {
        for (const title of ["Harbour", "Ice", "a/b::c"])
            testbed.emulator.addContent({ title, tags: ["archive"], metadata: [{ key: "season", value: "2" }] });
        const before = ids();
        const stack = await testbed.stack("");
        const adopted = await expectCode(0, runIn(stack, "adopt", "--library"));
        assert.match(adopted.stdout, /3 contents and 0 livestreams to adopt, 0 skipped\./);
        await rm(join(stack.folder, "index.js"));
        await writeFile(
            join(stack.folder, "index.ts"),
            await readFile(join(stack.folder, "videograph-adopted.ts"), "utf8"),
        );
        stack.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
        await stack.up();
        assert.deepEqual(ids(), before);
        // Each is read, and none is changed.
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT"), []);
    });
});
