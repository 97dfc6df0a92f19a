/** S1: a create that ends in doubt stays in the state, so that any machine goes on with it: the unconfirmed record. (W1) */
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

    async function newStack(): Promise<TestStack> {
        const stack = await testbed.stack("");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        return stack;
    }
    const onAnotherMachine = (stack: TestStack) => rm(join(stack.folder, "journal"), { recursive: true, force: true });

    /** The same resources in both faces. `file`: of their source. */
    function program(file: string, options = "{}"): string {
        const declared = faces.map((face) => {
            const content = source(file);
            const films = { contents: { one: { title: `${face} one`, content } } };
            return `new ${face}.Content("${face}-film", ${JSON.stringify({ title: `${face} film`, content })}, ${options});
                new ${face}.Livestream("${face}-stage", { title: "${face} stage", region: "us-east-1" }, ${options});
                exports["${face}"] = new ${face}.ContentLibrary("${face}-films", ${JSON.stringify(films)}, ${options}).contents;`;
        });
        return `const native = require("pulumi-videograph/native");\n${declared.join("\n")}`;
    }
    const titles = faces.flatMap((face) => ["film", "stage", "one"].map((name) => `${face} ${name}`));

    /** An `up` whose answers are lost, and that cannot read the lists afterwards. `accepted`: the POSTs are carried out. */
    async function inDoubt(stack: TestStack, { accepted = true, count = 6 } = {}): Promise<string> {
        const before = posts();
        testbed.emulator.inject(accepted ? unanswered : { kind: "hang", when: "before", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "20", "--continue-on-error");
        await waitFor("the creates", () => posts() >= before + count);
        for (const path of ["/contents", "/livestreams"])
            testbed.emulator.inject({ kind: "status", status: 503, method: "GET", path });
        const { code, output } = await up.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(output);
        testbed.emulator.clearFaults();
        return output;
    }
    const rows = async (stack: TestStack) =>
        (await stack.resources()).map(({ id = "" }) => id).filter((id) => id.startsWith("unconfirmed-"));

    it("is in the state of both faces and of libraries; the next machine adopts every object, and destroy finds it as well (W1)", async () => {
        const stack = await newStack();
        await stack.program(program("a"));
        const output = await inDoubt(stack);
        assert.match(output, /on any machine: it searches before it creates.*VG3002/);
        assert.equal((await rows(stack)).length, 4);
        await onAnotherMachine(stack);
        testbed.emulator.clearRequests();
        assert.match((await stack.up("--parallel", "20")).output, /VG3027/);
        assert.deepEqual([posts(), sentBy(testbed.emulator, "DELETE").length, await rows(stack)], [0, 0, []]);
        const films = titles.filter((title) => !title.endsWith(" one")).map((title) => theOne(testbed, title));
        const ids = (await stack.resources()).map(({ id }) => id);
        assert.ok(films.every((id) => ids.includes(id)));
        assert.equal(objects(testbed).length, 6);

        // Others, in doubt twice and with other inputs, are destroyed on machines that know nothing of them.
        const others = (file: string) => program(file).replaceAll(/(film|stage|one)"/g, '$1 2"');
        await stack.program(others("a"));
        await inDoubt(stack);
        await stack.program(others("b"));
        await onAnotherMachine(stack);
        await inDoubt(stack, { accepted: false });
        await onAnotherMachine(stack);
        await stack.destroy();
        await waitFor("all to be gone", () => objects(testbed).length === 0);
    });

    it("and is protected: a refresh finds its object, or removes its row", async () => {
        const stack = await newStack();
        await stack.program(program("a", "{ protect: true }"));
        await inDoubt(stack);
        await onAnotherMachine(stack);
        const { output } = await stack.attempt("up", "--yes", "--skip-preview");
        assert.match(output, /pulumi refresh/);
        await stack.refresh();
        assert.deepEqual(await rows(stack), []);
        testbed.emulator.clearRequests();
        await stack.up();
        assert.deepEqual([posts(), objects(testbed).length], [0, 6]);
    });
});
