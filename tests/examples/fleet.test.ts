/** examples/fleet: exactly one object for each line of the catalogue, whatever happens on the way, and shares that stay where they are. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parse } from "yaml";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";
import { type FleetFolder, fleetFolder, type Line } from "./fleetFolder.ts";

const repository = join(import.meta.dirname, "..", "..");

/** A part of a program of its own, with other rules for its text than tests have. */
const { indexOf, stackName } = createRequire(import.meta.url)("../../examples/fleet/shares.ts") as {
    indexOf(key: string, stacks: number): number;
    stackName(index: number): string;
};

describe("The fleet", () => {
    const testbed = useTestbed({ processingTimeMs: 500 });
    let fleet: FleetFolder;
    const lineOf = (number: number, file = `${number}.mp4`): Line => ({
        key: `tape-${String(number).padStart(3, "0")}`,
        title: `Tape ${number}`,
        content: [{ url: testbed.media.video(`tapes/${file}`) }],
    });
    beforeEach(async () => {
        fleet = await fleetFolder(testbed);
    });
    afterEach(() => fleet?.[Symbol.asyncDispose]());

    const titles = () => testbed.emulator.contents().map(({ title }) => title);

    it("has one video for each line after Ctrl-C and a kill, deletes nothing by mistake, says which stack failed, and destroys", async () => {
        const lines = Array.from({ length: 8 }, (_, number) => lineOf(number));
        const all = lines.map(({ title }) => title);
        await fleet.settings({ stacks: 2, maxDeletes: 2 });
        await fleet.catalogue(lines);
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const interrupted = fleet.start("up", "--side-by-side", "1");
        await waitFor("the first video", () => testbed.emulator.contents().length > 0);
        interrupted.interrupt();
        testbed.emulator.clearFaults();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
        const { code, output } = await interrupted.result;
        assert.equal(code, 1, output);
        assert.match(output, /1 of 2 stacks, .*\nRun the same command again/);

        // Some creates of the second stack have their answers by then, and one will not get it.
        testbed.emulator.clearRequests();
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 1, times: 1 });
        const killed = fleet.start("up");
        await waitFor("two creates", () => sentBy(testbed.emulator, "POST").length >= 2);
        await fleet.lose(killed);
        testbed.emulator.clearFaults();
        const { output: begun } = await killed.result;
        const resumed = await fleet.run("up", "--cancel");
        const evidence = [begun, resumed.output, ...testbed.emulator.requests.map((one) => JSON.stringify(one))];
        assert.deepEqual([resumed.code, titles().sort()], [0, all], evidence.join("\n"));

        // A catalogue that lost lines.
        await fleet.catalogue(lines.slice(0, 1));
        const stack = stackName(indexOf(lineOf(0).key, 2));
        const { output: refused } = await fleet.run("preview", "--only", stack);
        assert.match(refused, new RegExp(`maxDeletes[\\s\\S]*1 failed ${stack}\\n`));
        await fleet.catalogue(lines);
        const destroyed = await fleet.run("destroy");
        assert.deepEqual([destroyed.code, titles()], [0, []], destroyed.output);
    });

    it("names a line of the catalogue that is wrong, before anything is created", async () => {
        await fleet.settings({ stacks: 1 });
        await fleet.catalogue([{ ...lineOf(1), titel: "Tape" } as Line, lineOf(2), lineOf(2)]);
        const { code, output } = await fleet.run("preview");
        assert.equal(code, 1);
        assert.match(output, /tape-001.*titel/);
        assert.match(output, /tape-002.*needs another key/);
        await fleet.catalogue([{ title: "Without a key" } as Line]);
        assert.match((await fleet.run("plan")).output, /catalogue\.jsonl:1: must be a JSON object with a key/);
        assert.deepEqual(testbed.emulator.requests.length, 0);
    });
});

describe("The shares of a fleet", () => {
    const keys = Array.from({ length: 20_000 }, (_, number) => `1974/tape-${number}`);

    it("are fixed for ever: these keys are in these stacks of 50", () => {
        const known = ["1974/harbour-opening", "1975/regatta", "ü/☃", "a"].map((key) => indexOf(key, 50));
        assert.deepEqual(known, [44, 14, 42, 31]);
    });

    it("give a new stack its part, and move no video between the others", () => {
        const moved = keys.filter((key) => indexOf(key, 20) !== indexOf(key, 21));
        for (const key of moved) assert.equal(indexOf(key, 21), 20);
        assert.ok(moved.length > 800 && moved.length < 1110, `${moved.length}`);
    });

    it("are named in the operator's manifest, by nothing but the stack's name", () => {
        const read = (file: string) => readFileSync(join(repository, "examples", "fleet", "kubernetes", file), "utf8");
        const { metadata, spec } = parse(read("stack.yaml").replaceAll("library-000", stackName(7)));
        assert.equal(metadata.name, "library-007");
        assert.equal(spec.stack, "example-org/fleet/library-007");
        const account = `kind: ServiceAccount\nmetadata:\n    name: ${spec.serviceAccountName}\n`;
        assert.ok(read("common.yaml").includes(account));
    });
});
