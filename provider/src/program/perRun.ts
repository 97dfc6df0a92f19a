/** Values that last for one run of a program. */
import * as pulumi from "@pulumi/pulumi";

const noRun = {};

/**
 * Returns the run's value, and makes it first where the run has none. A process with the Automation API has many runs: a token that was refused in one may
 * be good in the next. A run is told from another by its connection to the engine, or by its mocks.
 */
export function perRun<T>(make: () => T): () => T {
    const values = new WeakMap<object, T>();
    return () => {
        const run = pulumi.runtime.getMonitor() ?? noRun;
        if (!values.has(run)) values.set(run, make());
        return values.get(run) as T;
    };
}
