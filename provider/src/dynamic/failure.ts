/**
 * What may be thrown at the SDK: fresh errors of ours. It takes any error with an `id` for a created resource, hangs at
 * `throw undefined`, and prints the stack of whatever read, delete and diff throw.
 */
import { PartialFailure, type Properties } from "../lifecycle";

/** An error without an object: the message, as `tell` words it, is all that the engine shows. */
export function plainFailure(error: unknown, tell: (error: unknown) => string): Error {
    return silent(oneParagraph(tell(error)));
}

/** For create and update: an error that keeps the object's id and outputs in the state, where there is one. */
export function failure(
    error: unknown,
    tell: (error: unknown) => string,
    outputsOf: (failure: PartialFailure) => Properties,
): Error {
    const plain = plainFailure(error, tell);
    if (!(error instanceof PartialFailure)) return plain;
    return Object.assign(plain, { id: error.id, properties: outputsOf(error), reasons: [plain.message] });
}

function silent(message: string): Error {
    const error = new Error(message);
    // The SDK prints `${error}: ${error.stack}` on the stack's row; the message stands on the resource's row already.
    error.toString = () => "pulumi-videograph";
    error.stack = "see the error of the resource";
    return error;
}

function oneParagraph(text: string): string {
    // A list has a line for each of its items.
    return text.replace(/\s*\n(?! {2}- )\s*/g, " ").trim() || "The operation failed without a message.";
}
