/**
 * A 404 is passed on as "not found" only after a list of the same collection has answered the same credentials in this process. The
 * shape of its body proves nothing: the service's error bodies are not documented. `failure.ts` has rejected bodies that are
 * not JSON, and `operation/notFound.ts` decides what a 404 means for a recorded object.
 */

import { messages } from "../messages";
import { ApiError, AuthenticationError, UnconfirmedNotFoundError } from "./errors";
import type { Limits, RequestName } from "./exchange";

/** Reads the first page of a list. */
type List = (options: Limits) => Promise<unknown>;

/**
 * Makes sure, once per collection, that these credentials reach the service: its list has to answer. Only success is
 * remembered, and requests at the same time share one.
 */
export class NotFoundConfirmation {
    readonly #listed = new Set<string>();
    readonly #underWay = new Map<string, Promise<unknown>>();

    /** A list of this path was read. */
    listed(path: string): void {
        this.#listed.add(path);
    }

    /** Resolves when `path` is known to be listed with these credentials; else rejects with what the 404 is then. */
    async confirm(path: string, request: RequestName, list: List, options: Limits): Promise<void> {
        while (!this.#listed.has(path)) {
            options.signal?.throwIfAborted();
            const shared = this.#underWay.get(path);
            try {
                await (shared ?? this.#list(path, list, options));
            } catch (error) {
                options.signal?.throwIfAborted();
                // The failure is not that of another caller that was cancelled.
                if (shared !== undefined && !(error instanceof ApiError)) continue;
                throw error instanceof AuthenticationError ? error : unconfirmed(request, error);
            }
        }
    }

    async #list(path: string, list: List, { signal }: Limits): Promise<void> {
        const reading = list({ signal }).finally(() => this.#underWay.delete(path));
        this.#underWay.set(path, reading);
        await reading;
        this.listed(path);
    }
}

function unconfirmed({ endpoint, requestLine, id }: RequestName, listError: unknown): UnconfirmedNotFoundError {
    const error = listError instanceof Error ? listError.message : String(listError);
    const message = messages.notFoundUnconfirmed({ request: requestLine, id: id ?? "it", error });
    return new UnconfirmedNotFoundError(message, { endpoint, status: 404, outcome: "ambiguous" });
}
