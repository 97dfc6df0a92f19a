/** One provider process: the package as the engine starts it, with everything around it simulated. */

import type { Transport } from "../../provider/dist/api/transport.js";
import type { RecordedState } from "../../provider/dist/lifecycle/index.js";
import type { Build } from "./build.ts";
import type { SimulatedProcess } from "./machine.ts";
import { nativeProvider } from "./nativeProvider.ts";
import { dynamicProvider, type Provider } from "./provider.ts";
import type { Face, Properties } from "./stack.ts";

export interface ProcessOptions {
    process: SimulatedProcess;
    transport: Transport;
    random: () => number;
    /** The project's folder. */
    folder: string;
    variables: Record<string, string>;
    /** The stack's configuration, of which a dynamic provider here uses nothing. */
    settings: Properties;
    /** What the CLI says that states have. */
    recordedState: RecordedState;
    /** Aborted when waits have to stop. */
    signal: AbortSignal;
    /** A line on a resource's row. */
    say(severity: "info" | "warning", message: string): void;
}

export interface ProviderProcess {
    provider: Provider;
    /** When nothing is under way any more. */
    quiet(): Promise<unknown>;
}

/** Where every project of this machine says that its state is: a folder beside itself, which is another one for each. */
const backend = { PULUMI_HOME: "/home/user/.pulumi", PULUMI_BACKEND_URL: "file://." };

export function startProvider(face: Face, build: Build, options: ProcessOptions): ProviderProcess {
    const { Lifetime, Session, lifecycle } = build;
    const { process, transport, random, folder, variables, settings, recordedState } = options;
    const { machine } = process;
    const underWay = new Set<Promise<unknown>>();
    const during = <T>(operation: () => Promise<T>) => {
        const running = operation();
        underWay.add(running);
        const done = () => underWay.delete(running);
        running.then(done, done);
        return running;
    };
    const lifetime = new Lifetime();
    const signal = face === "native" ? AbortSignal.any([lifetime.signal, options.signal]) : options.signal;
    const session = new Session({
        clock: machine.clockFor(process),
        random,
        transport,
        journal: new lifecycle.FileJournal({
            ...build.journalFolders(backend, folder),
            files: machine.disk.filesFor(process),
            processes: { self: process.identity, isAlive: (owner) => machine.isAlive(owner) },
        }),
        recordedState,
        variables,
        engine: { say: (severity, _urn, message) => options.say(severity, message), watch: () => undefined },
        lifetime: { signal, start: () => undefined, during },
    });
    const provider =
        face === "native" ? nativeProvider(build, { session, lifetime, settings }) : dynamicProvider(build, session);
    return { provider, quiet: () => Promise.allSettled([...underWay]) };
}
