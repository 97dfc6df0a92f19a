/** The dependencies of a command. */
import type { Readable } from "node:stream";
import type { Clock } from "#provider/api/clock";
import type { Transport } from "#provider/api/transport";
import type { StateExporter } from "#provider/session/stateExporter";
import type { Terminal } from "./terminal";

export interface Shell {
    readonly cwd: string;
    readonly variables: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly terminal: Terminal;
    /** Runs the Pulumi CLI and gives its output. @throws {CommandError} when it fails. */
    pulumi(...args: string[]): Promise<string>;
    /** As `pulumi`, but a run that fails after it has printed something counts as well. */
    pulumiEvenFailing(...args: string[]): Promise<string>;
    readonly stdin: Readable;
    /** The state of a stack, as a run reads it. @throws {LifecycleError} when it cannot be read. */
    exported: StateExporter;
    /** What tests put in place of the network. */
    readonly transport?: Transport;
}
