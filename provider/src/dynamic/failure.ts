/** The errors that the SDK gets: it takes any error with an `id` for a created resource, and hangs at `throw undefined`. */

import type { Properties } from "../inputs/values";
import { PartialFailure } from "../lifecycle/lifecycle";
import { messageOf } from "../messages";

/** Throws errors of which only the message is shown. `outputsOf`: what to record of an object that has failed partially. */
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
