import { messages } from "./catalogue";
import { isMessage, type Message } from "./message";

/** An error for the user, in one paragraph: what happened, to which object, and what to do next. Only a text of the catalogue may be its message. */
export class LifecycleError extends Error {
    declare readonly message: Message;

    constructor(message: Message) {
        super(message);
        this.name = new.target.name;
    }
}

/** The text of an error, or of anything else that was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** The message of an error. A text without a code, such as that of a bug, becomes one line with VG9001. */
export function messageFrom(error: unknown): Message {
    const text = messageOf(error);
    return isMessage(text) ? text : messages.unexpected({ error: text.replace(/\s*\n\s*/g, " ") });
}
