/**
 * When a 404 is news of an object: only when the service itself said it. A gateway that has lost its route, a proxy or a
 * wrong baseUrl answer 404 for everything, and a refresh that believed it would empty the stack.
 */

import * as z from "zod";
import { messages } from "../messages";
import type { CallOptions } from "./client";
import { ApiError, AuthenticationError, UnconfirmedNotFoundError } from "./errors";
import type { RequestName } from "./exchange";

/**
 * The service's envelope is `{status, code, message, data}`; what it looks like in an error is not documented. It is
 * recognised by `code`, which no common gateway has at the top level, together with a text beside it. Not recognised are
 * HTML, an empty body and, among others, Kong's `{"message"}`, AWS's `{"message"}`, Spring's `{"timestamp", "status": 404,
 * "error", "path"}`, NestJS's and Azure's `{"statusCode", "message"}`, Google's `{"error": {"code"}}`. WSO2's gateway has
 * `code` and `message` as well, and is known by its `type`.
 */
const ownNotFound = z
    .looseObject({ code: z.union([z.literal([404, 410]), z.string().regex(/^\s*(404|410)\s*$/)]) })
    .refine(({ status, message }) => typeof status === "string" || typeof message === "string")
    .refine(({ type }) => type !== "Status report");

/** Whether the body of a 404 or 410, parsed, is the service's own. */
export function isOwnNotFound(body: unknown): boolean {
    return ownNotFound.safeParse(body).success;
}

/** What reads the first page of a list. */
type List = (options: CallOptions) => Promise<unknown>;

/**
 * Makes sure, once per collection, that these credentials reach the service: its list has to answer. Only success is
 * remembered, and those who ask at the same time share one request.
 */
export class NotFoundConfirmation {
    readonly #listed = new Set<string>();
    readonly #underWay = new Map<string, Promise<unknown>>();

    /** A list of this path was read. */
    listed(path: string): void {
        this.#listed.add(path);
    }

    /** Resolves when `path` is known to be listed with these credentials; else rejects with what the 404 is then. */
    async confirm(path: string, request: RequestName, list: List, options: CallOptions): Promise<void> {
        while (!this.#listed.has(path)) {
            options.signal?.throwIfAborted();
            const shared = this.#underWay.get(path);
            try {
                await (shared ?? this.#list(path, list, options));
            } catch (error) {
                options.signal?.throwIfAborted();
                // The list was not read for somebody else, who has given up.
                if (shared !== undefined && !(error instanceof ApiError)) continue;
                throw error instanceof AuthenticationError ? error : unconfirmed(request, error);
            }
        }
    }

    async #list(path: string, list: List, { signal }: CallOptions): Promise<void> {
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
