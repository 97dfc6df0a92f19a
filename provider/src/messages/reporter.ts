import type { Message } from "./message";

/** How the lifecycle informs the user. Messages never hold secret values. */
export interface Reporter {
    /** The resource's URN, if it is known. */
    urn: string | undefined;
    /** A passing line on the resource's row. */
    progress(message: string): void;
    /** A lasting line that needs no action. */
    info(message: Message): void;
    /** A lasting line that should be read. */
    warn(message: Message): void;
}
