/** examples/fleet: exactly one object for each line of the catalogue, whatever happens on the way, and shares that stay where they are. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { useLab } from "../support/lab.ts";
import { hasEnded } from "../support/processes.ts";
import { requestsOf } from "../support/requests.ts";
import { waitFor } from "../support/waitFor.ts";
import { FleetFolder, type Line } from "./fleetFolder.ts";
import { problemsOfStack } from "./operator.ts";

/** A part of a program of its own, with other rules for its text than tests have. */
const { indexOf, stackIndex, stackName } = createRequire(import.meta.url)("../../examples/fleet/shares.ts") as {
    indexOf(key: string, stacks: number): number;
    stackIndex(name: string): number | undefined;
    stackName(index: number): string;
};

const catalogueOf = (count: number): Line[] =>
    Array.from({ length: count }, (_, number) => ({
        key: `tapes/${String(number).padStart(3, "0")}`,
        title: `Tape ${number}`,
        source: `tapes/${number}.mp4`,
    }));

describe("The fleet", function () {
    this.timeout(300_000);
    const lab = useLab({ processingTimeMs: 500 });
    let fleet: FleetFolder;
    beforeEach(async () => {
        fleet = await FleetFolder.create(lab);
    });
    afterEach(() => fleet?.[Symbol.asyncDispose]());

    const titles = () =>
        lab.emulator
            .contents()
            .map(({ title }) => title)
            .sort();
    /** What has to be known to understand a second video of one line. */
    const evidence = (...outputs: string[]) =>
        [
            ...outputs,
            ...lab.emulator
                .contents()
                .map(({ contentId, title, metadata }) => `${contentId} ${title} ${JSON.stringify(metadata)}`),
            ...lab.emulator.requests.map((request) => JSON.stringify(request)),
        ].join("\n");
    const titlesOf = (lines: readonly Line[]) => lines.map(({ title }) => title).sort();

    it("has exactly one video for each line after a run that was killed at any moment and run again", async () => {
        const lines = catalogueOf(24);
        await fleet.stacks(2);
        await fleet.catalogue(lines);
        // From the first request to about the last, a POST and a look for each video; a quick run may have ended by then.
        const requests = Number(process.env.FLEET_KILL_AFTER ?? Math.ceil(Math.random() * 50));
        console.log(`    killed after ${requests} requests (FLEET_KILL_AFTER=${requests})`);
        const first = fleet.start("up", "--side-by-side", "2");
        await waitFor(
            `${requests} requests`,
            () => lab.emulator.requests.length >= requests || hasEnded(first.child),
            120_000,
        );
        await fleet.lose(first.child);
        const { output: begun } = await first.ended;

        const second = await fleet.run("up", "--side-by-side", "2", "--cancel");
        assert.equal(second.code, 0, `${begun}\n---\n${second.output}`);
        assert.match(second.output, /2 of 2 stacks, 24 of 24 videos, 0 failed/);
        assert.deepEqual(titles(), titlesOf(lines), evidence(begun, second.output));
        for (const { status } of lab.emulator.contents()) assert.equal(status, "Ready");
    });

    it("ends in order at Ctrl-C, collects failures, fixes them alone in the next run, and moves videos to another number of stacks", async () => {
        const lines = catalogueOf(8);
        await fleet.stacks(2);
        const [broken] = lines;
        assert.ok(broken);
        await fleet.catalogue(lines.with(0, { ...broken, source: "tapes/page.html" }));
        const interrupted = fleet.start("up", "--side-by-side", "1");
        await waitFor("the first video", () => lab.emulator.contents().length > 0, 120_000);
        fleet.interrupt(interrupted.child);
        const { code, output } = await interrupted.ended;
        assert.equal(code, 1, output);
        assert.match(output, /1 of 2 stacks were not run\.\n\nRun the same command again/);

        // Nothing is locked.
        const first = await fleet.run("up");
        assert.equal(first.code, 1, first.output);
        const stack = stackName(indexOf(broken.key, 2));
        assert.match(first.output, new RegExp(`\\n${stack} failed:\\n(?:  .*\\n)*?.*(?:Failed|failed)`));
        assert.match(first.output, /2 of 2 stacks, .* 1 failed\n[\s\S]*Run the same command again/);
        assert.equal(titles().length, 8);

        await fleet.catalogue(lines);
        const posts = await requestsOf(lab.emulator, async () => {
            const second = await fleet.run("up");
            assert.equal(second.code, 0, second.output);
        });
        assert.deepEqual(
            posts.filter((request) => request.startsWith("POST")),
            ["POST /contents"],
        );
        assert.deepEqual(titles(), titlesOf(lines));

        const ids = lab.emulator.contents().map(({ contentId }) => contentId);
        await fleet.stacks(3);
        const refused = await fleet.run("up");
        assert.equal(refused.code, 1, refused.output);
        assert.match(
            refused.output,
            /videos belong to another stack[\s\S]*pulumi state move --yes --source library-00[01]/,
        );
        const { output: moves } = await fleet.run("moves");
        const moved = await fleet.shell(moves.slice(moves.indexOf("pulumi ")));
        assert.equal(moved.code, 0, moved.output);
        const sent = await requestsOf(lab.emulator, async () => {
            const { code, output } = await fleet.run("up");
            assert.equal(code, 0, output);
        });
        assert.deepEqual(
            sent.filter((request) => /^(POST|DELETE)/.test(request)),
            [],
        );
        assert.deepEqual(
            lab.emulator.contents().map(({ contentId }) => contentId),
            ids,
        );

        const end = await fleet.run("destroy");
        assert.equal(end.code, 0, end.output);
        assert.deepEqual(titles(), []);
    });

    it("names every line of the catalogue that is wrong, before anything is created", async () => {
        const [line, ...rest] = catalogueOf(3);
        assert.ok(line);
        const wrong = [{ ...line, titel: "Tape" }, ...rest, line] as Line[];
        await fleet.catalogue(wrong);
        const { code, output } = await fleet.run("up");
        assert.equal(code, 1);
        assert.match(output, /catalogue\.jsonl:1: .*titel/);
        await fleet.catalogue([...rest, line, line]);
        assert.match((await fleet.run("plan")).output, /catalogue\.jsonl:4: line 3 has the key tapes\/000 too/);
        assert.deepEqual(lab.emulator.requests.length, 0);
    });

    it("writes a manifest for each stack that the operator accepts, with the same program", async () => {
        const { code, output } = await fleet.run("manifests");
        assert.equal(code, 0, output);
        const folder = join(fleet.folder, "kubernetes");
        assert.deepEqual(
            readdirSync(folder).sort(),
            ["common.yaml", ...[0, 1, 2, 3].map((index) => `${stackName(index)}.yaml`)].sort(),
        );
        const objects = (file: string) =>
            [...parseAllDocuments(readFileSync(join(folder, file), "utf8"))].map(
                (document) => document.toJS() as { kind: string; metadata: { name: string }; spec: StackSpec },
            );
        interface StackSpec {
            stack: string;
            serviceAccountName: string;
        }
        const account = objects("common.yaml").find(({ kind }) => kind === "ServiceAccount");
        const [stack] = objects("library-002.yaml");
        assert.ok(stack && account);
        assert.deepEqual(problemsOfStack(stack), []);
        assert.equal(stack.spec.stack, "example-org/fleet/library-002");
        assert.equal(stack.spec.serviceAccountName, account.metadata.name);
    });
});

describe("The shares of a fleet", () => {
    const keys = Array.from({ length: 20_000 }, (_, number) => `1974/tape-${number}`);

    it("are fixed for ever: these keys are in these stacks of 50", () => {
        const known = ["1974/harbour-opening", "1975/regatta", "ü/☃", "a"].map((key) => indexOf(key, 50));
        assert.deepEqual(known, [44, 14, 42, 31]);
    });

    it("are about as big as one another", () => {
        const sizes = new Array<number>(20).fill(0);
        for (const key of keys) {
            const index = indexOf(key, 20);
            sizes[index] = (sizes[index] ?? 0) + 1;
        }
        for (const size of sizes) assert.ok(size > 850 && size < 1150, `${sizes}`);
    });

    it("give a new stack its part, and move no video between the others", () => {
        const moved = keys.filter((key) => indexOf(key, 20) !== indexOf(key, 21));
        for (const key of moved) assert.equal(indexOf(key, 21), 20);
        assert.ok(moved.length > 800 && moved.length < 1110, `${moved.length}`);
    });

    it("have names that say their number", () => {
        for (const index of [0, 7, 999, 1000]) assert.equal(stackIndex(stackName(index)), index);
        for (const name of ["library-", "library-1x1", "production", "my-library-001"]) {
            assert.equal(stackIndex(name), undefined, name);
        }
    });
});
