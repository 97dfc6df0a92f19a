/** What the service has answered, under the names of the requests. */
import { isObject } from "#provider/api/json";

export type JsonObject = Record<string, unknown>;

export interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly text: string;
    readonly json: unknown;
    /** The envelope's data, if it is an object; else empty. */
    readonly data: JsonObject;
    /** The envelope's data, if it is a list; else empty. */
    readonly items: readonly JsonObject[];
    readonly isList: boolean;
    readonly ok: boolean;
    /** That of the object, as the service shows it: a number stays one. */
    readonly id: string | number | undefined;
    /** The service's clock, and this machine's, in ms since the epoch. */
    readonly time: number | undefined;
    readonly now: number;
    /** Of a request that was repeated: whether the last answer was the expected one, after which time, and all statuses in between. */
    readonly holds: boolean;
    readonly afterMs: number;
    readonly statuses: readonly string[];
}

/** By the name that the script gives each request. */
export type Seen = Readonly<Record<string, Answer>>;

/** All pages of a list are read up to this many items. */
export const mostListed = 1_000;

/** Whether a list is too long to be read completely. */
export const isCut = ({ items }: Answer) => items.length >= mostListed;

/** The form of an answer's body. */
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

/** Whether a list has the object, or is too long to say. */
export function lists(id: string | number) {
    return (answer: Answer) => isCut(answer) || answer.items.some((item) => idIn(item) === String(id));
}

export function idIn({ contentId, streamUUID }: Record<string, unknown>): string {
    return String(contentId ?? streamUUID);
}
