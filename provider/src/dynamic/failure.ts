/**
 * The errors that the SDK gets. It takes any error with an `id` for a created resource, hangs at `throw undefined`, and prints the
 * stack of what read, delete and diff throw.
 */

import type { Properties } from "../inputs/values";
import { PartialFailure } from "../lifecycle/lifecycle";
import { messageOf } from "../messages";

/**
 * Runs a method of the provider. Of an error the engine shows the message alone. `outputsOf`: what to record of an object whose
 * create or update has failed partially.
 */
export async function withSdkErrors<T>(
    method: () => Promise<T>,
    outputsOf?: (outputs: Properties) => Properties,
): Promise<T> {
    try {
        return await method();
    } catch (error) {
        const plain = withoutStack(oneParagraph(messageOf(error)));
        if (!(error instanceof PartialFailure) || outputsOf === undefined) throw plain;
        throw Object.assign(plain, { id: error.id, properties: outputsOf(error.outputs), reasons: [plain.message] });
    }
}

/** The SDK prints `${error}: ${error.stack}` of what read, delete and diff throw on the stack's row. The resource's row has the message already. */
function withoutStack(message: string): Error {
    const error = new Error(message);
    error.toString = () => "pulumi-videograph";
    error.stack = "see the error of the resource";
    return error;
}

const print = console.error;
console.error = (...texts: unknown[]) => {
    if (texts[0] !== `${withoutStack("")}: ${withoutStack("").stack}`) print(...texts);
};

function oneParagraph(text: string): string {
    // A list has a line for each of its items.
    return text.replace(/\s*\n(?! {2}- )\s*/g, " ").trim() || "The operation failed without a message.";
}
