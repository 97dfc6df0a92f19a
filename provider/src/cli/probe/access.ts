/** What can be found out without creating anything: credentials, refusals, signing keys. */
import { randomUUID } from "node:crypto";
import { messages } from "../../messages";
import { CommandError } from "../commandLine";
import type { Findings } from "./findings";
import { basic, bodyForm, isObject, type RawAnswer, type RawService } from "./rawService";

const toleratedSkewMs = 60_000;

/** The service answers these credentials; otherwise there is nothing to probe. */
export async function probeAccess(service: RawService, findings: Findings, now: () => number): Promise<void> {
    const list = await service.send("GET", "/contents", { query: { limit: 1 } });
    if (list.status === 401 || list.status === 403) {
        throw new CommandError(messages.probeRefused({ status: list.status }));
    }
    if (!list.ok || list.items === undefined) {
        throw new CommandError(messages.nothingToProbe({ status: list.status, body: describeBody(list) }));
    }
    const envelope = isObject(list.json) ? list.json : {};
    const isEnvelope = envelope.status === "Success" && typeof envelope.code === "number" && "message" in envelope;
    findings.judge("envelope", isEnvelope, `keys of a list's answer: ${Object.keys(envelope).sort().join(", ")}`);
    judgeDate(service, findings, now());
    await probeRefusals(service, findings);
    await probeSigningKeys(service, findings);
}

function judgeDate(service: RawService, findings: Findings, now: number): void {
    if (service.serverTime === undefined) {
        findings.judge("date", false, "no Date header", { dateSkewMs: null });
        return;
    }
    const aheadMs = service.serverTime - now;
    const isNear = Math.abs(aheadMs) <= toleratedSkewMs;
    // To the minute: this machine's clock and the way of the answer are no part of it.
    const dateSkewMs = Math.round(aheadMs / 60_000) * 60_000;
    findings.judge(
        "date",
        isNear,
        `${Math.round(aheadMs / 1000)} s ahead of this machine's clock`,
        isNear ? undefined : { dateSkewMs },
    );
}

async function probeRefusals(service: RawService, findings: Findings): Promise<void> {
    const stranger = await service.send("GET", "/contents", { authorization: basic(randomUUID(), randomUUID()) });
    findings.choose("unauthorized", [401, 403], stranger.status, `HTTP ${stranger.status}`, "unauthorizedCode");
    const challenge = stranger.headers["www-authenticate"] !== undefined;
    findings.choose("challenge", [false, true], challenge, challenge ? "it has one" : "it has none");

    const missing = await Promise.all(
        ["contents", "livestreams"].map((kind) => service.send("GET", `/${kind}/${randomUUID()}`)),
    );
    const codes = missing.map(({ status }) => status);
    findings.judge(
        "notFound",
        codes.every((code) => code === 404),
        `contents: HTTP ${codes[0]}, livestreams: HTTP ${codes[1]}`,
    );

    const invalid = await service.send("POST", "/contents", { body: {} });
    const errorBody = bodyForm(invalid);
    if (invalid.ok) {
        findings.judge("invalid", false, `an empty create was answered with HTTP ${invalid.status}`);
        const id = invalid.data?.contentId;
        if (typeof id === "string" || typeof id === "number")
            await service.send("DELETE", `/contents/${encodeURIComponent(id)}`);
    } else {
        // A token that may only read is refused for another reason.
        if (invalid.status === 403) findings.notShown("invalid", "these credentials may not create");
        else findings.choose("invalid", [400, 422], invalid.status, `HTTP ${invalid.status}`, "invalidCode");
        findings.choose("errorBody", ["envelope", "json", "html", "empty"], errorBody);
    }
    const [first] = missing;
    const notFoundBody = first === undefined ? errorBody : bodyForm(first);
    const isOwn = notFoundBody !== errorBody || invalid.ok;
    findings.judge(
        "notFoundBody",
        notFoundBody === "envelope",
        notFoundBody,
        isOwn && notFoundBody !== "text" ? { notFoundBody } : undefined,
    );
}

const keyFields = ["createdBy", "createdOn", "environmentId", "id", "productTypeId", "signingKeyId"];

async function probeSigningKeys(service: RawService, findings: Findings): Promise<void> {
    const { status, items } = await service.send("GET", "/signing-keys");
    const [key] = items ?? [];
    if (key === undefined) {
        const why = items === undefined ? `HTTP ${status}` : "the environment has no signing key";
        findings.notShown("signingKeys", why);
        findings.notShown("privateKeys", why);
        return;
    }
    const missing = keyFields.filter((field) => !(field in key));
    findings.judge(
        "signingKeys",
        missing.length === 0,
        missing.length === 0 ? "all six" : `without ${missing.join(", ")}`,
    );
    const hasPrivate = (items ?? []).some((item) => Object.keys(item).some((name) => /private|secret/i.test(name)));
    findings.judge("privateKeys", !hasPrivate, hasPrivate ? "a field is called private or secret" : "none");
}

export function describeBody(answer: RawAnswer): string {
    const form = bodyForm(answer);
    return form === "empty"
        ? "an empty body"
        : form === "json" || form === "envelope"
          ? "JSON"
          : form === "html"
            ? "HTML"
            : "text";
}
