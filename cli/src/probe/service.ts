/** The service without interpretation: each answer as received, under the name of its request. Deletes all objects that it has created. */
import { randomBytes } from "node:crypto";
import { ConnectionError, type Method, NotFoundError, type VideographApi } from "#provider/api/index";
import { isObject, parseJson } from "#provider/api/json";
import { parseHttpDate } from "#provider/api/requester";
import { isBeingDeleted } from "#provider/api/status";
import { messages } from "#provider/messages/index";
import { collectionOf, errorClause, type Kind, listObjects } from "../account";
import { CommandError } from "../commandLine";
import type { Connection } from "../connection";
import type { Shell } from "../shell";

export type JsonObject = Record<string, unknown>;

export interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly text: string;
    readonly json: unknown;
    /** The envelope's data, if it is an object; else empty. */
    readonly data: JsonObject;
    /** The envelope's data, if it is a list; else empty. */
    readonly items: readonly JsonObject[];
    readonly isList: boolean;
    readonly ok: boolean;
    readonly id: string | number | undefined;
    /** The service's clock, and this machine's, in ms since the epoch. */
    readonly time: number | undefined;
    readonly now: number;
    /** Facts of a repeated request: whether the last answer was the expected one, the time until then, and all statuses in between. */
    readonly holds: boolean;
    readonly afterMs: number;
    readonly statuses: readonly string[];
}

/** The answers, by the name that the script gives each request. */
export type Seen = Readonly<Record<string, Answer>>;

/** Whether a list may have a further page. */
export const isFull = ({ items }: Answer) => items.length >= 100;

export function bodyForm({ text, json }: Answer): "envelope" | "json" | "html" | "empty" | "text" {
    if (text.trim() === "") return "empty";
    if (isObject(json)) return "code" in json && ("status" in json || "message" in json) ? "envelope" : "json";
    if (json !== undefined) return "json";
    return /<\s*(!doctype|html)/i.test(text) ? "html" : "text";
}

export function statusOf({ status }: JsonObject): string | undefined {
    return typeof status === "string" ? status : undefined;
}

export const isMissing = ({ status }: Answer) => status === 404 || status === 410;

export function itemOf({ items }: Answer, id: string | number | undefined): JsonObject | undefined {
    return items.find((item) => id !== undefined && String(idIn(item)) === String(id));
}

/** The id in an object, as the service shows it: a number stays a number. */
export function idIn({ contentId, streamUUID }: JsonObject): string | number | undefined {
    const id = contentId ?? streamUUID;
    return typeof id === "string" || typeof id === "number" ? id : undefined;
}

const requestTimeoutMs = 60_000;
/** The shortest pause before a request is repeated; it grows with the wait. */
const pollMs = 500;
/** An effect may come this late, in ms: a livestream is deleted within such a time. */
const lateMs = 60_000;
/** The pause before the search for an object whose create was not answered, in ms: lists may be late. */
const searchAfterMs = 10_000;

interface Options {
    readonly body?: unknown;
    /** The header that takes the place of the credentials. */
    readonly authorization?: string;
    /** The kind of the object that the request creates. */
    readonly creates?: Kind;
    /** The condition for the answer: the request is repeated until it holds, or the limit is over. */
    readonly until?: (answer: Answer) => boolean;
    readonly limitMs?: number;
}

export class Service {
    readonly seen: Record<string, Answer> = {};
    readonly #digits = randomBytes(6).toString("hex");
    /** The title of the probe's objects. Its spaces show whether the service removes spaces. */
    readonly title = `pulumi-videograph probe  ${this.#digits} `;
    readonly metadata = [{ key: "videograph_probe", value: this.#digits }];
    readonly #shell: Shell;
    readonly #access: Connection;
    /** The signal that ends the probe. */
    readonly #interrupt: AbortSignal;
    /** The objects that the probe may have created. Without an id, an object is searched for by its title before it is deleted. */
    readonly #created = new Set<{ readonly kind: Kind; id?: string }>();

    constructor(shell: Shell, access: Connection, interrupt: AbortSignal) {
        this.#shell = shell;
        this.#access = access;
        this.#interrupt = interrupt;
    }

    /** Sends a request and keeps its answer. @throws {CommandError} when no answer comes, or the user interrupts. */
    async request(name: string, request: `${Method} ${string}`, options: Options = {}): Promise<Answer> {
        const { creates: kind, until = () => true, limitMs = lateMs } = options;
        const { clock, terminal } = this.#shell;
        const created: { kind: Kind; id?: string } | undefined = kind && { kind };
        if (created !== undefined) this.#created.add(created);
        const start = clock.monotonic();
        const statuses = new Set<string>();
        for (let isLate = false; ; isLate = true) {
            terminal.progress(request);
            const answer = await this.#send(request, options);
            if (answer.ok) statuses.add(statusOf(answer.data) ?? "none");
            if (answer.ok && answer.id !== undefined && created !== undefined) created.id = String(answer.id);
            else if (created !== undefined && answer.status >= 400 && answer.status < 500)
                this.#created.delete(created);
            const holds = until(answer);
            const elapsedMs = Math.round(clock.monotonic() - start);
            if (holds || elapsedMs > limitMs) {
                const seen = { ...answer, holds, afterMs: isLate ? elapsedMs : 0, statuses: [...statuses] };
                this.seen[name] = seen;
                return seen;
            }
            await clock.sleep(Math.max(pollMs, elapsedMs / 10), this.#interrupt);
        }
    }

    /** Deletes the objects that were created. Returns a sentence for each that could not be deleted. */
    async deleteCreated(api: VideographApi): Promise<string[]> {
        const problems: string[] = [];
        for (const { kind, id } of this.#created) {
            try {
                for (const one of id === undefined ? await this.#search(api, kind) : [id])
                    await collectionOf(api, kind).remove(one);
            } catch (error) {
                if (error instanceof NotFoundError) continue;
                const what = id === undefined ? `A ${kind} whose title ends with ${this.#digits}` : `${kind} ${id}`;
                problems.push(`${what} may be left: ${errorClause(error)}.`);
            }
        }
        return problems;
    }

    async #search(api: VideographApi, kind: Kind): Promise<string[]> {
        const { clock, terminal } = this.#shell;
        await clock.sleep(searchAfterMs);
        const items = await listObjects(api, [kind], terminal);
        const ours = items.filter(
            ({ title = "", status }) => !isBeingDeleted(status) && title.trim().endsWith(this.#digits),
        );
        return ours.map(({ id }) => id);
    }

    async #send(request: `${Method} ${string}`, { body, authorization }: Options): Promise<Answer> {
        this.#interrupt.throwIfAborted();
        const { baseUrl, accessTokenId, secretKey, transport } = this.#access;
        const [method, path] = request.split(" ") as [Method, string];
        const headers = {
            accept: "application/json",
            authorization: authorization ?? basicAuthorization(accessTokenId, secretKey),
            "user-agent": "pulumi-videograph",
            ...(body !== undefined && { "content-type": "application/json" }),
        };
        const signal = AbortSignal.any([this.#interrupt, AbortSignal.timeout(requestTimeoutMs)]);
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const url = `${baseUrl}/video/services/api/v1${path}`;
        try {
            return this.#read(await transport.send({ method, url, headers, ...sent, signal }));
        } catch (error) {
            this.#interrupt.throwIfAborted();
            throw new CommandError(
                error instanceof ConnectionError
                    ? messages.connectionFailed({ request, reason: error.message })
                    : messages.noAnswer({ request, seconds: requestTimeoutMs / 1000 }),
            );
        }
    }

    #read({ status, headers, body: text }: Pick<Answer, "status" | "headers"> & { body: string }): Answer {
        const json = parseJson(text);
        const shown = isObject(json) && "data" in json ? json.data : json;
        const data = isObject(shown) ? shown : {};
        return {
            status,
            headers,
            text,
            json,
            data,
            ok: status >= 200 && status < 300,
            items: Array.isArray(shown) ? shown.filter(isObject) : [],
            isList: Array.isArray(shown),
            id: idIn(data),
            time: parseHttpDate(headers.date),
            now: this.#shell.clock.now(),
            holds: true,
            afterMs: 0,
            statuses: [],
        };
    }
}

export function basicAuthorization(user: string, password: string): string {
    return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
