/** S9: what a stack has released, moved or handed over is somebody else's, whatever this machine remembers of it. (K1, K2, K3, K18) */
import assert from "node:assert/strict";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
    command,
    decided,
    holds,
    journalOf,
    killed,
    objects,
    settled,
    source,
    theOne,
    titled,
    video,
} from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

const retained = "{ retainOnDelete: true }";

describe("What a stack does not have any more (S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    const deletes = () => sentBy(testbed.emulator, "DELETE");

    /** A stack whose first run, beside this content, has one that Fails: so the run has not ended well. */
    async function firstRun(stack: TestStack, declaration: string): Promise<string> {
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "failing", times: 1 });
        await stack.program(`${declaration}${video("failing")}`);
        await stack.upOfAllFails(/no video/);
        return theOne(testbed, "film");
    }

    it("a retained object is nobody's: neither deleted for another one of its name, nor claimed by its own declaration (K1, K18, W13); the user takes it over by importId", async () => {
        const stack = await testbed.stack("");
        const film = await firstRun(stack, video("film", {}, retained));
        await stack.program("");
        await stack.up();
        assert.deepEqual(objects(testbed), [film]);
        // The same declaration again (K18), and then another source (K1).
        await stack.program(video("film"));
        await stack.up();
        await holds(testbed, stack, [await stack.resourceId("film")], [film]);
        await stack.program(video("film", { content: source("b") }));
        await stack.up();
        const second = await stack.resourceId("film");
        await holds(testbed, stack, [second], [film]);

        const taken = video("taken", { title: "film", importId: film });
        await stack.program(video("film", { content: source("b") }) + taken);
        await stack.upOfAllFails(new RegExp(`VIDEOGRAPH_UNRECORDED=${film} .*VG6004`));
        await decided(stack, film);
        await settled(testbed, stack, [second, film]);
        await stack.destroy();
        assert.deepEqual(objects(testbed), []);
    });

    it("a moved object is neither adopted nor deleted by the stack that it has left, whatever else is in the backend (K2)", async () => {
        const stack = await testbed.stack(video("film") + video("kept"));
        const other = await testbed.stack("");
        other.env.PULUMI_BACKEND_URL = stack.environment.PULUMI_BACKEND_URL;
        await other.write("Pulumi.yaml", "name: archive\nruntime: nodejs\n");
        await other.start("stack", "init", "organization/archive/production").result;
        await stack.up();
        const [film, kept] = [theOne(testbed, "film"), theOne(testbed, "kept")];
        const { urn } = await stack.resource("film");
        const [from, to] = ["organization/e2e/test", "organization/archive/production"];
        await stack.run("state", "move", "--source", from, "--dest", to, urn, "--yes");
        // Written later than the one that has it.
        const stacks = join(stack.folder, "state", ".pulumi", "stacks");
        for (let index = 0; index < 25; index++) {
            await mkdir(join(stacks, `other-${index}`));
            await copyFile(join(stacks, "e2e", "test.json"), join(stacks, `other-${index}`, "test.json"));
        }

        await stack.up();
        const second = await stack.resourceId("film");
        assert.notEqual(second, film);
        await stack.program(video("kept"));
        await stack.up();
        await holds(testbed, stack, [kept], [film]);
    });

    it("a stack that takes the name of one that moved to another backend has objects of its own (K3)", async () => {
        const stack = await testbed.stack(video("film"));
        await stack.up();
        const film = theOne(testbed, "film");
        // As the guide says: production moves on, and keeps its objects.
        const production = await testbed.stack(video("film"));
        const home = { PULUMI_HOME: stack.environment.PULUMI_HOME, PULUMI_STACK: "test" };
        Object.assign(production.env, home);
        await production.import(await stack.export());
        assert.equal((await stack.start("stack", "rm", "--force", "--yes", "test").result).code, 0);
        assert.equal((await stack.start("stack", "init", "test").result).code, 0);
        await stack.up();
        const second = await stack.resourceId("film");
        assert.notEqual(second, film);
        await holds(testbed, stack, [second], [film]);
        testbed.emulator.clearRequests();
        await stack.destroy();
        assert.equal(deletes().length, 1);
        await settled(testbed, production, [film]);
    });

    it("is not taken for the object of a create that hung since on a lost machine, by an up or by orphans, in both faces", async () => {
        const stack = await testbed.stack("");
        const journal = (machine: string) => join(stack.folder, "journals", machine);
        const declared = (options: string) =>
            ["videograph", "native"].map((face) => {
                const [film, first] = ["film", "first"].map((title) => ({
                    title: `${face} ${title}`,
                    content: source("a"),
                }));
                return `new ${face}.Content("${face}-film", ${JSON.stringify(film)}, ${options});
                    new ${face}.ContentLibrary("${face}-films", ${JSON.stringify({ contents: { first } })}, ${options});`;
            });
        const program = (options = "{}") =>
            `const native = require("pulumi-videograph/native");\n${declared(options).join("\n")}`;
        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal("first");
        await stack.program(program(retained));
        await stack.up();
        const released = objects(testbed);
        await stack.program("");
        await stack.up();

        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal("lost");
        await stack.program(program());
        testbed.emulator.inject({ kind: "hang", method: "GET", path: "/contents" });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("four creates", async () => (await journalOf(stack)).length === 4);
        await killed(stack, up);
        testbed.emulator.clearFaults();

        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal("next");
        testbed.emulator.clearRequests();
        await stack.up();
        assert.equal(sentBy(testbed.emulator, "POST").length, 4);
        const orphans = await stack.node(command(stack), "orphans", "--delete", "--yes");
        assert.match(orphans.output, /4 objects that this stack created and may have released/);
        await stack.destroy();
        assert.deepEqual(objects(testbed), released);
        assert.deepEqual(sentBy(testbed.emulator, "PUT"), []);
    });

    it("what an update of a library has created is nobody's like any other once it was released, in both faces (W13)", async () => {
        const libraries = (file?: string) =>
            ["videograph", "native"].map((face) => {
                const more = file && { more: { title: `${face} more`, content: source(file) } };
                const contents = { first: { title: `${face} first`, content: source("a") }, ...more };
                return `new ${face}.ContentLibrary("${face}", ${JSON.stringify({ contents })});\n`;
            });
        const program = (file?: string) =>
            `const native = require("pulumi-videograph/native");\n${libraries(file).join("")}`;
        const stack = await testbed.stack(program());
        await stack.up();
        await stack.program(program("a"));
        await stack.up();
        const released = [theOne(testbed, "videograph more"), theOne(testbed, "native more")];
        for (const { urn } of await stack.resources()) await stack.run("state", "delete", urn, "--yes");
        await stack.program(program("b"));
        await stack.up();
        assert.deepEqual([...deletes(), ...sentBy(testbed.emulator, "PUT")], []);
        for (const [index, title] of ["videograph more", "native more"].entries())
            assert.deepEqual([titled(testbed, title).length, titled(testbed, title)[0]], [2, released[index]]);
    });
});
