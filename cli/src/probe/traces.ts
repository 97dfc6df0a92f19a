/**
 * The objects that the probe creates, and their removal, also after failures and interrupts. A file remembers each object
 * that may be left, so that the next probe deletes those of one that was killed.
 */

import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { NotFoundError, type VideographApi } from "#provider/api/index";
import { isObject } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { isLeaving } from "#provider/wait/status";
import { clauseOf, type Kind, list, readOne } from "../account";
import { CommandError } from "../commandLine";
import type { Shell } from "../shell";

/** The title of everything that a probe creates begins with it; 12 random hex digits follow, which the file remembers. */
const titlePrefix = "pulumi-videograph probe ";
/** The metadata key of the digits. */
const traceKey = "videograph_probe";

/** A file without content, whose name says all: a kill cannot leave half of it. */
interface Trace {
    readonly kind: Kind;
    readonly digits: string;
    /** Missing as long as no answer has shown it. */
    readonly id?: string | undefined;
}

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
        await writeFile(this.#file({ kind, digits }), "", { mode: 0o600 });
        return digits;
    }

    /** The create was answered. */
    created(digits: string, kind: Kind, id: string): Promise<void> {
        return rename(this.#file({ kind, digits }), this.#file({ kind, digits, id }));
    }

    /** Deletes the objects of this probe and of earlier, killed ones. Gives those that could not be deleted, each in a sentence. */
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
            const items = await list(this.#api, [kind], this.#shell.terminal);
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
        const names = await readdir(this.#folder).catch(() => []);
        return names.flatMap((name) => {
            const [, kind, digits = "", id = ""] = /^(Content|Livestream)-([0-9a-f]{12})-(.*)$/.exec(name) ?? [];
            if (kind === undefined) return [];
            return { kind: kind as Kind, digits, id: id === "" ? undefined : decodeURIComponent(id) };
        });
    }

    #file({ kind, digits, id = "" }: Trace): string {
        return join(this.#folder, `${kind}-${digits}-${encodeURIComponent(id)}`);
    }
}

/** With spaces that a service may remove. */
export function titleOf(digits: string): string {
    return `${titlePrefix} ${digits} `;
}

export function metadataOf(digits: string) {
    return [{ key: traceKey, value: digits }];
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
