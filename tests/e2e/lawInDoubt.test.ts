/** S1: a create that ends in doubt stays in the state, so that any machine goes on with it: the unconfirmed record. (W1) By an up: cancelledJob.test.ts. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { objects, source, theOne, unanswered } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A create that ends in doubt (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 10 });
    const faces = ["videograph", "native"];
    const posts = () => sentBy(testbed.emulator, "POST").length;

    /** The same resources in both faces. The record of a protected one cannot be replaced by its object. */
    function program(faces: string[], options: string): string {
        const declared = faces.map((face) => {
            const content = source("a");
            const films = { contents: { one: { title: `${face} one`, content } } };
            return `new ${face}.Content("${face}-film", ${JSON.stringify({ title: `${face} film`, content })}, ${options});
                new ${face}.Livestream("${face}-stage", { title: "${face} stage", region: "us-east-1" });
                new ${face}.ContentLibrary("${face}-films", ${JSON.stringify(films)}, ${options});`;
        });
        return `const native = require("pulumi-videograph/native");\n${declared.join("\n")}`;
    }

    /** An \`up\` whose answers are lost, and that cannot read the lists afterwards; its machine is lost as well. */
    async function inDoubt(stack: TestStack, creates: number): Promise<string> {
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        testbed.emulator.inject(unanswered);
        const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "20", "--continue-on-error");
        await waitFor("the creates", () => posts() >= creates);
        for (const path of ["/contents", "/livestreams"])
            testbed.emulator.inject({ kind: "status", status: 503, method: "GET", path });
        const { code, output } = await up.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(output);
        testbed.emulator.clearFaults();
        testbed.emulator.clearRequests();
        await rm(join(stack.folder, "journal"), { recursive: true, force: true });
        return output;
    }
    /** The records of creates in doubt. An entry of a library is in the record of the library. */
    const rows = async (stack: TestStack) =>
        (await stack.resources()).map(({ id = "" }) => id).filter((id) => id.startsWith("unconfirmed-"));

    it("is in the state of both faces and of libraries: a refresh on another machine finds every object, also a protected one, which no up can replace (W1)", async () => {
        const stack = await testbed.stack(program(faces, "{ protect: true }"));
        assert.match(await inDoubt(stack, 6), /on any machine: it searches before it creates.*VG3002/);
        const { output } = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error");
        assert.match(output, /VG3027/);
        assert.match(output, /pulumi refresh/);
        assert.equal((await rows(stack)).length, 4);
        await stack.refresh();
        assert.deepEqual(await rows(stack), []);
        await stack.up();
        assert.deepEqual([posts(), sentBy(testbed.emulator, "DELETE").length, objects(testbed).length], [0, 0, 6]);
        const ids = (await stack.resources()).map(({ id }) => id);
        for (const title of faces.flatMap((face) => [`${face} film`, `${face} stage`]))
            assert.ok(ids.includes(theOne(testbed, title)), title);
    });

    it("is destroyed on a machine that knows nothing of it", async () => {
        const stack = await testbed.stack(program(["videograph"], "{}"));
        await inDoubt(stack, 3);
        assert.equal((await rows(stack)).length, 2);
        await stack.destroy();
        await waitFor("all to be gone", () => objects(testbed).length === 0);
    });
});
