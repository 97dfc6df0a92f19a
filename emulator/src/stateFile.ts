/**
 * Objects on disk: a file of JSON lines, each one a change. A change costs one appended line, so a thousand creates
 * cost a thousand lines and not a thousand rewrites, and an answered change is on disk even if the emulator is
 * killed. The file is condensed to one line per object at each start, and when changes have made it several times as large.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { lock } from "./lockFile";
import { contentFields, livestreamFields } from "./plainFields";
import { recordShape } from "./plainSchemas";
import { contentCreate } from "./requestSchemas";
import type { Change, Store } from "./store";
import { check } from "./validate";

/** A smaller file is condensed at the next start only. */
const condenseBytes = 4 * 1024 ** 2;
/** A file is condensed when it is this many times as large as its condensed form. */
const maxGrowth = 4;

const texts = z.array(z.string());
const policy = z.array(z.enum(["public", "signed"]));
const common = {
    environmentId: z.int(),
    title: z.string(),
    description: z.string(),
    tags: texts,
    metadata: z.array(z.object({ key: z.string(), value: z.string() })),
    playbackPolicy: policy,
    createdOn: z.number(),
};
const { watermark, subtitle } = contentCreate.shape;
const content = z.object({
    ...common,
    ...recordShape(contentFields),
    contentId: z.string(),
    sourceUrls: texts,
    watermark: watermark.unwrap(),
    subtitle: z.array(subtitle.unwrap().element.extend({ uuid: z.string(), createdOn: z.number() })),
    processingMs: z.number().nullable(),
    outcome: z
        .discriminatedUnion("playable", [
            z.object({
                playable: z.literal(true),
                durationMs: z.number(),
                resolution: z.string(),
                file: z.string().nullable(),
            }),
            z.object({ playable: z.literal(false), reason: z.string() }),
        ])
        .nullable(),
    thumbnailAtSec: z.number().nullable(),
    clip: z.object({ contentId: z.string(), startTime: z.number(), endTime: z.number() }).nullable(),
    statusOverride: z.object({ status: z.string(), reason: z.string().nullable() }).nullable(),
});
const livestream = z.object({
    ...common,
    ...recordShape(livestreamFields),
    streamUUID: z.string(),
    region: z.string(),
    record: z.boolean(),
    recordingsPlaybackPolicy: policy,
    streamKey: z.string(),
    status: z.string(),
    goneAt: z.number().nullable(),
});
const signingKey = z.object({
    id: z.number(),
    productTypeId: z.number(),
    environmentId: z.int(),
    signingKeyId: z.string(),
    createdOn: z.number(),
    createdBy: z.string(),
});
const deleted = z.object({ environmentId: z.int(), id: z.string() });
/** A line of the file. Without this check, a record with a wrong field would be taken, and break a later request. */
export const stateLine = z.union([
    z.strictObject({ content }),
    z.strictObject({ contentDeleted: deleted }),
    z.strictObject({ livestream }),
    z.strictObject({ livestreamDeleted: deleted }),
    z.strictObject({ signingKey }),
]) satisfies z.ZodType<Change>;

export class StateFile {
    readonly #path: string;
    readonly #store: Store;
    #descriptor: number;
    #bytes = 0;
    #condensedBytes = 0;

    private constructor(
        path: string,
        store: Store,
        now: number,
        private readonly unlock: () => Promise<void>,
        /** Resolves when the file has been removed, or another emulator has taken it. */
        readonly lost: Promise<void>,
    ) {
        this.#path = path;
        this.#store = store;
        if (fs.existsSync(path)) load(path, store);
        store.livestreams(now); // deletes those whose deletion has ended meanwhile
        this.#descriptor = this.#condense();
        store.observers.push((change) => this.#append(change));
    }

    /** Loads `path` into `store`, which from then on writes its changes there. */
    static async open(path: string, store: Store, now: number): Promise<StateFile> {
        fs.mkdirSync(dirname(path), { recursive: true });
        const { promise: lost, resolve } = Promise.withResolvers<void>();
        const unlock = await lockOf(path, resolve);
        try {
            return new StateFile(path, store, now, unlock, lost);
        } catch (error) {
            await unlock();
            throw error;
        }
    }

    async close(): Promise<void> {
        fs.closeSync(this.#descriptor);
        await this.unlock();
    }

    #append(change: Change): void {
        const line = `${JSON.stringify(change)}\n`;
        fs.appendFileSync(this.#descriptor, line);
        this.#bytes += line.length;
        if (this.#bytes < condenseBytes || this.#bytes < maxGrowth * this.#condensedBytes) return;
        fs.closeSync(this.#descriptor);
        this.#descriptor = this.#condense();
    }

    /** Writes one line per object, at once or not at all. Opens the file for the changes that follow. */
    #condense(): number {
        const lines = [
            ...this.#store.contents().map((content) => ({ content })),
            ...this.#store.livestreams(0).map((livestream) => ({ livestream })),
            ...this.#store.signingKeys().map((signingKey) => ({ signingKey })),
        ].map((change) => `${JSON.stringify(change)}\n`);
        fs.writeFileSync(`${this.#path}.new`, lines.join(""), { mode: 0o600 });
        fs.renameSync(`${this.#path}.new`, this.#path);
        this.#condensedBytes = lines.reduce((sum, { length }) => sum + length, 0);
        this.#bytes = this.#condensedBytes;
        return fs.openSync(this.#path, "a");
    }
}

/** The time for which the lock of a killed process lasts. */
const staleMs = 3000;

/** Locks the file for this process, until the lock is lost. Returns the function that unlocks it. */
async function lockOf(path: string, onCompromised: () => void): Promise<() => Promise<void>> {
    // A new lock's time lies up to a second ahead.
    const retries = { retries: (staleMs + 1000) / 500 + 1, minTimeout: 500, maxTimeout: 500 };
    const unlock = await lock(path, { realpath: false, stale: staleMs, retries, onCompromised }).catch((error) => {
        if (error.code !== "ELOCKED") throw error;
        throw new Error(`The state file ${path} is in use by another emulator. Stop that one, or choose another file`);
    });
    return () =>
        unlock().catch((error) => {
            // The lock was lost before.
            if (error.code !== "ERELEASED") throw error;
        });
}

function load(path: string, store: Store): void {
    const lines = fs.readFileSync(path, "utf8").split("\n");
    // A kill in the middle of a write leaves an unfinished last line: that change was not answered yet.
    lines.pop();
    for (const [index, line] of lines.entries()) {
        try {
            store.apply(check(stateLine, JSON.parse(line), "change"));
        } catch (cause) {
            throw new Error(`The state file ${path} is damaged in line ${index + 1}; repair or remove it`, { cause });
        }
    }
}
