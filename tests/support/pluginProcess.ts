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
export const messages = require("@pulumi/pulumi/proto/provider_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

export const pluginFolder = join(import.meta.dirname, "..", "..", "provider", "plugin");

/** A message of the generated code, which has no types here. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Message = any;

/** A request of these fields, in which objects are properties: of `check` with `urn` and `news`. */
export function requestOf(method: string, fields: Readonly<Record<string, unknown>> = {}): Message {
    const name = method === "checkConfig" ? "check" : method;
    const { [`${capitalized(name)}Request`]: Request = Empty } = messages;
    const request = new Request();
    for (const [field, value] of Object.entries(fields)) {
        const isProperties = typeof value === "object" && value !== null && !Buffer.isBuffer(value);
        request[`set${capitalized(field)}`](isProperties ? Struct.fromJavaScript(value) : value);
    }
    return request;
}

const capitalized = (name: string) => name.replace(/^./, (first) => first.toUpperCase());

/** The problems that an answer holds. */
export function reasonsOf(answer: Message): string[] {
    return answer.getFailuresList().map((failure: Message) => failure.getReason());
}

export class PluginProcess {
    readonly child: ChildProcess;
    readonly client: Message;
    readonly #engine: InstanceType<typeof grpc.Server>;

    private constructor(child: ChildProcess, client: Message, engine: InstanceType<typeof grpc.Server>) {
        this.child = child;
        this.client = client;
        this.#engine = engine;
    }

    /** `home`: an empty folder. */
    static async start(home: string): Promise<PluginProcess> {
        const engine = new grpc.Server();
        engine.addService(engineRpc.EngineService, {
            log: (_line: unknown, done: (error: null, answer: unknown) => void) => done(null, new Empty()),
        });
        const { createInsecure } = grpc.ServerCredentials;
        const at = await promisify(engine.bindAsync.bind(engine))("127.0.0.1:0", createInsecure());
        const child = spawn(process.execPath, [join(pluginFolder, "index.js"), `127.0.0.1:${at}`], {
            cwd: home,
            env: { PATH: process.env.PATH, HOME: home, PULUMI_HOME: home },
            stdio: ["ignore", "pipe", "inherit"],
        });
        assert.ok(child.stdout);
        const [port] = await once(createInterface(child.stdout), "line");
        const client = new providerRpc.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
        return new PluginProcess(child, client, engine);
    }

    /** Sends a request of these fields; see {@link requestOf}. */
    call(method: string, fields?: Readonly<Record<string, unknown>>): Promise<Message> {
        return new Promise((resolve, reject) => {
            const done = (error: Error | null, answer: Message) => (error ? reject(error) : resolve(answer));
            this.client[method](requestOf(method, fields), done);
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
