import { messages } from "./catalogue";
import type { Message } from "./message";

/** An operation that cannot go on. One paragraph: what happened, to which object, what to do next. */
export class LifecycleError extends Error {
    declare readonly message: Message;

    constructor(message: Message) {
        super(message);
        this.name = new.target.name;
    }
}

/** The process has to end before the work was done. */
export class Interrupted extends LifecycleError {
    constructor() {
        super(messages.interrupted());
    }
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
