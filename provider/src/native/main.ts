/** The plugin's process, which the engine or a debugger starts: serves on a free port and prints it. Bundled by tools/plugin/build.ts. */
import { randomUUID } from "node:crypto";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Journal } from "../evidence/journal";
import { systemProcesses } from "../evidence/processes";
import { Engine } from "../session/engine";
import { grpc } from "../session/grpc";
import { journalFolder } from "../session/journalFolder";
import { Lifetime } from "../session/lifetime";
import { realDependencies, Session } from "../session/session";
import { attachable, type EngineService } from "./attachable";
import { resourceProvider } from "./service";
import { spellingOf } from "./spelling";
import { notingLostKeys } from "./wire";

/** Put in by the build. */
declare const PLUGIN_SCHEMA: string;
declare const PLUGIN_VERSION: string;

const aboutDebugging = `This is the Videograph resource plugin ${PLUGIN_VERSION} for Pulumi. The Pulumi CLI starts it when a program needs it.
Started without an engine, it waits for one: set PULUMI_DEBUG_PROVIDERS=videograph:<port> for the CLI, with the port below.`;

/** The same limit as the SDK's own servers: a resource's properties may be large. */
const maxMessageBytes = 400 * 1024 * 1024;

const engineAddress = process.argv[2];
if (engineAddress === "--version") {
    console.log(PLUGIN_VERSION);
} else {
    if (engineAddress === undefined) console.error(aboutDebugging);
    serve(engineAddress === undefined ? attachable(startAttachedService) : startService(new Engine(engineAddress)));
}

/** The base URL that was the first to get the environment's key in an attached process: every user of the machine can reach its port. */
let firstBaseUrl: string | undefined;

/** The service of one of several engines: to the journal each is a process, since none repeats the create of another one. */
function startAttachedService(engine: Engine): EngineService {
    const self = { ...systemProcesses.self, started: randomUUID() };
    const mayReceiveKey = (baseUrl: string) => {
        firstBaseUrl ??= baseUrl;
        return baseUrl === firstBaseUrl;
    };
    return startService(engine, { processes: { ...systemProcesses, self }, mayReceiveKey });
}

function startService(
    engine: Pick<Engine, "say" | "watch">,
    {
        processes = systemProcesses,
        mayReceiveKey,
    }: { processes?: typeof systemProcesses; mayReceiveKey?: (url: string) => boolean } = {},
): EngineService {
    const lifetime = new Lifetime();
    let spelling: ReturnType<typeof spellingOf> | undefined;
    const session = new Session({
        ...realDependencies(),
        journal: new Journal({ folder: journalFolder(), processes }),
        engine,
        lifetime,
        ...(mayReceiveKey && { mayReceiveKey }),
        // Most runs have nothing to say.
        inProgramSpelling: (text) => {
            spelling ??= spellingOf(PLUGIN_SCHEMA, process.cwd());
            return spelling(text);
        },
    });
    // A process that is asked only for the schema is never configured, and would outlive a killed CLI.
    const end = () => {
        if (!session.isConfigured) process.exit(0);
    };
    engine.watch(end, end);
    const methods = resourceProvider({ session, lifetime, schema: PLUGIN_SCHEMA, version: PLUGIN_VERSION });
    return { lifetime, methods };
}

function serve({ methods }: Pick<EngineService, "methods">): void {
    const server = new grpc.Server({
        "grpc.max_receive_message_length": maxMessageBytes,
        "grpc.max_send_message_length": maxMessageBytes,
    });
    const { check } = ResourceProviderService;
    const service = {
        ...ResourceProviderService,
        check: { ...check, requestDeserialize: notingLostKeys(check.requestDeserialize) },
    };
    server.addService(service, methods);
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
