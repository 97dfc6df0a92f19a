/** One wait for many contents: it has no object on the service, and only records that all of them are Ready. */

import { isDeepStrictEqual } from "node:util";
import { type ContentObject, Deadline, originsOnly } from "../api";
import { contentDefinition } from "../definitions/content";
import { nonBlank } from "../definitions/definition";
import { newNonce } from "../evidence/marker";
import { redactorFor } from "../inputs/redactor";
import { hasUnknown } from "../inputs/unknown";
import { problemsOf } from "../inputs/validate";
import type { Properties } from "../inputs/values";
import { type Lifecycle, PartialFailure } from "../lifecycle/lifecycle";
import { messageOf, messages, withoutCodes } from "../messages";
import type { Operation } from "../operation/operation";
import { parseUrn } from "../urn";
import { isFailed, isReady } from "../wait/status";
import { Vanished, WaitTimeout } from "../wait/watcher";
import { contentTimeouts } from "./content";
import { count, Many } from "./many";

const fields = { contentIds: { type: { kind: "list", of: nonBlank }, required: true } } as const;

interface WaitedContent {
    contentId: string;
    status: string;
    playbackUrl: string | undefined;
    duration: number | undefined;
}

export const contentReadiness: Lifecycle = {
    check: (news) => ({ inputs: { ...news }, problems: problemsOf(fields, news) }),

    inputs: ["contentIds"],

    diff({ olds, news }) {
        if (hasUnknown(news.contentIds) || !isDeepStrictEqual(olds.contentIds, news.contentIds)) {
            return { kind: "update", because: ["contentIds"] };
        }
        const ready = readyIn(olds);
        const isComplete = Array.isArray(olds.contentIds) && olds.contentIds.every((id) => ready.has(id));
        return isComplete ? { kind: "none" } : { kind: "update", because: ["contents"] };
    },

    async create(inputs, operation) {
        const id = `readiness-${newNonce(operation.services.random)}`;
        const limitMs = operation.timeouts.create ?? contentTimeouts.create;
        return { id, outputs: await waitForAll({ id, inputs, known: new Map(), limitMs }, operation) };
    },

    async read({ olds: { contentIds, contents } }) {
        return { inputs: { contentIds }, outputs: { contentIds, contents } };
    },

    update({ id, olds, news }, operation) {
        const limitMs = operation.timeouts.update ?? contentTimeouts.update;
        // Ready contents stay Ready: only the others are read.
        return waitForAll({ id, inputs: news, known: readyIn(olds), limitMs }, operation);
    },

    async delete() {},
};

interface WaitRequest {
    id: string;
    inputs: Properties;
    /** Contents that are Ready already. */
    known: ReadonlyMap<string, WaitedContent>;
    limitMs: number;
}

async function waitForAll({ id, inputs, known, limitMs }: WaitRequest, operation: Operation): Promise<Properties> {
    const { watcher, clock, claims, isSecret, secrets } = operation.services;
    const { signal } = operation;
    const ids = [...new Set(inputs.contentIds as string[])];
    const deadline = Deadline.after(clock, limitMs);
    const waited = new Map(known);
    const unready = ids.filter((contentId) => !known.has(contentId));
    const many = new Many(operation, {
        done: "ready",
        before: ids.length - unready.length,
        nameOf: (contentId) => parseUrn(claims.ownerOf(contentId))?.name,
        explain: (error) => errorText(error).replace(/[.\s]+$/, ""),
    });
    await many.each(
        unready.map((key) => ({ key })),
        async ({ key }) => {
            const redactor = secrets.join(redactorFor(contentDefinition, [claims.propertiesOf(key)], isSecret));
            const options = { deadline, redactor, onStatus: () => many.say() };
            const object = await watcher.untilSettled(key, options);
            waited.set(key, waitedOf(object));
            if (isFailed(object.status)) throw new ContentFailed(object.reason);
        },
    );
    const contents = ids.map((contentId) => waited.get(contentId) ?? { contentId, status: "unknown" });
    const outputs = { contentIds: inputs.contentIds, contents };
    if (signal.aborted) throw new PartialFailure(id, outputs, messages.interrupted());
    if (many.failed === 0) return outputs;
    const { failed, total, list } = many;
    throw new PartialFailure(id, outputs, messages.notAllReady({ number: count(failed), total, list }));
}

class ContentFailed extends Error {}

/** The source URLs are not known here and may be secrets, so messages show only the origins of addresses. */
function errorText(error: unknown): string {
    if (error instanceof ContentFailed) return originsOnly(error.message || "Failed (no reason given)");
    if (error instanceof Vanished) return error.what;
    return withoutCodes(originsOnly(error instanceof WaitTimeout ? error.what : messageOf(error)));
}

function readyIn({ contents }: Properties): Map<string, WaitedContent> {
    const waited = (Array.isArray(contents) ? contents : []) as WaitedContent[];
    return new Map(waited.filter(({ status }) => isReady(status)).map((one) => [one.contentId, one]));
}

function waitedOf({ contentId, status, playbackUrl, duration }: ContentObject): WaitedContent {
    return { contentId, status: status ?? "unknown", playbackUrl, duration };
}
