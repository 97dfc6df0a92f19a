/** Adds to an error where the setting comes from that may be wrong: the provider, the environment, or the stack's configuration. */

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
 * Warns if the address and the secret key come from different sources. Otherwise somebody who may change the stack's configuration, and cannot read the
 * environment, could have the key sent to a host of theirs. Whoever can set a variable of the environment can read the key there.
 */
export function addressWarning({ baseUrl = "", sources }: ResolvedSettings): Message | undefined {
    const from = sources.baseUrl;
    if (from === undefined || from === "environment" || from === sources.secretKey) return undefined;
    return messages.addressFromElsewhere({ url: baseUrl, place: places[from](["baseUrl"]) });
}

/** Where the two credentials come from. Both are set: without them there would have been no request to refuse. */
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

/** Whether the host has redirected the request, or does not know the path: then the base URL is likely wrong. */
function isElsewhere(status = 0): boolean {
    return (status >= 300 && status < 400) || status === 404 || status === 410;
}
