/** Adds to an error the source of the setting that it is about. */

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
 * Warns if the address comes from another source than the key: whoever can change a stack's configuration could have a key of the environment sent
 * to a host of their own. An address of the environment needs no word: whoever sets that one can read the key.
 */
export function addressWarning({ baseUrl = "", sources }: ResolvedSettings): Message | undefined {
    const from = sources.baseUrl;
    if (from === undefined || from === "environment" || from === sources.secretKey) return undefined;
    return messages.addressFromElsewhere({ url: baseUrl, place: places[from](["baseUrl"]) });
}

/** The sources of the two credentials. Both are set: a client needs them. */
function credentialsFrom(sources: ResolvedSettings["sources"]): string {
    const { accessTokenId: id = "stack", secretKey: key = "stack" } = sources;
    const place =
        id === key
            ? places[key](["accessTokenId", "secretKey"])
            : `${places[id](["accessTokenId"])} and ${places[key](["secretKey"])}`;
    return origins[key === "environment" ? "overriding" : "credentials"](place);
}

const places: Record<Source, (names: SettingName[]) => string> = {
    provider: () => "the videograph.Provider",
    environment: (names) => `the environment (${names.map((name) => variables[name]).join(", ")})`,
    stack: (names) => `the stack's configuration (${names.map((name) => `videograph:${name}`).join(", ")})`,
};

/** Whether the status is that of a redirect, or of a list that is not there. */
function isElsewhere(status = 0): boolean {
    return (status >= 300 && status < 400) || status === 404 || status === 410;
}
