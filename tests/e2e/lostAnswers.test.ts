/**
 * S1 measured: whatever becomes of the answer to a create, each resource has exactly one object in the end, and a lost
 * answer costs few requests more than one that arrives.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, type LoggedRequest, startEmulator } from "videograph-emulator";
import { declareAll } from "../support/program.ts";
import { fastClock, providerRun, tokens, urnOf } from "../support/providerRun.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

/** How many requests were sent of each sort. */
interface Cost {
    creates: number;
    lists: number;
    /** Looks at single objects. */
    reads: number;
    deletes: number;
}

interface Loss {
    /** What happens to the first create of each resource. */
    readonly fault?: Fault;
    /** The most requests beyond those of a create without a fault. */
    readonly extra: Cost;
}

/** How many times faster the provider's clock goes than the machine's, by which delays of the emulator are measured. */
const speed = 10;
const ms = (milliseconds: number) => ({ ms: milliseconds / speed });

const none: Cost = { creates: 0, lists: 0, reads: 0, deletes: 0 };

/** The object turns up in this one of the looks for it, each of which reads a page; then it is read. */
const found = (look: 1 | 3 | 5): Cost => ({ creates: 0, lists: look + 1, reads: 1, deletes: 0 });

/** Looks in vain until nothing can be accepted any more, in 70 seconds; then the create is sent again. */
const sentAgain: Cost = { creates: 1, lists: 13, reads: 0, deletes: 0 };

/** First what hangs: it is given up after a minute, while all the rest happens. */
const losses: Readonly<Record<string, Loss>> = {
    "no answer after acceptance": { fault: { kind: "hang", when: "after" }, extra: found(1) },
    "no answer and acceptance later": { fault: { kind: "latency", ...ms(61_500), when: "before" }, extra: found(3) },
    "no loss": { extra: none },
    "a reset after acceptance": { fault: { kind: "reset", when: "after" }, extra: found(1) },
    "a reset before acceptance": { fault: { kind: "reset", when: "before" }, extra: sentAgain },
    "a reset and acceptance 1.5 s later": { fault: { kind: "lateAcceptance", ...ms(1_500) }, extra: found(3) },
    "a reset and acceptance 8 s later": { fault: { kind: "lateAcceptance", ...ms(8_000) }, extra: found(5) },
    "a 502 after acceptance": { fault: { kind: "status", status: 502, when: "after", body: "html" }, extra: found(1) },
    "a 503 before acceptance": { fault: { kind: "status", status: 503, when: "before" }, extra: sentAgain },
    "a 429": { fault: { kind: "status", status: 429 }, extra: { ...none, creates: 1 } },
    "JSON that ends in the middle": { fault: { kind: "body", body: "malformed" }, extra: found(1) },
    "a connection that ends in the middle": { fault: { kind: "truncate" }, extra: found(1) },
    "a page of HTML": { fault: { kind: "body", body: "html" }, extra: found(1) },
    "an empty answer": { fault: { kind: "body", body: "empty" }, extra: found(1) },
};

/** Without an engine, which adds nothing to a single create: both faces call these hosts. */
describe("The create of an object whose answer is lost (S1)", function () {
    this.timeout(240_000);
    const kinds = { Content: "/contents", Livestream: "/livestreams" } as const;
    const outcomes = new Map<string, { ids: string[]; recorded: string; cost: Cost }>();

    /** Both kinds under this loss, in a service of their own. */
    async function create(loss: string, { fault }: Loss, folder: string): Promise<void> {
        const clock = fastClock(speed);
        const emulator = await startEmulator({ fetchSources: false, tokens, now: clock.now });
        try {
            const run = providerRun(emulator, join(folder, encodeURIComponent(loss)), { clock });
            // The first one is answered: it reads the lists that all others rely on.
            const inputs = { title: "First", region: "us-east-1" };
            const first = await run.livestream.create({ urn: urnOf("first", "Livestream"), timeouts: {}, inputs });
            for (const path of Object.values(kinds)) {
                if (fault !== undefined) emulator.inject({ ...fault, method: "POST", path, times: 1 });
            }
            emulator.clearRequests();
            const lost = { ...inputs, title: "Lost" };
            const source = [{ url: "https://media.example.com/a.mp4" }];
            // Without the wait, whose requests are as many as time allows.
            const video = { title: "Lost", content: source, playbackPolicy: ["public"], waitForReady: false };
            const [content, livestream] = await Promise.all([
                run.content.create({ urn: urnOf("lost"), timeouts: {}, inputs: video }),
                run.livestream.create({ urn: urnOf("lost", "Livestream"), timeouts: {}, inputs: lost }),
            ]);
            const cost = (kind: keyof typeof kinds) => costOf(emulator.requests, kinds[kind]);
            outcomes.set(`Content: ${loss}`, {
                ids: idsOf(emulator.contents()),
                recorded: content.id,
                cost: cost("Content"),
            });
            outcomes.set(`Livestream: ${loss}`, {
                ids: idsOf(emulator.livestreams()).filter((id) => id !== first.id),
                recorded: livestream.id,
                cost: cost("Livestream"),
            });
        } finally {
            await emulator.close();
        }
    }

    before("each kind of loss in a service of its own, at once", async () => {
        const folder = await mkdtemp(join(tmpdir(), "videograph-lost-"));
        await Promise.all(Object.entries(losses).map(([name, loss]) => create(name, loss, folder)));
        await rm(folder, { recursive: true });
    });

    for (const kind of Object.keys(kinds)) {
        for (const [loss, { extra }] of Object.entries(losses)) {
            it(`leaves one ${kind} after ${loss}`, () => {
                const { ids, recorded, cost } = outcomes.get(`${kind}: ${loss}`) ?? assert.fail();
                const usual = outcomes.get(`${kind}: no loss`)?.cost ?? assert.fail();
                assert.deepEqual(ids, [recorded]);
                for (const sort of Object.keys(cost) as (keyof Cost)[]) {
                    const beyond = cost[sort] - usual[sort];
                    // Only another page shows that a list of livestreams has ended.
                    const pages = kind === "Livestream" && sort === "lists" ? 2 : 1;
                    assert.ok(
                        beyond <= extra[sort] * pages,
                        `${beyond} ${sort} more than usual: ${JSON.stringify(cost)}`,
                    );
                }
            });
        }
    }
});

describe("Many creates whose answers are lost (S1)", function () {
    this.timeout(180_000);
    const testbed = useTestbed({
        speed: 5,
        variants: {
            listedAfterMs: 2_500,
            listOrder: "unstable",
            pageDefault: 3,
            pageMaximum: 7,
            overMaximum: "reject",
        },
    });
    const names = Array.from({ length: 20 }, (_, index) => `video-${index}`);
    /** Half of them are alike in everything. */
    const titleOf = (index: number) => (index % 2 === 0 ? "Same" : `Video ${index}`);
    const kindsOfLoss: Fault[] = [
        { kind: "reset", when: "after" },
        { kind: "reset", when: "before" },
        { kind: "lateAcceptance", ms: 1_500 },
        { kind: "status", status: 502, when: "after" },
        { kind: "status", status: 500, when: "before", body: "json" },
        { kind: "body", body: "malformed" },
        { kind: "body", body: "html" },
        { kind: "truncate" },
    ];

    it("leave one object each, whatever else bears their titles, in lists that are late", async () => {
        // Of other stacks, of people, and of this stack's namesake in another project.
        const marks = [
            "pulumi:other/test/video-0:11111111-22222222-33333333-0123456789ab",
            "pulumi:e2e/prod/video-0:11111111-22222222-33333333-0123456789ab",
            undefined,
        ];
        for (const mark of marks) {
            const metadata = mark === undefined ? [] : [{ key: "managed_by", value: mark }];
            testbed.emulator.addContent({ title: "Same", metadata });
        }
        const others = testbed.emulator.contents();
        const content = [{ url: testbed.media.video() }];
        const stack = await testbed.stack(
            declareAll(
                "Content",
                Object.fromEntries(names.map((name, index) => [name, { title: titleOf(index), content }])),
            ),
        );
        // A create that is lost twice is an error: only the first of each resource is hit.
        const where = (request: LoggedRequest) =>
            sentBy(testbed.emulator, "POST").filter((other) => markOf(other) === markOf(request)).length <= 1;
        for (const [index, loss] of kindsOfLoss.entries()) {
            testbed.emulator.inject({
                ...loss,
                method: "POST",
                path: "/contents",
                where,
                probability: 0.12,
                seed: index,
            });
        }
        for (const fault of [{ kind: "reset" }, { kind: "status", status: 503 }] as const) {
            testbed.emulator.inject({ ...fault, method: "GET", probability: 0.05 });
        }
        await stack.up("--parallel", "20");
        const lost = sentBy(testbed.emulator, "POST").filter(({ faults }) => faults.length > 0);
        assert.ok(lost.length >= 8, `The dice hit only ${lost.length} creates`);
        const ids = await Promise.all(names.map((name) => stack.resourceId(name)));
        const mine = () => idsOf(testbed.emulator.contents()).filter((id) => !idsOf(others).includes(id));
        assert.deepEqual(mine().sort(), ids.sort());
        assert.doesNotMatch(JSON.stringify((await stack.resource("video-0")).outputs), /managed_by/);

        testbed.emulator.clearFaults();
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        assert.deepEqual(
            testbed.emulator.contents().filter(({ contentId }) => !ids.includes(contentId)),
            others,
        );
    });
});

function idsOf(objects: readonly ({ contentId: string } | { streamUUID: string })[]): string[] {
    return objects.map((object) => ("contentId" in object ? object.contentId : object.streamUUID));
}

function markOf({ body }: LoggedRequest): string | undefined {
    const { metadata = [] } = body as { metadata?: { key: string; value: string }[] };
    return metadata.find(({ key }) => key === "managed_by")?.value;
}

function costOf(requests: readonly LoggedRequest[], path: string): Cost {
    const count = (method: string, pattern: RegExp) =>
        requests.filter((request) => request.method === method && pattern.test(request.path)).length;
    const [all, one] = [new RegExp(`${path}$`), new RegExp(`${path}/`)];
    return {
        creates: count("POST", all),
        lists: count("GET", all),
        reads: count("GET", one),
        deletes: count("DELETE", one),
    };
}
