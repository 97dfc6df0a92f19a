/** The plugin's service as the engine calls it: every message crosses the wire as gRPC has it, but for the network. */
import { createRequire } from "node:module";
import type { ServerErrorResponse, ServiceError } from "@grpc/grpc-js";
import type { Message } from "google-protobuf";
import type { Build } from "./build.ts";
import { type Addressed, PartiallyFailed, type Provider } from "./provider.ts";
import type { Properties } from "./stack.ts";

const require = createRequire(import.meta.url);
const messages: typeof import("@pulumi/pulumi/proto/provider_pb.js") = require("@pulumi/pulumi/proto/provider_pb");
const { Status }: typeof import("@pulumi/pulumi/proto/status_pb.js") = require("@pulumi/pulumi/proto/status_pb");
const {
    Struct,
}: typeof import("google-protobuf/google/protobuf/struct_pb.js") = require("google-protobuf/google/protobuf/struct_pb");
const {
    Empty,
}: typeof import("google-protobuf/google/protobuf/empty_pb.js") = require("google-protobuf/google/protobuf/empty_pb");

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A class of the generated code. */
interface Wire<T extends Message> {
    deserializeBinary(bytes: Uint8Array): T;
}

type Method = (call: { request: Message }, callback: Callback) => void;
type Callback = (error: ServerErrorResponse | ServiceError | null, response?: Message) => void;

export interface NativeOptions {
    session: InstanceType<Build["Session"]>;
    lifetime: { cancel(): void };
    /** The stack's configuration, as the engine keeps it in the default provider. */
    settings: Properties;
}

export function nativeProvider({ resourceProvider }: Build, options: NativeOptions): Provider {
    const { session, lifetime, settings } = options;
    const service = resourceProvider({ session, lifetime, schema: "{}", version: "1.2.3" }) as Record<string, Method>;
    const call = async <T extends Message>(method: string, request: Message, answer: Wire<T>): Promise<T> => {
        const RequestClass = request.constructor as unknown as Wire<Message>;
        const received = RequestClass.deserializeBinary(request.serializeBinary());
        const response = await new Promise<Message>((resolve, reject) => {
            const done: Callback = (error, value) => (value === undefined ? reject(failureOf(error)) : resolve(value));
            service[method]?.({ request: received }, done);
        });
        return answer.deserializeBinary(response.serializeBinary());
    };
    const configured = configure(call, settings);
    return new Calls(async (method, request, answer) => {
        await configured;
        return call(method, request, answer);
    });
}

type Call = <T extends Message>(method: string, request: Message, answer: Wire<T>) => Promise<T>;

/** The default provider: its settings are checked, and it is configured. */
async function configure(call: Call, settings: Properties): Promise<void> {
    await call("handshake", new messages.ProviderHandshakeRequest(), messages.ProviderHandshakeResponse);
    const check = new messages.CheckRequest().setNews(struct(settings));
    const checked = await call("checkConfig", check, messages.CheckResponse);
    if (checked.getFailuresList().length > 0) throw new Error(checked.getFailuresList()[0]?.getReason());
    const request = new messages.ConfigureRequest().setName("default").setArgs(checked.getInputs());
    await call("configure", request, messages.ConfigureResponse);
}

class Calls implements Required<Provider> {
    readonly #call: Call;

    constructor(call: Call) {
        this.#call = call;
    }

    async check(resource: Addressed, olds: Properties, news: Properties) {
        const request = addressed(new messages.CheckRequest(), resource).setOlds(struct(olds)).setNews(struct(news));
        const answer = await this.#call("check", request, messages.CheckResponse);
        const failures = answer.getFailuresList().map((failure) => failure.getReason());
        return { inputs: plain(answer.getInputs()), failures };
    }

    async diff(resource: Addressed, { id, inputs, outputs }: Old, news: Properties) {
        const request = addressed(new messages.DiffRequest(), resource).setId(id).setNews(struct(news));
        request.setOlds(struct(outputs)).setOldInputs(struct(inputs));
        const answer = await this.#call("diff", request, messages.DiffResponse);
        const differs = answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
        return { differs, replaces: answer.getReplacesList().length > 0 };
    }

    async create(resource: Addressed, inputs: Properties) {
        const answer = await this.#create(resource, inputs, false);
        return { id: answer.getId(), outputs: plain(answer.getProperties()) };
    }

    async previewCreate(resource: Addressed, inputs: Properties) {
        return plain((await this.#create(resource, inputs, true)).getProperties());
    }

    #create(resource: Addressed, inputs: Properties, preview: boolean) {
        const request = addressed(new messages.CreateRequest(), resource).setProperties(struct(inputs));
        return this.#call("create", request.setPreview(preview), messages.CreateResponse);
    }

    update(resource: Addressed, old: Old, news: Properties) {
        return this.#update(resource, old, news, false);
    }

    previewUpdate(resource: Addressed, old: Old, news: Properties) {
        return this.#update(resource, old, news, true);
    }

    async #update(resource: Addressed, { id, inputs, outputs }: Old, news: Properties, preview: boolean) {
        const request = addressed(new messages.UpdateRequest(), resource).setId(id).setNews(struct(news));
        request.setOlds(struct(outputs)).setOldInputs(struct(inputs)).setPreview(preview);
        return plain((await this.#call("update", request, messages.UpdateResponse)).getProperties());
    }

    async read(resource: Addressed, id: string, old?: Old) {
        const request = addressed(new messages.ReadRequest(), resource).setId(id);
        if (old !== undefined) request.setProperties(struct(old.outputs)).setInputs(struct(old.inputs));
        const answer = await this.#call("read", request, messages.ReadResponse);
        if (answer.getId() === "") return undefined;
        // Without inputs in the answer the engine keeps those that are recorded.
        const inputs = answer.hasInputs() ? plain(answer.getInputs()) : (old?.inputs ?? {});
        return { id: answer.getId(), inputs, outputs: plain(answer.getProperties()) };
    }

    async delete(resource: Addressed, { id, inputs, outputs }: Old) {
        const request = addressed(new messages.DeleteRequest(), resource).setId(id);
        await this.#call("delete", request.setProperties(struct(outputs)).setOldInputs(struct(inputs)), Empty);
    }

    async cancel() {
        await this.#call("cancel", new Empty(), Empty);
    }
}

type Old = { id: string; inputs: Properties; outputs: Properties };

function addressed<T extends { setUrn(urn: string): unknown }>(request: T, { urn }: Addressed): T {
    request.setUrn(urn);
    return request;
}

function struct(properties: Properties) {
    return Struct.fromJavaScript(JSON.parse(JSON.stringify(properties)));
}

/** The values without their secrecy, which the engine keeps to itself: the provider does not accept secrets. */
function plain(properties: { toJavaScript(): unknown } | undefined): Properties {
    return revealed(properties?.toJavaScript() ?? {}) as Properties;
}

function revealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(revealed);
    if (typeof value !== "object" || value === null) return value;
    const { [signatureKey]: signature, ...rest } = value as Properties;
    if (signature === secretSignature) return revealed(rest.value);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revealed(item)]));
}

/** What the engine makes of an error: with details it is a resource that exists. */
function failureOf(error: ServerErrorResponse | ServiceError | null): Error {
    const [bytes] = error?.metadata?.get("grpc-status-details-bin") ?? [];
    if (!(bytes instanceof Uint8Array)) return new Error(error?.details);
    const [any] = Status.deserializeBinary(bytes).getDetailsList();
    const { deserializeBinary } = messages.ErrorResourceInitFailed;
    const failed = any?.unpack(deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
    if (!failed) return new Error(error?.details);
    return new PartiallyFailed(failed.getId(), plain(failed.getProperties()), failed.getReasonsList());
}
