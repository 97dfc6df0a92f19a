/** S1: whatever becomes of the answers to creates, each resource has exactly one object in the end. Each loss alone: unit/create. */
import assert from "node:assert/strict";
import type { Fault, LoggedRequest } from "videograph-emulator";
import { declareAll } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

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

function idsOf(objects: readonly { contentId: string }[]): string[] {
    return objects.map(({ contentId }) => contentId);
}

function markOf({ body }: LoggedRequest): string | undefined {
    const { metadata = [] } = body as { metadata?: { key: string; value: string }[] };
    return metadata.find(({ key }) => key === "managed_by")?.value;
}
