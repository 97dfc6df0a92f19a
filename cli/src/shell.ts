/** The dependencies of a command. */
import type { Clock } from "#provider/api/clock";
import type { Transport } from "#provider/api/transport";
import type { Terminal } from "./terminal";

export interface Shell {
    readonly cwd: string;
    readonly variables: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly terminal: Terminal;
    /** Runs the Pulumi CLI and gives its output. @throws {CommandError} when it fails. */
    pulumi(...args: string[]): Promise<string>;
    /** A transport in place of the network. */
    readonly transport?: Transport;
}
