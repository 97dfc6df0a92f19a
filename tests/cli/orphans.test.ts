/** `pulumi-videograph orphans` and `forget`: they find what a lost machine left behind, and touch nothing else (S9). */
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, relative } from "node:path";
import { markerText } from "../../provider/dist/evidence/marker.js";
import { killAll, providersIn } from "../support/processes.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { Face, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";
import { expectCode, runIn } from "./support.ts";

interface Listed {
    kind: string;
    id: string;
    name: string;
    because?: string;
}

interface Answer {
    orphans: Listed[];
    others: Listed[];
    deleted: string[];
}

describe("pulumi-videograph orphans", function () {
    this.timeout(300_000);
    const testbed = useTestbed();
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, testbed.cli, "orphans", ...args);
    const forget = (stack: TestStack, ...args: string[]) => runIn(stack, testbed.cli, "forget", ...args);
    async function answer(code: number, stack: TestStack, ...args: string[]): Promise<Answer> {
        return JSON.parse((await expectCode(code, run(stack, "--json", ...args))).stdout) as Answer;
    }
    const ids = () => [
        ...testbed.emulator.contents().map(({ contentId }) => contentId),
        ...testbed.emulator
            .livestreams()
            .filter(({ status }) => status !== "Deleting")
            .map(({ streamUUID }) => streamUUID),
    ];
    const names = (listed: readonly Listed[]) => listed.map(({ kind, name }) => `${kind} ${name}`).sort();
    const because = ({ others }: Answer) => others.map(({ name, because: why }) => `${name}: ${why}`).sort();
    const stage = (name: string, options = "") =>
        `new videograph.Livestream("${name}", { title: "${name}", region: "us-east-1" }${options});\n`;
    const program = () =>
        'const first = new videograph.Livestream("first", { title: "First", region: "us-east-1" });\n' +
        declare(
            "Content",
            "trailer",
            { title: "Trailer", content: [{ url: testbed.media.video() }], tags: ["a"] },
            "{ dependsOn: first }",
        ) +
        declare("Livestream", "stage", { title: "Stage", region: "us-east-1", record: true }, "{ dependsOn: first }");

    /** A stack whose `up` is killed when the service has accepted both creates and answered neither. */
    async function crashed({ journal, face = "dynamic" }: { journal: boolean; face?: Face }): Promise<TestStack> {
        const before = ids().length;
        const stack = await testbed.stack("");
        stack.face = face;
        await stack.program(program());
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 1 });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("three objects", () => ids().length === before + 3, 60_000);
        await waitFor("the first to be recorded", async () => (await stack.resources()).length === 1);
        up.freeze();
        const providers = providersIn(stack.folder);
        up.kill();
        killAll(providers);
        await up.result;
        await waitFor("the provider to be gone", () => providersIn(stack.folder).length === 0);
        testbed.emulator.clearFaults();
        if (!journal) await rm(join(stack.folder, "home", "videograph"), { recursive: true });
        return stack;
    }

    it("deletes what a lost machine left, and nothing of a stack of the same name in another backend (K5)", async () => {
        // Another laptop, with the same project, stack and token.
        const other = await testbed.stack(stage("first") + stage("live"));
        await other.up();
        const live = ids();
        const stack = await crashed({ journal: false });
        const kept = [...live, ...(await stack.resources()).map(({ id = "" }) => id)];
        const unmarked = testbed.emulator.addContent({ title: "Trailer" }).contentId;

        // The killed run's lock is found, however the backend's URL spells its folder (E3).
        const all = ids();
        const fromHome = relative(userInfo().homedir, join(stack.folder, "state"));
        for (const url of [`file://~/${fromHome}?no_tmp_dir=true`, "file://./state?no_tmp_dir=true"]) {
            stack.env.PULUMI_BACKEND_URL = url;
            const { stderr } = await expectCode(1, run(stack, "--stack", "organization/e2e/test", "--delete", "--yes"));
            assert.match(stderr, /^error: Nothing was deleted: the stack is in use \(locked by process \d+ of /m);
        }
        stack.env.PULUMI_BACKEND_URL = undefined;
        delete stack.env.PULUMI_BACKEND_URL;
        assert.deepEqual(ids(), all);
        await stack.run("cancel", "--yes");

        // A mistyped id is an error (E11), and so is one that this stack has nothing to do with.
        const mistyped = await expectCode(1, run(stack, "--delete", "--yes", "--id", "no-such-id"));
        assert.match(mistyped.stderr, /^error: No object has the id no-such-id\./m);
        for (const id of [unmarked, kept.at(-1) ?? ""]) {
            const { stderr } = await expectCode(1, run(stack, "--delete", "--yes", "--id", id));
            assert.match(stderr, /cannot be an orphan of this stack/);
        }

        const found = await answer(3, stack);
        assert.deepEqual(names(found.orphans), ["Content trailer", "Livestream stage"]);
        assert.deepEqual(because(found), ["first: foreign", "live: foreign"]);
        const { stdout } = await expectCode(0, run(stack, "--delete", "--yes"));
        assert.match(stdout, /^2 objects deleted\.$/m);
        assert.deepEqual(ids().sort(), [...kept, unmarked].sort());
        assert.deepEqual((await answer(0, stack)).orphans, []);
        // To the other one they are neither.
        assert.deepEqual((await answer(0, other)).orphans, []);
    });

    it("lists what a stack released, moved or cannot prove, and deletes it only by name", async () => {
        const kept = stage("kept", ", { retainOnDelete: true }");
        const stack = await testbed.stack(kept);
        await stack.up();
        await stack.program(kept + stage("dropped"));
        await stack.up();
        const [dropped] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::dropped"));
        await stack.run("state", "delete", dropped?.urn ?? "", "--yes");
        await stack.program("");
        await stack.up();
        const unproven = markerText({
            ...{ project: "e2e", stack: "test", name: "unproven", lineage: undefined, k: undefined },
            ...{ resource: "01234567", inputs: "01234567", nonce: "0123456789ab" },
        });
        testbed.emulator.addContent({ title: "Unproven", metadata: [{ key: "managed_by", value: unproven }] });
        const all = ids();
        const found = await answer(0, stack, "--delete", "--yes");
        assert.deepEqual(because(found), ["dropped: told", "kept: released", "unproven: foreign"]);
        assert.deepEqual([found.orphans, ids()], [[], all]);

        const [id = ""] = found.others.filter(({ name }) => name === "unproven").map((one) => one.id);
        assert.deepEqual((await answer(0, stack, "--delete", "--yes", "--id", id)).deleted, [id]);
        assert.deepEqual(
            ids(),
            all.filter((one) => one !== id),
        );
    });

    it("leaves the journal's creates to the next up, forgets them by name, and puts orphans into the state", async () => {
        const stack = await crashed({ journal: true });
        await stack.run("cancel", "--yes");
        const found = await answer(0, stack, "--delete", "--yes");
        assert.deepEqual(because(found), ["stage: pending", "trailer: pending"]);

        const listed = (await expectCode(0, forget(stack))).stdout;
        assert.match(listed, /^[0-9a-f]{12} {2}Content "trailer" of e2e\/test, started .* UTC, open/m);
        const unknown = await expectCode(1, forget(stack, "0123456789ab"));
        assert.match(unknown.stderr, /^error: Nothing was forgotten: the journal has no entry for 0123456789ab\./);
        assert.equal((await expectCode(0, forget(stack))).stdout, listed);
        const nonces = [...listed.matchAll(/^[0-9a-f]{12}(?= .*, open)/gm)].map(([nonce]) => nonce);
        assert.match((await expectCode(0, forget(stack, ...nonces))).stdout, /^2 creates forgotten\.$/m);
        assert.deepEqual(names((await answer(3, stack)).orphans), ["Content trailer", "Livestream stage"]);

        await expectCode(0, run(stack, "--import-file", "orphans.json"));
        stack.checkForSecrets(await readFile(join(stack.folder, "orphans.json"), "utf8"));
        const again = await expectCode(1, run(stack, "--import-file", "orphans.json"));
        assert.match(again.stderr, /orphans\.json already exists/);
        await stack.run(...["import", "--file", "orphans.json", "--yes", "--generate-code=false", "--protect=false"]);
        await stack.run("preview", "--diff", "--expect-no-changes");
        const after = await answer(0, stack);
        assert.deepEqual([after.orphans, after.others], [[], []]);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
    });

    it("puts orphans into the state as native types, where the stack has these", async () => {
        const stack = await crashed({ journal: false, face: "native" });
        await stack.run("cancel", "--yes");
        await expectCode(0, run(stack, "--import-file", "orphans.json"));
        const file = JSON.parse(await readFile(join(stack.folder, "orphans.json"), "utf8")) as {
            resources: { type: string; name: string; inputs?: object }[];
        };
        assert.deepEqual(file.resources.map(({ type, name, inputs }) => [type, name, inputs]).sort(), [
            ["videograph:index:Content", "trailer", undefined],
            ["videograph:index:Livestream", "stage", undefined],
        ]);
        await stack.run(...["import", "--file", "orphans.json", "--yes", "--generate-code=false", "--protect=false"]);
        await stack.run("preview", "--diff", "--expect-no-changes");
        assert.deepEqual((await answer(0, stack)).orphans, []);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
    });

    it("refuses where the backend does not show its locks, unless the object is named (E3)", async () => {
        const stack = await crashed({ journal: false });
        await stack.run("cancel", "--yes");
        const shims = join(stack.folder, "shims");
        await mkdir(shims);
        const pulumi = join(testbed.cli.folder, "pulumi");
        const script = `[ "$1" = whoami ] && echo '{"url":"s3://bucket?region=x"}' || exec ${pulumi} "$@"`;
        await writeFile(join(shims, "pulumi"), `#!/bin/sh\n${script}\n`);
        await chmod(join(shims, "pulumi"), 0o755);
        stack.env.PATH = `${shims}:${process.env.PATH}`;
        const refused = await expectCode(1, run(stack, "--delete", "--yes"));
        assert.match(
            refused.stderr,
            /^error: Nothing was deleted: it is unknown whether .* \(no visible locks in the backend s3:\/\/bucket\)\. .*--id/m,
        );
        const { orphans } = await answer(3, stack);
        const named = orphans.flatMap(({ id }) => ["--id", id]);
        const { deleted } = await answer(0, stack, "--delete", "--yes", ...named);
        assert.equal(deleted.length, 2);
    });

    it("says at the end what could not be read, with an exit code of its own", async () => {
        const hangs = testbed.emulator.addContent({ title: "Hangs" }).contentId;
        testbed.emulator.inject({ kind: "hang", path: `/contents/${hangs}` });
        const stack = await testbed.stack("");
        const { stderr } = await expectCode(4, run(stack, "--timeout", "500ms"));
        assert.match(stderr, new RegExp(`Content ${hangs} could not be read: .*no answer`));
    });

    it("says what is wrong with a command line", async () => {
        const stack = await testbed.stack("");
        for (const [args, problem] of [
            [
                ["--delete"],
                /^error: --delete asks before it deletes, and there is no terminal to ask at\. Add --yes\.$/m,
            ],
            [["--delete", "--import-file", "x.json"], /exclude each other/],
            [["--timeout", "soon"], /--timeout must be a duration/],
            [["--nope"], /--nope/],
        ] as const) {
            const { stdout, stderr } = await expectCode(2, run(stack, ...args));
            assert.match(stderr, problem);
            assert.match(stderr, /See npx pulumi-videograph orphans --help\.\n$/);
            assert.equal(stdout, "");
        }
        const { stderr } = await expectCode(1, run(stack, "--stack", "nowhere"));
        assert.match(stderr, /^error: `pulumi stack export --stack nowhere` failed: .*no stack named 'nowhere'/);
        assert.deepEqual(testbed.emulator.requests, []);
    });
});
