/** The plugin's process, started and spoken to as the engine does: over gRPC. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { hasEnded } from "./processes.ts";

const require = createRequire(import.meta.url);
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = fromSdk("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
export const providerRpc = require("@pulumi/pulumi/proto/provider_grpc_pb");
const engineRpc = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

export const pluginFolder = join(import.meta.dirname, "..", "..", "provider", "plugin");

/** A message of the generated code, which has no types here. */
export type Message = Record<string, (...args: unknown[]) => never>;
export type Client = Record<string, (...args: unknown[]) => void>;

export class PluginProcess {
    readonly child: ChildProcess;
    readonly client: Client;
    readonly #engine: InstanceType<typeof grpc.Server>;

    private constructor(child: ChildProcess, client: Client, engine: InstanceType<typeof grpc.Server>) {
        this.child = child;
        this.client = client;
        this.#engine = engine;
    }

    /** `home`: an empty folder. `onLog` is told the URN of each line. */
    static async start(
        home: string,
        { path = process.env.PATH ?? "", onLog = (_urn: string): unknown => undefined } = {},
    ): Promise<PluginProcess> {
        const engine = new grpc.Server();
        engine.addService(engineRpc.EngineService, {
            log: ({ request }: { request: { getUrn(): string } }, done: (error: null, answer: unknown) => void) => {
                onLog(request.getUrn());
                done(null, new Empty());
            },
        });
        const { createInsecure } = grpc.ServerCredentials;
        const at = await promisify(engine.bindAsync.bind(engine))("127.0.0.1:0", createInsecure());
        const child = spawn(process.execPath, [join(pluginFolder, "index.js"), `127.0.0.1:${at}`], {
            cwd: home,
            env: { PATH: path, HOME: home, PULUMI_HOME: home },
            stdio: ["ignore", "pipe", "inherit"],
        });
        assert.ok(child.stdout);
        const [port] = await once(createInterface(child.stdout), "line");
        const client = new providerRpc.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
        return new PluginProcess(child, client, engine);
    }

    call(method: string, request: unknown): Promise<Message> {
        return new Promise((resolve, reject) => {
            const done = (error: Error | null, answer: Message) => (error ? reject(error) : resolve(answer));
            this.client[method]?.(request, done);
        });
    }

    async stop(): Promise<void> {
        if (!hasEnded(this.child)) {
            this.child.kill("SIGKILL");
            await once(this.child, "exit");
        }
        this.#engine.forceShutdown();
    }
}
