/** What a module of a program keeps for one run. */
import * as pulumi from "@pulumi/pulumi";

const noRun = {};

/**
 * A value that each run makes anew. A process with the Automation API has many runs, and what one has found out, such as a token that is
 * refused, is not so in the next. The connection to the engine is a run's own; so are mocks.
 */
export function perRun<T>(make: () => T): () => T {
    const values = new WeakMap<object, T>();
    return () => {
        const run = pulumi.runtime.getMonitor() ?? noRun;
        if (!values.has(run)) values.set(run, make());
        return values.get(run) as T;
    };
}
