/** The objects that a probe has created, and their removal, also after failures and interrupts. */
import { randomBytes } from "node:crypto";
import { NotFoundError, type VideographApi } from "#provider/api/index";
import { isObject } from "#provider/api/json";
import { isLeaving } from "#provider/wait/status";
import { clauseOf, type Kind, list } from "../account";
import type { Shell } from "../shell";

/** The title of everything that a probe creates begins with it; 12 random hex digits follow. */
const titlePrefix = "pulumi-videograph probe ";
/** The metadata key of the digits. */
const traceKey = "videograph_probe";

interface Trace {
    readonly kind: Kind;
    readonly digits: string;
    /** Missing as long as no answer has shown it. */
    id?: string;
}

/** Pauses before each search for an object whose create was not answered, in ms: lists may be late. */
const searchPausesMs = [0, 3_000, 7_000];

export class Traces {
    readonly #shell: Shell;
    readonly #api: VideographApi;
    readonly #traces: Trace[] = [];

    constructor(shell: Shell, api: VideographApi) {
        this.#shell = shell;
        this.#api = api;
    }

    /** An object may be created from now on. Gives the digits for its title and metadata. */
    begin(kind: Kind): string {
        const digits = randomBytes(6).toString("hex");
        this.#traces.push({ kind, digits });
        return digits;
    }

    /** The create was answered. */
    created(digits: string, id: string): void {
        const trace = this.#traces.find((one) => one.digits === digits);
        if (trace !== undefined) trace.id = id;
    }

    /** Deletes them all. Gives those that could not be deleted, each in a sentence. */
    async clean(): Promise<string[]> {
        const problems: string[] = [];
        for (const trace of this.#traces) {
            const { kind, digits, id } = trace;
            try {
                for (const one of id === undefined ? await this.#search(trace) : [id]) await this.#remove(kind, one);
            } catch (error) {
                const what = id === undefined ? `A ${kind} titled "${titlePrefix}${digits}"` : `${kind} ${id}`;
                problems.push(`${what} may be left: ${clauseOf(error)}.`);
            }
        }
        return problems;
    }

    async #search({ digits, kind }: Trace): Promise<string[]> {
        for (const pauseMs of searchPausesMs) {
            await this.#shell.clock.sleep(pauseMs);
            const items = await list(this.#api, [kind], this.#shell.terminal);
            const left = items.filter(({ title = "", status }) => !isLeaving(status) && title.trim().endsWith(digits));
            if (left.length > 0) return left.map(({ id }) => id);
        }
        return [];
    }

    async #remove(kind: Kind, id: string): Promise<void> {
        try {
            if (kind === "Content") await this.#api.deleteContent(id);
            else await this.#api.deleteLivestream(id);
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
        }
    }
}

/** With spaces that a service may remove. */
export function titleOf(digits: string): string {
    return `${titlePrefix} ${digits} `;
}

export function metadataOf(digits: string) {
    return [{ key: traceKey, value: digits }];
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
