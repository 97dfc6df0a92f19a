/** Adds to an error of the service's client where the setting comes from that it blames. */

import { AuthenticationError, ConnectionError, UnconfirmedNotFoundError } from "../api";
import { append, type Message, messageFrom } from "../messages";
import { defaultBaseUrl, type ResolvedSettings, type SettingName, type Source, variables } from "./settings";

/** The message of whatever was thrown, with the settings to look at. */
export function explain(error: unknown, settings: ResolvedSettings): Message {
    const message = messageFrom(error);
    if (error instanceof AuthenticationError) {
        return credentialsFrom(settings, error.endpoint).reduce<Message>(append, message);
    }
    // What the proxy itself refuses is no matter of the base address.
    const mayBeElsewhere =
        error instanceof UnconfirmedNotFoundError || (error instanceof ConnectionError && !error.byProxy);
    if (mayBeElsewhere) return append(message, baseUrlFrom(settings));
    return message;
}

function credentialsFrom({ sources }: ResolvedSettings, endpoint: string): string[] {
    const { accessTokenId, secretKey } = sources;
    if (accessTokenId === undefined || secretKey === undefined) return [];
    const origin =
        accessTokenId === secretKey
            ? `They come from ${origins[secretKey](["accessTokenId", "secretKey"])}${secretKey === "environment" ? ", which overrides the stack's configuration" : ""}.`
            : `accessTokenId comes from ${origins[accessTokenId](["accessTokenId"])}, but secretKey from ${origins[secretKey](["secretKey"])}.`;
    const isRecorded = accessTokenId !== "environment" || secretKey !== "environment";
    // The requests of a refresh and a destroy: neither runs the program.
    return isRecorded && /^(GET .*\{id\}|DELETE )/.test(endpoint)
        ? [origin, "A plain `pulumi refresh` or `destroy` runs with the configuration of the last `pulumi up`."]
        : [origin];
}

function baseUrlFrom({ baseUrl, sources }: ResolvedSettings): string {
    const origin = sources.baseUrl === undefined ? "the default" : `from ${origins[sources.baseUrl](["baseUrl"])}`;
    return `The base URL is ${baseUrl ?? defaultBaseUrl}, ${origin}.`;
}

const origins: Record<Source, (names: SettingName[]) => string> = {
    provider: () => "the videograph.Provider",
    environment: (names) => `the environment (${names.map((name) => variables[name]).join(", ")})`,
    stack: (names) => `the stack's configuration (${names.map((name) => `videograph:${name}`).join(", ")})`,
};
