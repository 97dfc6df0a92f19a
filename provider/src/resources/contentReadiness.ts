/** A resource that waits for many contents at once, and does nothing else. The service has no object for it. */

import { isDeepStrictEqual } from "node:util";
import { isFailed, isReady } from "../api/status";
import { list, nonBlank, object } from "../definitions/schemas";
import { newNonce } from "../evidence/marker";
import { problemsOf } from "../inputs/validate";
import { type Change, hasUnknown, type Properties } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { count, messageOf, messages, withoutCodes } from "../messages";
import { deadlineOf, type Operation, PartialFailure } from "../operation/operation";
import { parseUrn } from "../urn";
import { WaitFailure } from "../wait/untilSettled";
import { contentTimeouts, waitForOther } from "./content";
import { Many } from "./many";

const schema = object({ contentIds: list(nonBlank()) });

export const contentReadiness: Lifecycle = {
    inputs: Object.keys(schema.shape),

    check: (news) => ({ inputs: { ...news }, problems: problemsOf(schema, news) }),

    diff({ olds, news }) {
        if (hasUnknown(news.contentIds) || !isDeepStrictEqual(olds.contentIds, news.contentIds))
            return { kind: "update", because: ["contentIds"] };
        const ready = readyIn(olds);
        const isComplete = Array.isArray(olds.contentIds) && olds.contentIds.every((id) => ready.has(id));
        return isComplete ? { kind: "none" } : { kind: "update", because: ["contents"] };
    },

    async create(inputs, operation) {
        const id = `readiness-${newNonce(operation.services.random)}`;
        return { id, outputs: await waitForAll({ id, olds: {}, news: inputs }, operation) };
    },

    read: async ({ olds: { contentIds, contents } }) => ({ inputs: { contentIds }, outputs: { contentIds, contents } }),

    update: waitForAll,

    async delete() {},
};

/** Waits for all contents, except those that an earlier run has seen Ready: a content that was Ready once stays Ready. */
async function waitForAll({ id, olds, news }: Change, operation: Operation): Promise<Properties> {
    const { claims } = operation.services;
    const ids = [...new Set(news.contentIds as string[])];
    const deadline = deadlineOf(operation, olds.contents === undefined ? "create" : "update", contentTimeouts);
    const waited = readyIn(olds);
    const unready = ids.filter((contentId) => !waited.has(contentId)).map((key) => ({ key }));
    const many = new Many(operation, {
        doneWord: "ready",
        before: ids.length - unready.length,
        nameOf: (contentId) => parseUrn(claims.ownerOf(contentId))?.name,
        explain(error) {
            const text = error instanceof WaitFailure ? error.what : messageOf(error);
            return withoutCodes(text).replace(/[.\s]+$/, "");
        },
    });
    await many.each(unready, async ({ key }) => {
        const content = await waitForOther(key, operation, { deadline, onStatus: () => many.say() });
        const { contentId, status = "unknown", playbackUrl, duration, reason } = content;
        waited.set(key, { contentId, status, playbackUrl, duration });
        if (isFailed(status)) throw new Error(reason || "Failed (no reason given)");
    });
    const contents = ids.map((contentId) => waited.get(contentId) ?? { contentId, status: "unknown" });
    const outputs = { contentIds: news.contentIds, contents };
    if (operation.signal.aborted) throw new PartialFailure(id, outputs, messages.interrupted());
    if (many.failed === 0) return outputs;
    const { failed, totalText: total, list } = many;
    throw new PartialFailure(id, outputs, messages.notAllReady({ number: count(failed), total, list }));
}

/** The contents that the state records as Ready, by their ids. */
function readyIn({ contents }: Properties): Map<unknown, Properties> {
    const waited: Properties[] = Array.isArray(contents) ? contents : [];
    return new Map(waited.filter(({ status }) => isReady(status)).map((one) => [one.contentId, one]));
}
