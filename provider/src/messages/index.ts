/** The messages of resources, functions and settings. Not of the emulator, which imitates the service's. */
import { messages } from "./catalogue";
import { isMessage, type Message } from "./message";

export { advice, connectionFailures, messages, origins, proxyAnswered } from "./catalogue";
export * from "./errors";
export { append, type Message, prepend, type Template, withoutCodes } from "./message";
export type { Row } from "./row";

/** The message of whatever was thrown. */
export function messageFrom(error: unknown): Message {
    const text = error instanceof Error ? error.message : String(error);
    return isMessage(text) ? text : messages.unexpected({ error: text.replace(/\s*\n\s*/g, " ") });
}
