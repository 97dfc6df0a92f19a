/** Stands where the engine does, over gRPC: takes the lines that the provider says on rows. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
const engineRpc = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

export interface Line {
    /** `INFO`, `WARNING` and so on. */
    severity: string;
    urn: string;
    message: string;
    ephemeral: boolean;
}

interface LogRequest {
    getSeverity(): number;
    getUrn(): string;
    getMessage(): string;
    getEphemeral(): boolean;
}

export async function startEngine() {
    const lines: Line[] = [];
    const server = new grpc.Server();
    const log = ({ request }: { request: LogRequest }, callback: (error: null, answer: unknown) => void) => {
        const severity = Object.keys(LogSeverity).find((name) => LogSeverity[name] === request.getSeverity());
        lines.push({
            severity: severity ?? "",
            urn: request.getUrn(),
            message: request.getMessage(),
            ephemeral: request.getEphemeral(),
        });
        callback(null, new Empty());
    };
    server.addService(engineRpc.EngineService, { log } as never);
    const port = await new Promise<number>((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
            error ? reject(error) : resolve(bound),
        );
    });
    return { port, address: `127.0.0.1:${port}`, lines, kill: () => server.forceShutdown() };
}
