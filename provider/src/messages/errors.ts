import { messages } from "./catalogue";
import { isMessage, type Message } from "./message";

/** An operation that cannot go on. One paragraph: what happened, to which object, what to do next. */
export class LifecycleError extends Error {
    declare readonly message: Message;

    constructor(message: Message) {
        super(message);
        this.name = new.target.name;
    }
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** The message of whatever was thrown. */
export function messageFrom(error: unknown): Message {
    const text = messageOf(error);
    return isMessage(text) ? text : messages.unexpected({ error: text.replace(/\s*\n\s*/g, " ") });
}
