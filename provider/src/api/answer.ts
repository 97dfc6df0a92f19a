/** Reads the envelope `{status, code, message, data}`, or its absence, of an answer of status 2xx. */

import { z } from "zod";
import { messages } from "../messages";
import { errorTexts } from "./errorText";
import type { RequestName } from "./exchange";
import { denialOf, type FailedAnswer, malformed, parseBody } from "./failure";
import type { Redactor } from "./redact";
import { sanitize } from "./sanitize";
import { type ContentObject, isFailureStatus, type LivestreamObject } from "./schema";
import type { TransportAnswer } from "./transport";

const code = z.union([z.int(), z.string().regex(/^\s*\d{3}\s*$/)]).transform(Number);
const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);

const envelopeSchema = z.object({
    /** A word, or in place of `code` and `success`: a code, a flag. */
    status: z.union([code, flag, z.string().trim()]).optional().catch(undefined),
    code: code.optional().catch(undefined),
    success: flag.optional().catch(undefined),
    data: z.unknown().optional(),
});

const successWords = /^(success\w*|succeeded|ok|okay|accepted|created|updated|delet(ed|ing)|done|completed?)$/i;
const failureWords = /^(error|err|fail|invalid|denied|refused|rejected|forbidden|unauthori[sz]ed|not\b|bad\b)/i;

/** An object must have its identifier. One that has it is there, whatever the envelope says. */
export function readObject<T extends object>(schema: z.ZodType<T>, answer: TransportAnswer, reading: RequestName): T {
    const failed = failedAnswer(answer, reading);
    const json = parseBody(answer.body);
    if (json === undefined) throw notJson(failed);
    const object = findObject(schema, json, reading.redactor);
    if (object !== undefined) return object;
    throw denial(json, failed, "object") ?? malformed(failed, messages.noObject);
}

/** As `readObject`, for an update and a deletion: the answer may do without an object, and no object proves success. */
export function readOptionalObject<T extends object>(
    schema: z.ZodType<T>,
    answer: TransportAnswer,
    reading: RequestName,
): T | undefined {
    if (answer.body.trim() === "") return undefined;
    const failed = failedAnswer(answer, reading);
    const json = parseBody(answer.body);
    if (json === undefined) throw notJson(failed);
    // An object without an envelope has a status too, which is its own. One inside an envelope may be shown as it was
    // earlier.
    const bare = schema.safeParse(json).success;
    const denied = bare ? undefined : denial(json, failed, "object");
    if (denied !== undefined) throw denied;
    return findObject(schema, json, reading.redactor);
}

/** An item that cannot be identified is left out; it takes no other with it. */
export function readList<T extends object>(schema: z.ZodType<T>, answer: TransportAnswer, reading: RequestName): T[] {
    const failed = failedAnswer(answer, reading);
    const json = parseBody(answer.body);
    if (json === undefined) throw notJson(failed);
    const list = Array.isArray(json) ? json : envelopeOf(json).data;
    const items = Array.isArray(list) ? list.flatMap((item) => schema.safeParse(item).data ?? []) : [];
    if (items.length > 0) return items;
    const denied = denial(json, failed, "list");
    if (denied !== undefined) throw denied;
    // A list that looks empty and is not would make a lost creation happen twice, so nothing else is read as empty.
    if (!Array.isArray(list)) throw malformed(failed, messages.noList);
    if (list.length > 0) throw malformed(failed, messages.noIdentifiers);
    return [];
}

function findObject<T extends object>(schema: z.ZodType<T>, json: unknown, redactor: Redactor): T | undefined {
    for (const candidate of [envelopeOf(json).data, json]) {
        const { data: object } = schema.safeParse(candidate);
        if (object !== undefined) return withReason(object, candidate, json, redactor);
    }
    return undefined;
}

/** Says why an object failed. The key is not documented, so everything is taken that looks like a reason. */
function withReason<T extends object>(object: T, raw: unknown, envelope: unknown, redactor: Redactor): T {
    const { status }: Pick<ContentObject | LivestreamObject, "status"> = object;
    if (!isFailureStatus(status)) return object;
    const own = errorTexts(raw);
    const texts =
        own.length > 0
            ? own
            : errorTexts(envelope, 1).filter((text) => !/^ok\b|\bsuccess|fetched|retrieved|^found/i.test(text));
    const reason = sanitize(texts.join("; "), redactor);
    return reason === "" ? object : { ...object, reason };
}

/** The error when an envelope says that a request failed which HTTP says succeeded. */
function denial(json: unknown, failed: FailedAnswer, asked: "object" | "list") {
    const { status, success, code = typeof status === "number" ? status : undefined } = envelopeOf(json);
    const saysSo = status === false || success === false || (typeof status === "string" && deniedBy(status, code));
    if (!saysSo && (code === undefined || code < 400)) return undefined;
    // A code without such a status is too little to give an object up for; and a list is never missing.
    return denialOf(failed, code, saysSo && asked === "object");
}

/** Whether a status denies success. One that is neither known word is believed when the code says success. */
function deniedBy(status: string, code: number | undefined): boolean {
    if (successWords.test(status)) return false;
    return failureWords.test(status) || code === undefined || code < 200 || code > 299;
}

const envelopeOf = (json: unknown) => envelopeSchema.safeParse(json).data ?? ({} as z.infer<typeof envelopeSchema>);

function failedAnswer({ status, body }: TransportAnswer, reading: RequestName): FailedAnswer {
    return { ...reading, status, body };
}

function notJson(failed: FailedAnswer) {
    return malformed(failed, failed.body.trim() === "" ? messages.empty : messages.notJson);
}
