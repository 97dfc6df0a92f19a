/** The plugin's process, which the engine or a debugger starts: serves on a free port and prints it. Bundled by tools/plugin/build.ts. */
import { randomUUID } from "node:crypto";
import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Journal, journalFolder } from "../evidence/journal";
import { systemProcesses } from "../evidence/processes";
import { Engine } from "../session/engine";
import { grpc } from "../session/grpc";
import { Lifetime } from "../session/lifetime";
import { type Dependencies, realDependencies, Session } from "../session/session";
import { resourceProvider } from "./service";
import { programSpelling } from "./spelling";

/** Texts that the build puts in. */
declare const PLUGIN_SCHEMA: string;
declare const PLUGIN_VERSION: string;

const aboutDebugging = `This is the Videograph resource plugin ${PLUGIN_VERSION} for Pulumi. The Pulumi CLI starts it when a program needs it.
Started without an engine, it waits for one: set PULUMI_DEBUG_PROVIDERS=videograph:<port> for the CLI, with the port below.`;

/** The same limit as the SDK's own servers: a resource's properties may be large. */
const maxMessageBytes = 400 * 1024 * 1024;

const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
});

/** Serves an engine, and no longer the one before it. `own`: the dependencies that differ in an attached process. */
function serve(engine: Engine, own: Partial<Dependencies> = {}, attach?: UntypedServiceImplementation): Lifetime {
    const lifetime = new Lifetime();
    const inProgramSpelling = programSpelling(PLUGIN_SCHEMA, process.cwd());
    const session = new Session({ ...realDependencies(), engine, lifetime, inProgramSpelling, ...own });
    // A process that is asked only for the schema is never configured, and would outlive a killed CLI.
    const end = () => {
        if (!session.isConfigured) process.exit(0);
    };
    engine.watch(end, end);
    const methods = resourceProvider(session, PLUGIN_SCHEMA, PLUGIN_VERSION);
    server.removeService(ResourceProviderService);
    server.addService(ResourceProviderService, { ...methods, ...attach });
    return lifetime;
}

/** An engine in a process that a debugger has started: the debugger ends the process, and an engine that goes away does not. */
class AttachedEngine extends Engine {
    override watch(): void {}
}

/** The base URL that was the first to get the environment's key in an attached process: every user of the machine can reach its port. */
let firstBaseUrl: string | undefined;

/** Serves the engine that sent its address last, each with a fresh session. */
function serveAttached(address: string): void {
    // To the journal each session is a process, since none repeats the create of another one.
    const self = { ...systemProcesses.self, started: randomUUID() };
    const journal = new Journal({ folder: journalFolder(), processes: { ...systemProcesses, self } });
    const mayReceiveKey = (baseUrl: string) => {
        firstBaseUrl ??= baseUrl;
        return baseUrl === firstBaseUrl;
    };
    const attach = ({ request }: ServerUnaryCall<PluginAttach, Empty>, callback: sendUnaryData<Empty>) => {
        // A preview and the update after it are two operations, and each ends with a cancel.
        if (request.getAddress() !== address || lifetime.signal.aborted) {
            lifetime.stop();
            serveAttached(request.getAddress());
        }
        callback(null, new Empty());
    };
    const lifetime = serve(new AttachedEngine(address), { journal, mayReceiveKey }, { attach });
}

function listen(): void {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error !== null) {
            console.error(`The Videograph plugin cannot listen on 127.0.0.1: ${error.message}`);
            process.exit(1);
        }
        // The engine reads the first line; it may have ended before that.
        process.stdout.on("error", () => process.exit(1));
        console.log(port);
    });
}

const engineAddress = process.argv[2];
if (engineAddress === "--version") console.log(PLUGIN_VERSION);
else {
    if (engineAddress !== undefined) serve(new Engine(engineAddress));
    else {
        console.error(aboutDebugging);
        serveAttached("");
    }
    listen();
}
