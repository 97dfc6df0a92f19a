/** One provider process: the package as the engine starts it, with everything around it simulated. */
import type { Transport } from "../../provider/dist/api/transport.js";
import type { Build } from "./build.ts";
import type { Provider } from "./engine.ts";
import type { SimulatedProcess } from "./machine.ts";

export interface ProcessOptions {
    process: SimulatedProcess;
    transport: Transport;
    random: () => number;
    /** The project's folder. */
    folder: string;
    variables: Record<string, string>;
    /** What the CLI says that states have. */
    recordedState: { has(marker: string, urn: string, options: { anyStack: boolean }): Promise<boolean> };
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

export function startProvider(build: Build, options: ProcessOptions): ProviderProcess {
    const { Adapter, Session, lifecycle, resources } = build;
    const { process, transport, random, folder, variables, signal, recordedState } = options;
    const { machine } = process;
    const underWay = new Set<Promise<unknown>>();
    const during = <T>(operation: () => Promise<T>) => {
        const running = operation();
        underWay.add(running);
        const done = () => underWay.delete(running);
        running.then(done, done);
        return running;
    };
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
    session.configure({}, () => undefined);
    const provider: Provider = {
        Content: new Adapter(session, "Content", resources.content),
        Livestream: new Adapter(session, "Livestream", resources.livestream, "streamKey"),
        ContentReadiness: new Adapter(session, "ContentReadiness", resources.contentReadiness),
    };
    return { provider, quiet: () => Promise.allSettled([...underWay]) };
}
