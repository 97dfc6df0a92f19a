/**
 * S1 and S8 at the worst moments, with real kills: `kill -9` of the CLI, of the provider, or of both. Whatever the moment,
 * the next run ends with exactly one object for each resource, and no provider process is left behind.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { LoggedRequest } from "videograph-emulator";
import { heldCreates, holds, journalOf, killed, objects, titled, unlock } from "../support/law.ts";
import { killAll, providersIn } from "../support/processes.ts";
import type { Face } from "../support/projectFolder.ts";
import { sent, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

/** `first` is created before all others. A content and a livestream of one name are two resources (K8). */
const declarations = `
const content = [{ url: "https://media.example.com/a.mp4" }];
const region = "us-east-1";
const first = new videograph.Livestream("first", { title: "first" + process.env.RUN, region });
const video = (name, args, dependsOn = [first]) =>
    new videograph.Content(name, { title: name, content, ...args }, { dependsOn });
const pair = (name, { title = name, replaced = false } = {}, dependsOn = [first]) => [
    video(name, { title, ...(replaced && { playbackPolicy: ["signed"] }) }, dependsOn),
    new videograph.Livestream(name, { title, region, ...(replaced && { record: true }) }, { dependsOn }),
];
`;

describe("After a kill -9 (S1, S8)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 5 });

    /** A content and a livestream. */
    const ids = (title: string) => titled(testbed, title);
    const exist = (all: readonly string[]) => objects(testbed).some((id) => all.includes(id));
    const titleOf = ({ body }: LoggedRequest) => (body as { title?: string } | undefined)?.title ?? "";
    const created = () => sentBy(testbed.emulator, "POST").map(titleOf).sort();
    const carriedOut = (method: string) => sentBy(testbed.emulator, method).filter(({ accepted }) => accepted);
    /** Both requests for each of these titles have come, and have been carried out where `requests` are such. */
    const waitForPairs = (requests: () => readonly LoggedRequest[], ...titles: string[]) =>
        waitFor(titles.join(), () =>
            titles.every((title) => requests().filter((one) => titleOf(one) === title).length >= 2),
        );

    async function stackOf(face: Face): Promise<TestStack> {
        const stack = await testbed.stack("", face);
        Object.assign(stack.env, { VIDEOGRAPH_JOURNAL_DIR: join(stack.folder, "journal"), RUN: "1" });
        return stack;
    }
    const startUp = (stack: TestStack) => stack.start("up", "--yes", "--skip-preview", "--parallel", "50");

    function calm(): void {
        testbed.emulator.clearFaults();
        testbed.emulator.clearRequests();
    }

    /** The state and the service agree, and neither an entry nor a process is left. */
    async function allIsWell(stack: TestStack): Promise<void> {
        await holds(testbed, stack, objects(testbed));
        assert.deepEqual(await journalOf(stack), []);
        assert.deepEqual(providersIn(stack.folder), []);
    }

    it("of creates at every moment, a replacement and an update, the next run goes on; of a destroy, the second ends it (K8)", async () => {
        const stack = await stackOf("native");
        await stack.program(`${declarations}pair("replaced"); pair("updated");`);
        await stack.up();
        const [old, updated] = [ids("replaced"), ids("updated")];

        testbed.emulator.clearRequests();
        const accepted = ["replaced", "unanswered", "unwanted"];
        for (const title of accepted) testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", title });
        const answer = heldCreates(testbed, "after", (title) => title === "answered");
        const carryOutLate = heldCreates(testbed, "before", (title) => title === "late");
        testbed.emulator.inject({ kind: "hang", when: "before", method: "POST", title: "unsent" });
        testbed.emulator.inject({ kind: "hang", when: "after", method: "PUT", title: "Two" });
        const program = (title: string, unwanted: string) => `${declarations}
            pair("replaced", { replaced: true });
            pair("updated", { title: "${title}" });
            pair("unanswered"); pair("answered"); pair("late"); pair("unsent");
            pair("unwanted", ${unwanted});`;
        stack.env.RUN = "2";
        await stack.program(program("Two", "{}"));
        const up = startUp(stack);
        await waitForPairs(() => carriedOut("POST"), ...accepted, "answered");
        await waitForPairs(() => sentBy(testbed.emulator, "POST"), "late", "unsent");
        await waitForPairs(() => carriedOut("PUT"), "Two");
        // The provider hears the answers, and the engine does not.
        up.freeze();
        answer();
        const [found, answered, unwanted] = [ids("unanswered"), ids("answered"), ids("unwanted")];
        const replacements = ids("replaced").filter((id) => !old.includes(id));
        // An entry has the id once the answer is heard, and goes once the provider's own answer leaves.
        await waitFor("the answers to be heard", async () => {
            const journal = await journalOf(stack);
            return journal.filter((entry) => !answered.some((id) => entry.includes(id))).length <= 10;
        });
        await killed(stack, up);
        const recorded = (await stack.resources()).map(({ id }) => id);
        assert.equal(recorded.length, 5, "nothing of the killed run but the first one was recorded");
        assert.deepEqual([...ids("late"), ...ids("unsent")], []);

        calm();
        carryOutLate();
        // By now it wants other objects, whose predecessors go.
        await stack.program(program("Three", "{ replaced: true }"));
        await stack.up();
        // Those of `late` are the killed run's.
        assert.deepEqual(created(), ["late", "late", "unsent", "unsent", "unwanted", "unwanted"]);
        assert.deepEqual(ids("unanswered"), found);
        assert.deepEqual(ids("answered"), answered);
        assert.deepEqual(ids("Three"), updated);
        for (const title of ["late", "unsent", "unwanted"]) assert.equal(ids(title).length, 2, title);
        await waitFor("the others to be gone", () => !exist([...old, ...unwanted]));
        assert.deepEqual(ids("replaced"), replacements);
        // Twelve creates, each with five looks, a final one, and what any create reads.
        assert.ok(testbed.emulator.requests.length <= 12 * 12, `${sent(testbed.emulator)}`);
        await allIsWell(stack);

        testbed.emulator.clearRequests();
        testbed.emulator.inject({ kind: "hang", when: "after", method: "DELETE" });
        const destroy = stack.start("destroy", "--yes", "--skip-preview", "--parallel", "1");
        await waitFor("a deletion", () => carriedOut("DELETE").length >= 1);
        await killed(stack, destroy);
        testbed.emulator.clearFaults();
        await stack.destroy();
        assert.deepEqual(await stack.resources(), []);
        assert.deepEqual(objects(testbed), []);
        assert.deepEqual(providersIn(stack.folder), []);
    });

    it("of the CLI alone, then of the provider alone, the next run finds what these left, with another token", async () => {
        const stack = await stackOf("dynamic");
        const [one, two] = ['const one = pair("one");', 'pair("two", {}, one);'];
        const program = (more: string) => stack.program(`${declarations}video("waiting");${one}${more}`);
        const stuck = () => testbed.emulator.inject({ kind: "processing", stuck: true, title: "waiting" });
        const isRead = (id: string) => sentBy(testbed.emulator, "GET").some(({ path }) => path.endsWith(id));
        const waits = () => waitFor("the wait", () => ids("waiting").some(isRead));

        stuck();
        const answer = heldCreates(testbed, "after", (title) => title === "one");
        await program("");
        const first = startUp(stack);
        await waitForPairs(() => carriedOut("POST"), "one");
        await waits();
        first.kill();
        await first.result;
        await unlock(stack);
        assert.notDeepEqual(providersIn(stack.folder), []);
        answer();
        await waitFor("the provider to have its answers, and to end", () => providersIn(stack.folder).length === 0);
        const left = [...ids("one"), ...ids("waiting")];
        assert.equal(left.length, 3);
        const journal = (await journalOf(stack)).join();
        for (const id of left) assert.match(journal, new RegExp(id));

        calm();
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST" });
        // What the journal has by its id is not searched for: each list is read once, before the first create, and never again.
        const asked = new Set<string>();
        const isAgain = ({ path, query }: LoggedRequest) =>
            path.endsWith("s") && asked.size === asked.add(path + JSON.stringify(query)).size;
        testbed.emulator.inject({ kind: "hang", method: "GET", where: isAgain });
        await program(two);
        const second = startUp(stack);
        await waitForPairs(() => carriedOut("POST"), "two");
        await waits();
        killAll(providersIn(stack.folder));
        assert.notEqual((await second.result).code, 0);
        assert.deepEqual(created(), ["two", "two"]);
        const all = [...left, ...ids("two")];
        assert.equal(all.length, 5);

        calm();
        for (const id of ids("waiting")) testbed.emulator.setContentStatus(id, "Ready");
        const secret = "rotated-secret-44";
        testbed.emulator.addToken({ id: "rotated", secret, environmentId: 1 });
        stack.secrets.push(secret);
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: "rotated", VIDEOGRAPH_SECRET_KEY: secret });
        await stack.up();
        assert.deepEqual(created(), []);
        assert.deepEqual([...ids("one"), ...ids("waiting"), ...ids("two")], all);
        await allIsWell(stack);
    });
});
