/** One wait for many contents: it has no object on the service, and only records that all of them are Ready. */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type ContentObject, consistencyGraceMs, Deadline, originsOnly } from "../../api";
import { redactorFor } from "../../inputs/redactor";
import { hasUnknown } from "../../inputs/unknown";
import { problemsOf, someText } from "../../inputs/validate";
import type { Properties } from "../../inputs/values";
import { type Lifecycle, PartialFailure } from "../../lifecycle/lifecycle";
import { advice, messageOf, messages, withoutCodes } from "../../messages";
import type { Operation } from "../../operation/operation";
import { parseUrn } from "../../urn";
import { isFailed, isReady } from "../../wait/status";
import { Vanished, WaitTimeout } from "../../wait/watcher";
import { contentDefinition } from "../content/definition";
import { readinessTimeouts } from "../timeouts";

/** At most this many problems are listed; the others are counted. */
const maxListed = 10;

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
            outputs: await waitForAll(
                id,
                inputs,
                new Map(),
                operation,
                operation.timeouts.create ?? readinessTimeouts.create,
            ),
        };
    },

    async read(_id, olds) {
        const { contentIds, contents } = olds;
        return { inputs: { contentIds }, outputs: { contentIds, contents } };
    },

    update(id, olds, news, operation) {
        // Ready contents stay Ready: only the others are read.
        const known = new Map(
            rowsOf(olds)
                .filter((row) => isReady(row.status))
                .map((row) => [row.contentId, row]),
        );
        return waitForAll(id, news, known, operation, operation.timeouts.update ?? readinessTimeouts.update);
    },

    async delete() {},
};

async function waitForAll(
    id: string,
    inputs: Properties,
    known: Map<string, Row>,
    operation: Operation,
    limitMs: number,
): Promise<Properties> {
    const { watcher, clock, managers } = operation.environment;
    const ids = [...new Set(z.array(z.string()).parse(inputs.contentIds))];
    const deadline = Deadline.after(clock, limitMs);
    const rows = new Map(known);
    const problems: Problem[] = [];
    const open = new Set(ids.filter((contentId) => !known.has(contentId)));
    const progress = progressOf(ids, { open, rows, problems }, operation);
    await Promise.all(
        [...open].map(async (contentId) => {
            try {
                const object = await watcher.untilSettled(contentId, {
                    signal: operation.signal,
                    deadline,
                    // It may have been created a moment ago, by another resource.
                    graceMs: consistencyGraceMs,
                    onStatus: progress,
                    redactor: redactorFor(contentDefinition, managers.propertiesOf(contentId)),
                });
                rows.set(contentId, rowOf(object));
                if (isFailed(object.status)) problems.push({ contentId, kind: "failed", text: reasonOf(object) });
            } catch (error) {
                if (!operation.signal.aborted) problems.push(problemOf(contentId, error));
            }
            open.delete(contentId);
            progress();
        }),
    );
    const contents = ids.map((contentId) => rows.get(contentId) ?? { contentId, status: "unknown" });
    const outputs = { contentIds: inputs.contentIds, contents };
    if (operation.signal.aborted) {
        throw new PartialFailure(id, outputs, messages.readinessInterrupted());
    }
    if (problems.length > 0) {
        throw new PartialFailure(
            id,
            outputs,
            messages.notAllReady({
                number: count(problems.length),
                total: count(ids.length),
                advice: waysOut(problems),
                list: list(problems, operation),
            }),
        );
    }
    return outputs;
}

interface Waiting {
    /** Ids that are still waited for, in the program's order. */
    open: ReadonlySet<string>;
    rows: ReadonlyMap<string, Row>;
    problems: readonly Problem[];
}

/** Shows how far the wait is, less often the longer it lasts, and at its end. */
function progressOf(ids: readonly string[], { open, rows, problems }: Waiting, operation: Operation): () => void {
    const { clock } = operation.environment;
    const start = clock.monotonic();
    let next = 0;
    return () => {
        const elapsed = clock.monotonic() - start;
        if (elapsed < next && open.size > 0) return;
        next = elapsed + Math.min(Math.max(elapsed / 4, 1_000), 30_000);
        const ready = ids.filter((contentId) => isReady(rows.get(contentId)?.status)).length;
        const failed = problems.length === 0 ? "" : `, ${problems.length} failed`;
        const [pending] = open;
        const slow = pending === undefined ? "" : `: ${nameOf(pending, operation) ?? pending}`;
        operation.progress(`${count(ready)}/${count(ids.length)} ready${failed}${slow}`);
    };
}

/** A content that did not become Ready. */
interface Problem {
    contentId: string;
    kind: "failed" | "vanished" | "pending";
    text: string;
}

/** Not every source is known here, and all of a source URL may be secret: of an address only its origin is shown. */
function reasonOf({ reason }: ContentObject): string {
    return reason === undefined ? "Failed (no reason given)" : originsOnly(reason);
}

function problemOf(contentId: string, error: unknown): Problem {
    if (error instanceof Vanished) return { contentId, kind: "vanished", text: error.what };
    const text = error instanceof WaitTimeout ? error.what : messageOf(error);
    return { contentId, kind: "pending", text: withoutCodes(originsOnly(text)) };
}

function waysOut(problems: readonly Problem[]): string {
    const kinds = new Set(problems.map(({ kind }) => kind));
    const sentences = [
        kinds.has("failed") && advice.failed,
        kinds.has("vanished") && advice.vanished,
        kinds.has("pending") && (kinds.size === 1 ? advice.pending : advice.pendingToo),
    ];
    return sentences.filter((sentence) => sentence !== false).join(" ");
}

/** One line each: the id, the resource if this run knows it, and the problem. */
function list(problems: readonly Problem[], operation: Operation): string {
    const lines = problems.slice(0, maxListed).map(({ contentId, text }) => {
        const name = nameOf(contentId, operation);
        return `${contentId}${name === undefined ? "" : ` (${name})`}: ${text.replace(/[.\s]+$/, "")}`;
    });
    if (problems.length > maxListed) lines.push(`and ${count(problems.length - maxListed)} more`);
    return lines.map((line) => `\n  - ${line}`).join("");
}

/** The name of the resource that has the content, if this run knows it. */
function nameOf(contentId: string, { environment }: Operation): string | undefined {
    return parseUrn(environment.managers.by(contentId))?.name;
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
