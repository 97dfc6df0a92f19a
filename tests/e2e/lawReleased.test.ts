/** S9: what a stack has released, moved or handed over is somebody else's, whatever this machine remembers of it. (K1, K2, K3, K18) */
import assert from "node:assert/strict";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { secretsProvider } from "../support/keyService.ts";
import { command, decided, holds, killed, objects, source, theOne, video } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

const retained = "{ retainOnDelete: true }";

describe("What a stack does not have any more (S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });

    it("is nobody's, released by retainOnDelete or a library's update: neither taken for the object of a create that hung since on a lost machine, by an up or by orphans, nor claimed by its own declaration, nor deleted for another one of its name; the user takes it over by importId (dynamic and native; K1, K18, W13)", async () => {
        const stack = await testbed.stack("");
        const useJournal = (machine: string) => {
            stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journals", machine);
        };
        const program = ({ keys = ["first", "more"], options = "{}", file = "a", more = "" }) => {
            const declared = ["videograph", "native"].map((face) => {
                const film = (title: string) => ({ title: `${face} ${title}`, content: source(file) });
                const contents = Object.fromEntries(keys.map((key) => [key, film(key)]));
                return `new ${face}.Content("${face}-film", ${JSON.stringify(film("film"))}, ${options});
                    new ${face}.ContentLibrary("${face}-films", ${JSON.stringify({ contents })}, ${options});`;
            });
            return `const native = require("pulumi-videograph/native");\n${declared.join("\n")}\n${more}`;
        };
        // The first run does not end well; the second one's update creates an entry of each library.
        useJournal("first");
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "failing", times: 1 });
        await stack.program(program({ keys: ["first"], options: retained, more: video("failing") }));
        await stack.upOfAllFails(/no video/);
        await stack.program(program({ options: retained }));
        await stack.up();
        const released = objects(testbed);
        assert.equal(released.length, 6);
        await stack.program("");
        await stack.up();
        assert.deepEqual(objects(testbed), released);

        // Another source of the same name (K1), and the user's importId.
        const film = theOne(testbed, "videograph film");
        const taken = video("taken", { title: "videograph film", importId: film });
        await stack.program(program({ file: "b", more: taken }));
        await stack.upOfAllFails(new RegExp(`VIDEOGRAPH_UNRECORDED=${film} .*VG6004`));
        await decided(stack, film);
        assert.equal(await stack.resourceId("taken"), film);
        assert.equal(objects(testbed).length, 12);
        await stack.program("");
        await stack.up();
        const left = released.filter((id) => id !== film);
        assert.deepEqual(objects(testbed), left);

        // The same declaration again (K18).
        useJournal("lost");
        await stack.program(program({}));
        testbed.emulator.clearRequests();
        testbed.emulator.inject({ kind: "hang", when: "before", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("all creates", () => sentBy(testbed.emulator, "POST").length >= 6);
        await killed(stack, up);
        testbed.emulator.clearFaults();
        // This machine remembers what was released.
        useJournal("first");
        testbed.emulator.clearRequests();
        await stack.up();
        assert.equal(sentBy(testbed.emulator, "POST").length, 6);
        const orphans = await stack.node(command(stack), "orphans", "--delete", "--yes");
        assert.match(orphans.output, /5 objects that this stack created and may have released/);
        assert.equal(objects(testbed).length, 11);
        await stack.destroy();
        assert.deepEqual(objects(testbed), left);
        assert.deepEqual(sentBy(testbed.emulator, "PUT"), []);
    });

    it("a moved object is neither adopted nor deleted by the stack that it has left, whatever else is in the backend (K2), nor those of a stack that has moved to another backend by one that takes its name (K3)", async () => {
        const stack = await testbed.stack(video("film") + video("kept"));
        const other = await testbed.stack("");
        const empty = await other.stateText();
        other.env.PULUMI_BACKEND_URL = stack.environment.PULUMI_BACKEND_URL;
        await other.write("Pulumi.yaml", "name: archive\nruntime: nodejs\n");
        await other.run("stack", "init", "organization/archive/production", "--secrets-provider", secretsProvider);
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
        await holds(testbed, stack, [kept, second], [film]);

        // Production moves on, and keeps its objects.
        const production = await testbed.stack("");
        const file = join("state", ".pulumi", "stacks", "e2e", "test.json");
        await production.write(file, await stack.stateText());
        await stack.write(file, empty);
        await stack.up();
        const namesakes = (await stack.resources()).map(({ id = "" }) => id);
        await holds(testbed, stack, namesakes, [film, kept, second]);
        await stack.destroy();
        assert.equal(sentBy(testbed.emulator, "DELETE").length, 2);
        await holds(testbed, production, [kept, second], [film]);
    });
});
