/** `pulumi-videograph orphans` and `forget`: they find what a lost machine left behind, and touch nothing else (S9). */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, relative } from "node:path";
import { advised, obey } from "../support/advised.ts";
import { stream } from "../support/law.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
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

describe("pulumi-videograph orphans", () => {
    const testbed = useTestbed({ onLinux: true });

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, "orphans", ...args);
    const forget = (stack: TestStack, ...args: string[]) => runIn(stack, "forget", ...args);
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
    const program = () => `
        const first = new videograph.Livestream("first", { title: "First", region: "us-east-1" });
        // The state has the source encrypted.
        const content = [{ url: "${testbed.media.video()}?signature=secret" }];
        new videograph.Content("trailer", { title: "Trailer", content, tags: ["a"] }, { dependsOn: first });
        const stage = { title: "Stage", region: "us-east-1", record: true };
        new videograph.Livestream("stage", stage, { dependsOn: first });`;

    /** A stack whose `up` is killed when the service has accepted both creates and answered neither. */
    async function crashed({ journal }: { journal: boolean }): Promise<TestStack> {
        const before = ids().length;
        const stack = await testbed.stack(program());
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", after: 1 });
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("three objects", () => ids().length === before + 3);
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
        const other = await testbed.stack(stream("first") + stream("live"));
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
            assert.match(stderr, /^error: Nothing was deleted: the stack is in use \(locked by \S+\.json\)/m);
        }
        stack.env.PULUMI_BACKEND_URL = undefined;
        delete stack.env.PULUMI_BACKEND_URL;
        assert.deepEqual(ids(), all);
        const { stderr } = await expectCode(1, run(stack, "--delete", "--yes"));
        const [cancel = ""] = advised(stderr, "VG7013");
        await obey(stack, cancel);

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

    it("leaves the journal's creates to the next up, forgets them by name, and puts orphans into the state", async () => {
        const stack = await crashed({ journal: true });
        await stack.run("cancel", "--yes");
        const found = await answer(0, stack, "--delete", "--yes");
        assert.deepEqual(because(found), ["stage: pending", "trailer: pending"]);

        const listed = (await expectCode(0, forget(stack))).stdout;
        assert.match(listed, /^[0-9a-f]{12} {2}Content "trailer" of e2e\/test, started .* UTC(, id .*)?$/m);
        const nonces = [...listed.matchAll(/^[0-9a-f]{12}(?= .* UTC)/gm)].map(([nonce]) => nonce);
        const unknown = await expectCode(1, forget(stack, "0123456789ab"));
        const [list = ""] = advised(unknown.stderr, "VG7018");
        for (const nonce of nonces) assert.ok((await obey(stack, list)).includes(nonce));
        assert.match((await expectCode(0, forget(stack, ...nonces))).stdout, /^2 creates forgotten\.$/m);
        assert.deepEqual(names((await answer(3, stack)).orphans), ["Content trailer", "Livestream stage"]);

        stack.env.PULUMI_OPTION_FILE = "state.json";
        await expectCode(0, run(stack, "--import-file", "orphans.json"));
        delete stack.env.PULUMI_OPTION_FILE;
        const file = await readFile(join(stack.folder, "orphans.json"), "utf8");
        stack.checkForSecrets(file);
        assert.doesNotMatch(file, /signature=secret/);
        await stack.run(...["import", "--file", "orphans.json", "--yes", "--generate-code=false", "--protect=false"]);
        // The source was not in the file.
        const posts = sentBy(testbed.emulator, "POST").length;
        assert.match((await stack.up()).output, /Content trailer updated/);
        await stack.run("preview", "--diff", "--expect-no-changes");
        await stack.write("plan.json", "no plan");
        const [plan = ""] = advised((await expectCode(1, runIn(stack, "review", "plan.json"))).stderr, "VG7030");
        await stack.write("plan.json", await obey(stack, plan));
        await expectCode(0, runIn(stack, "review", "plan.json"));
        assert.equal(sentBy(testbed.emulator, "POST").length, posts);
        const after = await answer(0, stack);
        assert.deepEqual([after.orphans, after.others], [[], []]);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
        // What was put into the state is the stack's own, also for a destroy.
        assert.doesNotMatch((await stack.destroy()).output, /VG6009/);
        assert.deepEqual(ids(), []);
    });
});
