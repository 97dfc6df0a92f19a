/** S9: what a stack has released, moved or handed over is somebody else's, whatever this machine remembers of it. (K2, K3, K18) */
import assert from "node:assert/strict";
import { join } from "node:path";
import { decided, holds, killed, objects, refused, source, theOne, video } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

const retained = "{ retainOnDelete: true }";

describe("What a stack does not have any more (S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });

    it("is nobody's, released by retainOnDelete: beside a create that hung since on a lost machine it is refused, and left alone by the user's word; the user takes it over by importId (dynamic and native; K18, W13)", async () => {
        const stack = await testbed.stack("");
        const useJournal = (machine: string) => {
            stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journals", machine);
        };
        const program = `
            const content = ${JSON.stringify(source("a"))};
            for (const [face, { Content, ContentLibrary }] of Object.entries({ dynamic, native })) {
                new Content(face + "-film", { title: face + " film", content }, ${retained});
                const contents = { first: { title: face + " first", content } };
                new ContentLibrary(face + "-films", { contents }, ${retained});
            }`;
        useJournal("first");
        await stack.program(program);
        await stack.up();
        const released = objects(testbed);
        assert.equal(released.length, 4);
        const film = theOne(testbed, "dynamic film");
        await stack.program("");
        await stack.up();
        assert.deepEqual(objects(testbed), released);

        useJournal("lost");
        await stack.program(program);
        testbed.emulator.clearRequests();
        testbed.emulator.inject({ kind: "hang", when: "before", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("all creates", () => sentBy(testbed.emulator, "POST").length >= 4);
        await killed(stack, up);
        testbed.emulator.clearFaults();
        // This machine remembers what was released.
        useJournal("first");
        testbed.emulator.clearRequests();
        const taken = video("taken", { title: "taken", content: undefined, importId: film });
        await stack.program(program + taken);
        const others = released.filter((id) => id !== film);
        // Nothing says whether the lost create or an earlier run has made it.
        stack.env.VIDEOGRAPH_UNRECORDED = film;
        await refused(stack, ...others);
        assert.deepEqual(objects(testbed).length, 5);
        await decided(stack, others.map((id) => `-${id}`).join());
        assert.equal(sentBy(testbed.emulator, "POST").length, 4);
        assert.equal(await stack.resourceId("taken"), film);
        const own = objects(testbed).filter((id) => !released.includes(id));
        assert.equal(own.length, 4);
        assert.ok(own.includes(await stack.resourceId("dynamic-film")));
        assert.deepEqual(
            sentBy(testbed.emulator, "PUT").map(({ path }) => path.split("/").at(-1)),
            [film],
        );
    });

    it("a moved object is neither adopted nor deleted by the stack that it has left (K2), nor those of a stack that has moved to another backend by one that takes its name (K3)", async () => {
        const stack = await testbed.stack(video("film") + video("kept"));
        const other = await testbed.stack("");
        const empty = await other.stateText();
        other.env.PULUMI_BACKEND_URL = stack.environment.PULUMI_BACKEND_URL;
        await other.rename("archive", "production");
        await stack.up();
        const [film, kept] = [theOne(testbed, "film"), theOne(testbed, "kept")];
        const { urn } = await stack.resource("film");
        const [from, to] = ["organization/e2e/test", "organization/archive/production"];
        await stack.run("state", "move", "--source", from, "--dest", to, urn, "--yes");
        await stack.up();
        const second = await stack.resourceId("film");
        assert.notEqual(second, film);
        await holds(testbed, stack, [kept, second], [film]);

        // Production moves on, and keeps its objects.
        await stack.write(join("state", ".pulumi", "stacks", "e2e", "test.json"), empty);
        await stack.up();
        const namesakes = (await stack.resources()).map(({ id = "" }) => id);
        await holds(testbed, stack, namesakes, [film, kept, second]);
    });
});
