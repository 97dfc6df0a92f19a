/** Adds to an error of the service's client the origin of the setting that it blames. */

import { AuthenticationError, ConnectionError, defaultBaseUrl, UnconfirmedNotFoundError } from "../api";
import { append, type Message, messageFrom, origins } from "../messages";
import { type ResolvedSettings, type SettingName, type Source, variables } from "./settings";

/** The message of any error, with the settings to check. */
export function explain(error: unknown, settings: ResolvedSettings): Message {
    const message = messageFrom(error);
    if (error instanceof AuthenticationError) {
        return credentialsFrom(settings, error.requestLine).reduce<Message>(append, message);
    }
    const mayBeElsewhere = error instanceof UnconfirmedNotFoundError || error instanceof ConnectionError;
    if (mayBeElsewhere) return append(message, baseUrlFrom(settings));
    return message;
}

function credentialsFrom({ sources }: ResolvedSettings, requestLine: string): string[] {
    const { accessTokenId, secretKey } = sources;
    if (accessTokenId === undefined || secretKey === undefined) return [];
    const origin =
        accessTokenId === secretKey
            ? origins[secretKey === "environment" ? "overriding" : "credentials"](
                  places[secretKey](["accessTokenId", "secretKey"]),
              )
            : origins.separate(places[accessTokenId](["accessTokenId"]), places[secretKey](["secretKey"]));
    const isRecorded = accessTokenId !== "environment" || secretKey !== "environment";
    // The requests of a refresh and a destroy: neither runs the program.
    return isRecorded && /^(GET \/\w+\/|DELETE )/.test(requestLine) ? [origin, origins.recorded] : [origin];
}

function baseUrlFrom({ baseUrl, sources }: ResolvedSettings): string {
    const origin = sources.baseUrl === undefined ? "the default" : `from ${places[sources.baseUrl](["baseUrl"])}`;
    return origins.baseUrl(baseUrl ?? defaultBaseUrl, origin);
}

const places: Record<Source, (names: SettingName[]) => string> = {
    provider: () => "the videograph.Provider",
    environment: (names) => `the environment (${names.map((name) => variables[name]).join(", ")})`,
    stack: (names) => `the stack's configuration (${names.map((name) => `videograph:${name}`).join(", ")})`,
};
