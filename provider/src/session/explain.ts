/** Adds to an error message where the setting comes from that may be wrong: from the provider, the environment, or the stack's configuration. */

import {
    AuthenticationError,
    ClientError,
    ConnectionError,
    defaultBaseUrl,
    MalformedAnswerError,
    NotFoundError,
    UnconfirmedNotFoundError,
} from "../api";
import { append, type Message, messageFrom, messages, origins } from "../messages";
import { type ResolvedSettings, type SettingName, type Source, variables } from "./settings";

export function explainError(error: unknown, { baseUrl = defaultBaseUrl, sources }: ResolvedSettings): Message {
    const message = messageFrom(error);
    if (error instanceof AuthenticationError) return append(message, credentialsFrom(sources));
    const kinds = [UnconfirmedNotFoundError, ConnectionError, MalformedAnswerError];
    const isWrongPlace = error instanceof ClientError && !(error instanceof NotFoundError) && isElsewhere(error.status);
    if (!isWrongPlace && !kinds.some((kind) => error instanceof kind)) return message;
    const origin = sources.baseUrl === undefined ? "the default" : `from ${places[sources.baseUrl](["baseUrl"])}`;
    return append(message, origins.baseUrl(baseUrl, origin));
}

/**
 * Warns if the base URL and the secret key come from different sources. Somebody who may change the stack's configuration, but cannot read the
 * environment, could have the key sent to a host of theirs. A base URL from the environment gives no warning: whoever can set a variable there can
 * read the key there.
 */
export function addressWarning({ baseUrl = "", sources }: ResolvedSettings): Message | undefined {
    const from = sources.baseUrl;
    if (from === undefined || from === "environment" || from === sources.secretKey) return undefined;
    return messages.addressFromElsewhere({ url: baseUrl, place: places[from](["baseUrl"]) });
}

/** Says where the two credentials come from. The service has refused them, so both are set. */
function credentialsFrom(sources: ResolvedSettings["sources"]): string {
    const bySource = Map.groupBy(["accessTokenId", "secretKey"] as const, (name) => sources[name] ?? "stack");
    const from = [...bySource].map(([source, names]) => places[source](names)).join(" and ");
    return origins[sources.secretKey === "environment" ? "overriding" : "credentials"](from);
}

const places: Record<Source, (names: SettingName[]) => string> = {
    provider: () => "the videograph.Provider",
    environment: (names) => `the environment (${names.map((name) => variables[name]).join(", ")})`,
    stack: (names) => `the stack's configuration (${names.map((name) => `videograph:${name}`).join(", ")})`,
};

/** Whether the host redirects the request, or does not know the path: then the base URL is likely wrong. */
function isElsewhere(status = 0): boolean {
    return (status >= 300 && status < 400) || status === 404 || status === 410;
}
