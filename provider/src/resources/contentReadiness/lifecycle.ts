/** One wait for many contents: no object of the service, only the knowledge that all of them are Ready. */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type ContentObject, Deadline } from "../../api";
import { type Lifecycle, messageOf, type Operation, PartialFailure, type Properties } from "../../lifecycle/resource";
import { hasUnknown } from "../../lifecycle/state/unknown";
import { problemsOf, someText } from "../../lifecycle/state/validate";
import { durationText } from "../../lifecycle/wait/duration";
import { isFailed, isReady } from "../../lifecycle/wait/status";

const timeout = 60 * 60_000;

const schema = z.strictObject({ contentIds: z.array(someText()) });

interface Row {
    contentId: string;
    status: string;
    playbackUrl?: string | undefined;
    duration?: number | undefined;
}

export const contentReadiness: Lifecycle = {
    check: (news) => ({ inputs: { ...news }, problems: problemsOf(schema, news) }),

    inputs: ["contentIds"],

    diff({ olds, news }) {
        if (hasUnknown(news.contentIds) || !isDeepStrictEqual(olds.contentIds, news.contentIds)) {
            return { kind: "update", because: ["contentIds"] };
        }
        return isComplete(olds) ? { kind: "none" } : { kind: "update", because: ["contents"] };
    },

    async create(inputs, operation) {
        const id = `readiness-${Math.floor(operation.environment.random() * 2 ** 48)
            .toString(16)
            .padStart(12, "0")}`;
        return {
            id,
            outputs: await waitForAll(id, inputs, new Map(), operation, operation.timeouts.create ?? timeout),
        };
    },

    async read(_id, olds) {
        const { contentIds, contents } = olds;
        return { inputs: { contentIds }, outputs: { contentIds, contents } };
    },

    async find() {
        return undefined;
    },

    update(id, olds, news, operation) {
        // What was Ready stays Ready: only the others are asked for.
        const known = new Map(
            rowsOf(olds)
                .filter((row) => isReady(row.status))
                .map((row) => [row.contentId, row]),
        );
        return waitForAll(id, news, known, operation, operation.timeouts.update ?? timeout);
    },

    async delete() {},
};

async function waitForAll(
    id: string,
    inputs: Properties,
    known: Map<string, Row>,
    operation: Operation,
    limit: number,
): Promise<Properties> {
    const { watcher, clock } = operation.environment;
    const ids = [...new Set(z.array(z.string()).parse(inputs.contentIds))];
    const start = clock.monotonic();
    const deadline = Deadline.after(clock, limit);
    const rows = new Map(known);
    const problems: string[] = [];
    let last = 0;
    const progress = () => {
        const elapsed = clock.monotonic() - start;
        if (elapsed < last) return;
        last = elapsed + Math.min(Math.max(elapsed / 4, 1_000), 30_000);
        const ready = ids.filter((contentId) => isReady(rows.get(contentId)?.status)).length;
        const failed = problems.length === 0 ? "" : `, ${problems.length} failed`;
        const slowest = elapsed < 1_000 ? "" : `, slowest ${durationText(elapsed)}`;
        operation.progress(`${count(ready)} of ${count(ids.length)} ready${failed}${slowest}`);
    };
    await Promise.all(
        ids
            .filter((contentId) => !known.has(contentId))
            .map(async (contentId) => {
                try {
                    const object = await watcher.untilSettled(contentId, {
                        signal: operation.signal,
                        deadline,
                        onStatus: progress,
                    });
                    rows.set(contentId, rowOf(object));
                    if (isFailed(object.status))
                        problems.push(entry(contentId, object.reason ?? "Failed, without a reason"));
                } catch (error) {
                    if (!operation.signal.aborted) problems.push(entry(contentId, messageOf(error)));
                }
                progress();
            }),
    );
    const contents = ids.map((contentId) => rows.get(contentId) ?? { contentId, status: "unknown" });
    const outputs = { contentIds: inputs.contentIds, contents };
    if (operation.signal.aborted) {
        throw new PartialFailure(id, outputs, "Interrupted while waiting. The next `pulumi up` goes on waiting.");
    }
    if (problems.length > 0) {
        throw new PartialFailure(
            id,
            outputs,
            `${count(problems.length)} of ${count(ids.length)} contents did not become Ready: ${problems.join("; ")}. ` +
                advice(problems.length, [...rows.values()].filter(({ status }) => isFailed(status)).length),
        );
    }
    return outputs;
}

function advice(problems: number, failed: number): string {
    if (failed === 0) return "The next `pulumi up` goes on waiting for them.";
    if (failed === problems) return "Mend their sources, then run `pulumi up --refresh`: it replaces them.";
    return (
        "Mend the sources of the Failed ones, then run `pulumi up --refresh`: it replaces them. A plain `pulumi up` only goes on " +
        "waiting for the others."
    );
}

/** A problem in a list: with the content's id, and without a full stop. */
function entry(contentId: string, problem: string): string {
    const text = problem.replace(/[.\s]+$/, "");
    return text.includes(contentId) ? text : `${contentId}: ${text}`;
}

function isComplete(olds: Properties): boolean {
    const ready = new Set(
        rowsOf(olds)
            .filter((row) => isReady(row.status))
            .map((row) => row.contentId),
    );
    return Array.isArray(olds.contentIds) && olds.contentIds.every((contentId) => ready.has(contentId));
}

const rowSchema = z.object({
    contentId: z.string(),
    status: z.string(),
    playbackUrl: z.string().optional(),
    duration: z.number().optional(),
});

function rowsOf(olds: Properties): Row[] {
    return z.array(rowSchema).catch([]).parse(olds.contents);
}

function rowOf({ contentId, status, playbackUrl, duration }: ContentObject): Row {
    return { contentId, status: status ?? "unknown", playbackUrl, duration };
}

function count(n: number): string {
    return n.toLocaleString("en-US");
}
