/** `pulumi-videograph orphans`: finds what a lost machine left behind, and touches nothing else. */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";
import { expectCode, runIn, startIn } from "./support.ts";

interface Listed {
    kind: string;
    id: string;
    name: string;
    because?: string;
}

interface Answer {
    orphans: Listed[];
    pending: Listed[];
    young: Listed[];
    journal: { urn: string }[];
    deleted: string[];
    leftAlone: { id: string; reason: string }[];
}

describe("pulumi-videograph orphans", function () {
    this.timeout(180_000);
    const lab = useLab();
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, lab.cli, "orphans", ...args);
    async function answer(code: number, stack: TestStack, ...args: string[]): Promise<Answer> {
        return JSON.parse((await expectCode(code, run(stack, "--json", ...args))).stdout) as Answer;
    }
    const ids = () => [
        ...lab.emulator.contents().map(({ contentId }) => contentId),
        ...lab.emulator
            .livestreams()
            .filter(({ status }) => status !== "Deleting")
            .map(({ streamUUID }) => streamUUID),
    ];
    const names = (listed: readonly Listed[]) => listed.map(({ kind, name }) => `${kind} ${name}`).sort();
    const program = () =>
        'const first = new videograph.Livestream("first", { title: "First", region: "us-east-1" });\n' +
        declare(
            "Content",
            "trailer",
            { title: "Trailer", content: [{ url: lab.media.video() }], tags: ["a"] },
            "{ dependsOn: first }",
        ) +
        declare("Livestream", "stage", { title: "Stage", region: "us-east-1", record: true }, "{ dependsOn: first }");

    /** A stack whose `up` is killed when the service has accepted both creates and answered neither. */
    async function crashed({ journal }: { journal: boolean }): Promise<TestStack> {
        // The client sends its first request alone.
        const stack = await lab.stack(program());
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 1 });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("three objects", () => ids().length === 3, 60_000);
        await waitFor("the first to be recorded", async () => (await stack.resources()).length === 1);
        up.freeze();
        const providers = providersIn(stack.folder);
        up.kill();
        killAll(providers);
        await up.result;
        await waitFor("the provider to be gone", () => providersIn(stack.folder).length === 0);
        lab.emulator.clearFaults();
        if (!journal) await rm(join(stack.folder, "home", "videograph"), { recursive: true });
        return stack;
    }

    it("finds and deletes what a lost machine left, and nothing else", async () => {
        const stack = await crashed({ journal: false });
        const lost = ids().slice();
        await stack.run("cancel", "--yes");
        await stack.up();
        const recorded = (await stack.resources()).map(({ id = "" }) => id);
        const foreign = [
            lab.emulator.addContent({ title: "Trailer" }).contentId,
            ...[
                "pulumi:e2e/prod/trailer:11111111-22222222-33333333-0-0123456789ab",
                "pulumi:e2e/test2/trailer:11111111-22222222-33333333-0-0123456789ab",
                "pulumi:e2e/test/trailer",
            ].map(
                (value) =>
                    lab.emulator.addContent({ title: "Trailer", metadata: [{ key: "managed_by", value }] }).contentId,
            ),
            lab.emulator.addLivestream({
                title: "Stage",
                metadata: [{ key: "note", value: "pulumi:e2e/test/stage:11111111-22222222-33333333-0-0123456789ab" }],
            }).streamUUID,
        ];

        // A second object with the very mark of a recorded one, as a lost answer can leave it.
        const own = lab.emulator.livestreams().find(({ title }) => title === "First")?.metadata ?? [];
        lost.push(lab.emulator.addLivestream({ title: "First", metadata: own }).streamUUID);
        const expected = ["Content trailer", "Livestream first", "Livestream stage"];

        const byDefault = await answer(0, stack);
        assert.deepEqual(names(byDefault.young), expected);
        assert.deepEqual(byDefault.orphans, []);
        const found = await answer(3, stack, "--min-age", "0s");
        assert.deepEqual(names(found.orphans), expected);
        assert.deepEqual(found.orphans.map(({ id }) => id).sort(), lost.filter((id) => !recorded.includes(id)).sort());
        assert.deepEqual(sentBy(lab.emulator, "DELETE"), []);

        // The names are taken in the state.
        const { stderr } = await expectCode(0, run(stack, "--min-age", "0s", "--import-file", "orphans.json"));
        assert.match(stderr, /Content \S+ is kept: the state has another object under its name: delete this one\./);
        await assert.rejects(readFile(join(stack.folder, "orphans.json")), { code: "ENOENT" });

        const [one] = found.orphans;
        assert.ok(one);
        const first = await answer(0, stack, "--min-age", "0s", "--delete", "--yes", "--id", one.id);
        assert.deepEqual(first.deleted, [one.id]);
        const { stdout } = await expectCode(0, run(stack, "--min-age", "0s", "--delete", "--yes"));
        assert.match(stdout, /^2 orphans of e2e\/test: [\s\S]*\n2 objects deleted\.\n$/);
        assert.deepEqual(ids().sort(), [...recorded, ...foreign].sort());
        assert.match((await expectCode(0, run(stack))).stdout, /^No orphans of e2e\/test\.\n$/);
    });

    it("leaves alone what a create may still come back to, and puts it into the state when told to", async () => {
        const stack = await crashed({ journal: true });
        const all = ids();
        const withJournal = await answer(0, stack, "--min-age", "0s");
        // That of the recorded one is no news.
        assert.deepEqual(withJournal.journal, []);
        assert.deepEqual(
            withJournal.pending.map(({ because }) => because),
            ["journal", "journal"],
        );
        await rm(join(stack.folder, "home", "videograph"), { recursive: true });
        const without = await answer(0, stack, "--min-age", "0s");
        assert.deepEqual(names(without.pending), ["Content trailer", "Livestream stage"]);
        assert.deepEqual(
            without.pending.map(({ because }) => because),
            ["creating", "creating"],
        );
        const { stderr } = await expectCode(1, run(stack, "--include-pending", "--delete", "--yes"));
        assert.match(
            stderr,
            /^error: Nothing was deleted: the stack is in use \(it is locked by process \d+ of .*`pulumi cancel`/,
        );
        assert.deepEqual(ids(), all);

        await stack.run("cancel", "--yes");
        await expectCode(0, run(stack, "--include-pending", "--import-file", "orphans.json"));
        stack.checkForSecrets(await readFile(join(stack.folder, "orphans.json"), "utf8"));
        await expectCode(1, run(stack, "--include-pending", "--import-file", "orphans.json"));
        await stack.run(...["import", "--file", "orphans.json", "--yes", "--generate-code=false", "--protect=false"]);
        await stack.run("preview", "--diff", "--expect-no-changes");
        await stack.run("refresh", "--preview-only", "--expect-no-changes");
        assert.deepEqual((await answer(0, stack, "--min-age", "0s")).pending, []);
        assert.deepEqual(sentBy(lab.emulator, "PUT", "DELETE"), []);
    });

    it("deletes nothing of a renamed stack, nor what another stack owns (S9)", async () => {
        const stack = await lab.stack(declare("Livestream", "stage", { title: "Stage", region: "us-east-1" }));
        await stack.up();
        // The state file has another name for a moment.
        assert.equal((await stack.start("stack", "rename", "renamed").result).code, 0);
        await stack.run("stack", "init", "test");
        const deleteAll = () => run(stack, "--min-age", "0s", "--delete", "--yes");
        const empty = await expectCode(0, deleteAll());
        assert.match(empty.stdout, /^No orphans of e2e\/test\.\n1 object .* that another stack owns/);
        assert.match(empty.stdout, /: owned by .*renamed$/m);

        // Where no state of this backend has the objects, the empty one proves nothing.
        const other = await lab.stack("");
        const refused = await expectCode(1, run(other, "--min-age", "0s", "--delete", "--yes"));
        assert.match(refused.stdout, /^1 orphan of e2e\/test:/);
        assert.match(
            refused.stderr,
            /^error: Nothing was deleted: the state of stack test owns no object with the marker/m,
        );

        // A new stack of the old name proves that markers are its own; those of the renamed one still are not.
        const second = declare("Livestream", "second", { title: "Second", region: "us-east-1" });
        await stack.program(second);
        await stack.up();
        assert.match((await expectCode(0, deleteAll())).stdout, /^No orphans of e2e\/test\.$/m);
        assert.deepEqual(sentBy(lab.emulator, "DELETE"), []);

        // The marker follows with the next change, and what it names is the renamed stack's from then on.
        await stack.program(declare("Livestream", "stage", { title: "Renamed", region: "us-east-1" }));
        const { code } = await stack.start("up", "--yes", "--skip-preview", "--stack", "renamed").result;
        assert.equal(code, 0);
        const markers = lab.emulator.livestreams().map(({ metadata }) => metadata?.[0]?.value.slice(0, -13));
        assert.deepEqual(markers.sort(), ["pulumi:e2e/renamed/stage", "pulumi:e2e/test/second"]);

        const [id = ""] = lab.emulator
            .livestreams()
            .filter(({ title }) => title === "Second")
            .map(({ streamUUID }) => streamUUID);
        await expectCode(0, run(other, "--min-age", "0s", "--delete", "--yes", "--id", id));
        assert.deepEqual(sentBy(lab.emulator, "DELETE").length, 1);
    });

    it("continues after an interruption with what it has not read, and checks again what it deletes", async () => {
        const stack = await lab.stack(declare("Livestream", "stage", { title: "Stage", region: "us-east-1" }));
        await stack.up();
        const mark = (random: string) => [{ key: "managed_by", value: `pulumi:e2e/test/lost:${random}` }];
        const lost = lab.emulator.addContent({ title: "Lost", metadata: mark("0123456789ab") }).contentId;
        const kept = lab.emulator.addContent({ title: "Kept", metadata: mark("0123456789ac") }).contentId;
        for (let at = 0; at < 200; at++) lab.emulator.addContent({ title: `Episode ${at}` });
        const reads = () => sentBy(lab.emulator, "GET").filter(({ path }) => /contents\/./.test(path));

        lab.emulator.inject({ kind: "latency", ms: 100, method: "GET", path: "/contents/*" });
        lab.emulator.clearRequests();
        const interrupted = startIn(stack, lab.cli, "orphans", "--min-age", "0s", "--delete", "--yes");
        await waitFor("most of it to be read", () => reads().length > 190);
        interrupted.kill("SIGINT");
        await interrupted.ended;
        lab.emulator.clearFaults();
        // Read, with the marker, before the interruption; since then it is another stack's.
        lab.emulator.updateContent(kept, { metadata: [] });
        const added = lab.emulator.addContent({ title: "New", metadata: mark("0123456789ad") }).contentId;
        // A Date has whole seconds, so it may be before what was created in this one: that is not too young for 0 s.
        lab.emulator.setVariants({ createdSkewMs: 60_000 });

        lab.emulator.clearRequests();
        const { stderr, stdout } = await expectCode(0, run(stack, "--min-age", "0s", "--delete", "--yes"));
        lab.emulator.setVariants({ createdSkewMs: 0 });
        const [, before = "0"] = /^Continuing after (\d+) objects of an interrupted run\.$/m.exec(stderr) ?? [];
        assert.ok(Number(before) >= 64, before);
        // Each of the two is read again before its delete.
        assert.equal(reads().length, 203 - Number(before) + 2);
        assert.match(stdout, /^2 objects deleted\.$/m);
        assert.deepEqual(
            ids().filter((id) => [lost, added].includes(id)),
            [],
        );
        assert.ok(ids().includes(kept));

        // It is over: the next one reads everything.
        lab.emulator.clearRequests();
        await expectCode(0, run(stack, "--min-age", "0s"));
        assert.equal(reads().length, 201);
    });

    it("says at the end what could not be read, with an exit code of its own", async () => {
        const value = "pulumi:e2e/test/lost:11111111-22222222-33333333-0-0123456789ab";
        const orphan = lab.emulator.addContent({ title: "Lost", metadata: [{ key: "managed_by", value }] }).contentId;
        const hangs = lab.emulator.addContent({ title: "Hangs" }).contentId;
        lab.emulator.inject({ kind: "hang", path: `/contents/${hangs}` });
        const stack = await lab.stack("");
        const args = ["--timeout", "500ms", "--min-age", "0s"];
        const { stderr, stdout } = await expectCode(4, run(stack, ...args));
        assert.match(stdout, new RegExp(`Content "lost" ${orphan} `));
        assert.match(stderr, new RegExp(`Content ${hangs} could not be read: .*no answer`));
        const { deleted } = await answer(4, stack, ...args, "--id", orphan, "--id", hangs, "--delete", "--yes");
        assert.deepEqual(deleted, [orphan]);
    });

    it("calls nothing an orphan that an update records meanwhile", async () => {
        const stack = await lab.stack(declare("Livestream", "stage", { title: "Stage", region: "us-east-1" }));
        lab.emulator.inject({ kind: "latency", ms: 6_000, method: "GET", path: "/contents", times: 1 });
        const running = answer(0, stack, "--min-age", "0s");
        // It has read the state, and now waits for the first list.
        await lab.emulator.waitForRequest(({ path }) => path.endsWith("/contents"));
        await stack.up();
        const { orphans, young } = await running;
        assert.deepEqual([...orphans, ...young], []);
    });

    it("says what is wrong with a command line", async () => {
        const stack = await lab.stack("");
        for (const [args, problem] of [
            [
                ["--delete"],
                /^error: --delete asks before it deletes, and there is no terminal to ask at\. Add --yes\.$/m,
            ],
            [["--delete", "--import-file", "x.json"], /exclude each other/],
            [["--min-age", "soon"], /--min-age must be a duration/],
            [["--nope"], /--nope/],
        ] as const) {
            const { stdout, stderr } = await expectCode(2, run(stack, ...args));
            assert.match(stderr, problem);
            assert.match(stderr, /See npx pulumi-videograph orphans --help\.\n$/);
            assert.equal(stdout, "");
        }
        const { stderr } = await expectCode(1, run(stack, "--stack", "nowhere"));
        assert.match(stderr, /^error: `pulumi stack export --stack nowhere` failed: .*no stack named 'nowhere'/);
        assert.deepEqual(lab.emulator.requests, []);
    });
});
