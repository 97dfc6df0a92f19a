/**
 * The objects that an interrupted `orphans` has read and that do not have the stack's marker. They are in a file beside the
 * journal, until a run has ended. It holds for one day: what was read long ago says little. Without the file everything is
 * read again, which is slower and nothing else.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { digest } from "../../lifecycle/create/digest";
import type { Listed } from "../account";
import { keyOf } from "../names";
import { PartialResult } from "../partial";
import type { StackIdentity } from "../stackState";

const keysSchema = z.array(z.string());
/** In one line of the file. */
const keysInLine = 64;

export class ReadBefore {
    readonly #folder: string;
    readonly #fingerprint: string;
    readonly #day: string;
    /** `undefined` before the begin, and where it cannot be written. */
    #file: PartialResult<string[]> | undefined;
    #pending: string[] = [];

    /** @param fingerprint - Of the credentials in use. */
    constructor(folder: string, fingerprint: string, day: string) {
        this.#folder = folder;
        this.#fingerprint = fingerprint;
        this.#day = day;
    }

    /** The keys of the objects that need not be read again for this stack. */
    async begin({ project, stack }: StackIdentity): Promise<ReadonlySet<string>> {
        const name = `orphans-${digest(`${project}/${stack}`)}.partial`;
        const selection = { project, stack, fingerprint: this.#fingerprint, day: this.#day };
        const parse = (value: unknown) => keysSchema.safeParse(value).data;
        this.#file = new PartialResult(join(this.#folder, name), selection, parse);
        const keys = new Set<string>();
        await this.#use(async (file) => {
            await mkdir(this.#folder, { recursive: true, mode: 0o700 });
            for await (const line of file.begin()) for (const key of line) keys.add(key);
        });
        return keys;
    }

    async add(item: Listed): Promise<void> {
        this.#pending.push(keyOf(item));
        if (this.#pending.length < keysInLine) return;
        const line = this.#pending;
        this.#pending = [];
        await this.#use((file) => file.add(line));
    }

    /** The command has ended: the next one reads everything. */
    async remove(): Promise<void> {
        await this.#use((file) => file.remove());
    }

    async #use(body: (file: PartialResult<string[]>) => Promise<void>): Promise<void> {
        try {
            if (this.#file !== undefined) await body(this.#file);
        } catch {
            this.#file = undefined;
        }
    }
}
