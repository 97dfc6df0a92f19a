/** Reads the envelope `{status, code, message, data}`, or its absence, of an answer of status 2xx. */
import { z } from "zod";
import { denialOf, type FailedAnswer, malformed, parseJson } from "./failure";
import type { ContentObject, LivestreamObject } from "./model";
import { plainText } from "./plainText";
import type { Redactor } from "./redact";
import { tellingTexts } from "./texts";
import type { TransportAnswer } from "./transport";

export interface Reading {
    endpoint: string;
    redactor: Redactor;
}

const envelopeSchema = z.object({
    status: z.string().optional().catch(undefined),
    code: z.coerce.number().int().optional().catch(undefined),
    data: z.unknown().optional(),
});

/** An object must have its identifier. One that has it is there, whatever the envelope says. */
export function readObject<T extends object>(schema: z.ZodType<T>, answer: TransportAnswer, reading: Reading): T {
    const failed = failedAnswer(answer, reading);
    const json = parseJson(answer.body);
    if (json === undefined) throw malformed(failed, notJson(answer.body));
    const object = findObject(schema, json, reading.redactor);
    if (object !== undefined) return object;
    throw denial(json, failed, "object") ?? malformed(failed, "the answer has no object with an identifier");
}

/** As `readObject`, where an answer may also do without an object: an update, a deletion. */
export function readOptionalObject<T extends object>(
    schema: z.ZodType<T>,
    answer: TransportAnswer,
    reading: Reading,
): T | undefined {
    if (answer.body.trim() === "") return undefined;
    const failed = failedAnswer(answer, reading);
    const json = parseJson(answer.body);
    if (json === undefined) throw malformed(failed, notJson(answer.body));
    const object = findObject(schema, json, reading.redactor);
    const denied = object === undefined ? denial(json, failed, "object") : undefined;
    if (denied !== undefined) throw denied;
    return object;
}

/** An item that cannot be identified is left out; it takes no other with it. */
export function readList<T extends object>(schema: z.ZodType<T>, answer: TransportAnswer, reading: Reading): T[] {
    const failed = failedAnswer(answer, reading);
    const json = parseJson(answer.body);
    if (json === undefined) throw malformed(failed, notJson(answer.body));
    const list = Array.isArray(json) ? json : envelopeSchema.safeParse(json).data?.data;
    const items = Array.isArray(list) ? list.flatMap((item) => schema.safeParse(item).data ?? []) : [];
    if (items.length > 0) return items;
    const denied = denial(json, failed, "list");
    if (denied !== undefined) throw denied;
    // A list that looks empty and is not would make a lost creation happen twice, so nothing else is read as empty.
    if (!Array.isArray(list)) throw malformed(failed, "the answer has no list");
    if (list.length > 0) throw malformed(failed, "no item of the list has an identifier");
    return [];
}

function findObject<T extends object>(schema: z.ZodType<T>, json: unknown, redactor: Redactor): T | undefined {
    const envelope = envelopeSchema.safeParse(json).data;
    for (const candidate of [envelope?.data, json]) {
        const { data: object } = schema.safeParse(candidate);
        if (object !== undefined) return withReason(object, candidate, json, redactor);
    }
    return undefined;
}

/** Says why an object failed. The key is not documented, so everything is taken that looks like a reason. */
function withReason<T extends object>(object: T, raw: unknown, envelope: unknown, redactor: Redactor): T {
    const { status }: Pick<ContentObject | LivestreamObject, "status"> = object;
    if (status === undefined || !/^(?:failed|error)/i.test(status)) return object;
    const own = tellingTexts(raw);
    const texts =
        own.length > 0
            ? own
            : tellingTexts(envelope, 1).filter((text) => !/^ok\b|\bsuccess|fetched|retrieved|^found/i.test(text));
    const reason = plainText(texts.join("; "), redactor);
    return reason === "" ? object : { ...object, reason };
}

/** The error when an envelope says that a request failed which HTTP says succeeded. */
function denial(json: unknown, failed: FailedAnswer, asked: "object" | "list") {
    const { status, code } = envelopeSchema.safeParse(json).data ?? {};
    const saysSo = status !== undefined && status.toLowerCase() !== "success";
    if (!saysSo && (code === undefined || code < 400)) return undefined;
    // A code without such a status is too little to give an object up for; and a list is never missing.
    return denialOf(failed, code, saysSo && asked === "object");
}

function failedAnswer({ status, body }: TransportAnswer, { endpoint, redactor }: Reading): FailedAnswer {
    return { endpoint, status, body, redactor };
}

function notJson(body: string): string {
    return body.trim() === "" ? "the answer is empty" : "the answer is not JSON";
}
