/** Values that last for one run of a program. */
import * as pulumi from "@pulumi/pulumi";

const noRun = {};

/**
 * Returns a function that gives the value of the current run, and makes it at the first call. A process with the Automation API has many runs: a
 * token that was refused in one may be good in the next. Each run has its own connection to the engine, or its own mocks.
 */
export function perRun<T>(make: () => T): () => T {
    const values = new WeakMap<object, T>();
    return () => {
        const run = pulumi.runtime.getMonitor() ?? noRun;
        if (!values.has(run)) values.set(run, make());
        return values.get(run) as T;
    };
}
