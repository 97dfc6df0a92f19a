/**
 * What the probe creates, and its removal, also after failures and interrupts. A file remembers each probe that may have
 * left something, so that the next one cleans up after a probe that was killed.
 */

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { NotFoundError, type VideographApi } from "#provider/api/index";
import { isObject, parseJson } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { isLeaving } from "#provider/wait/status";
import { clauseOf, type Kind, list, readOne } from "../account";
import { CommandError } from "../commandLine";
import type { Shell } from "../shell";

/** The title of everything that a probe creates begins with it; 12 random hex digits follow, which the file remembers. */
const titlePrefix = "pulumi-videograph probe ";
/** The metadata key of the digits. */
export const traceKey = "videograph_probe";

const traceSchema = z.object({
    digits: z.string().regex(/^[0-9a-f]{12}$/),
    kind: z.enum(["Content", "Livestream"]),
    /** Missing as long as no answer has shown it. */
    id: z.string().optional(),
});
type Trace = z.infer<typeof traceSchema>;

/** Pauses before each search for an object whose create was not answered, in ms: lists may be late. */
const searchPausesMs = [0, 3_000, 7_000];

export class Traces {
    readonly #folder: string;
    readonly #shell: Shell;
    readonly #api: VideographApi;

    constructor(shell: Shell, api: VideographApi) {
        const home = shell.variables.PULUMI_HOME || join(homedir(), ".pulumi");
        this.#folder = join(home, "videograph", "probe", api.fingerprint);
        this.#shell = shell;
        this.#api = api;
    }

    /** Remembers that an object may be created from now on. Gives the digits for its title and metadata. */
    async begin(kind: Kind): Promise<string> {
        const digits = randomBytes(6).toString("hex");
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#write({ digits, kind });
        return digits;
    }

    /** The create was answered. */
    created(digits: string, kind: Kind, id: string): Promise<void> {
        return this.#write({ digits, kind, id });
    }

    /** Deletes what this probe and earlier, killed ones left. Gives what could not be deleted, each in a sentence. */
    async clean(): Promise<string[]> {
        const problems: string[] = [];
        for (const trace of await this.#remembered()) {
            try {
                for (const id of trace.id === undefined ? await this.#search(trace) : [trace.id]) {
                    await this.#remove(trace, id);
                }
                await rm(this.#file(trace), { force: true });
            } catch (error) {
                const what =
                    trace.id === undefined
                        ? `A ${trace.kind} titled "${titlePrefix}${trace.digits}"`
                        : `${trace.kind} ${trace.id}`;
                problems.push(`${what} may be left: ${clauseOf(error)}.`);
            }
        }
        return problems;
    }

    async #search({ digits, kind }: Trace): Promise<string[]> {
        for (const pauseMs of searchPausesMs) {
            await this.#shell.clock.sleep(pauseMs);
            const { items } = await list(this.#api, [kind], this.#shell.talk);
            const left = items.filter(({ title = "", status }) => !isLeaving(status) && isTitle(title, digits));
            if (left.length > 0) return left.map(({ id }) => id);
        }
        return [];
    }

    /** A remembered id is only deleted while its object has the probe's title: ids of two environments may coincide. */
    async #remove({ kind, digits }: Trace, id: string): Promise<void> {
        try {
            const { title = "" } = await readOne(this.#api, { kind, id });
            if (!isTitle(title, digits)) throw new CommandError(messages.notTheProbes({ kind, id }));
            if (kind === "Content") await this.#api.deleteContent(id);
            else await this.#api.deleteLivestream(id);
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
        }
    }

    async #remembered(): Promise<Trace[]> {
        const files = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(".json"));
        const texts = await Promise.all(
            files.map((file) => readFile(join(this.#folder, file), "utf8").catch(() => "")),
        );
        return texts.flatMap((text) => traceSchema.safeParse(parseJson(text)).data ?? []);
    }

    #file({ digits }: Trace): string {
        return join(this.#folder, `${digits}.json`);
    }

    async #write(trace: Trace): Promise<void> {
        // A kill in the middle must not leave half a file.
        const draft = `${this.#file(trace)}.tmp`;
        await writeFile(draft, JSON.stringify(trace), { mode: 0o600 });
        await rename(draft, this.#file(trace));
    }
}

/** With blanks that a service may remove. */
export function titleOf(digits: string): string {
    return `${titlePrefix} ${digits} `;
}

function isTitle(title: string, digits: string): boolean {
    return title.startsWith(titlePrefix.trim()) && title.trim().endsWith(digits);
}

/** The probe's digits in metadata of either form. */
export function traceIn(metadata: unknown): string | undefined {
    const value = Array.isArray(metadata)
        ? metadata.filter(isObject).find(({ key }) => key === traceKey)?.value
        : isObject(metadata)
          ? metadata[traceKey]
          : undefined;
    return typeof value === "string" ? value : undefined;
}
