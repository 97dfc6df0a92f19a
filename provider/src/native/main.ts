/** The main file of the plugin. The engine starts this process, reads the port that it prints, and calls it over gRPC. */
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Engine } from "../session/engine";
import { grpc } from "../session/grpc";
import { realDependencies, Session } from "../session/session";
import { resourceProvider } from "./service";
import { programSpelling } from "./spelling";

/** Constants that `tools/plugin/build.ts` fills in. */
declare const PLUGIN_SCHEMA: string;
declare const PLUGIN_VERSION: string;

/** The limit of the SDK's own servers. gRPC's default of 4 MB is too small for a large library. */
const maxMessageBytes = 400 * 1024 * 1024;

function serve(engine: Engine): void {
    const inProgramSpelling = programSpelling(PLUGIN_SCHEMA, process.cwd());
    const session = new Session({ ...realDependencies(), engine, inProgramSpelling });
    // A configured session ends the process when the engine dies. A process that is only asked for the schema is never configured: without this
    // function, it would outlive a killed CLI.
    const end = () => {
        if (!session.isConfigured) process.exit(0);
    };
    engine.watch(end, end);
    const server = new grpc.Server({
        "grpc.max_receive_message_length": maxMessageBytes,
        "grpc.max_send_message_length": maxMessageBytes,
    });
    server.addService(ResourceProviderService, resourceProvider(session, PLUGIN_SCHEMA, PLUGIN_VERSION));
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error !== null) {
            console.error(`The Videograph plugin cannot listen on 127.0.0.1: ${error.message}`);
            process.exit(1);
        }
        // If the engine has died already, writing to it is an error, which Node would print with its stack.
        process.stdout.on("error", () => process.exit(1));
        console.log(port);
    });
}

const engineAddress = process.argv[2];
if (engineAddress === "--version") console.log(PLUGIN_VERSION);
else if (engineAddress !== undefined) serve(new Engine(engineAddress));
else {
    console.error(
        `This is the Videograph resource plugin ${PLUGIN_VERSION} for Pulumi. The Pulumi CLI starts it when a program needs it.`,
    );
    process.exitCode = 1;
}
