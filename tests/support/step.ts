/** A part of a stack's life, and the promise that it shows: a failure says in which part it was. */
export async function step<T>(promise: string, body: () => Promise<T> | T): Promise<T> {
    try {
        return await body();
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        // The same error: Mocha shows its values.
        const { message, stack = "" } = error;
        error.message = `${promise}: ${message}`;
        error.stack = stack.replace(message, error.message);
        throw error;
    }
}
