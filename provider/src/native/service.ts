/**
 * The plugin's gRPC service. It is written by hand because the SDK's own (`@pulumi/pulumi/provider`) knows no configuration, timeouts, previews and
 * imports.
 */

import type { ServerUnaryCall, ServerWritableStream, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { CallOptions, VideographApi } from "../api";
import type { Schema } from "../definitions/definition";
import { correction } from "../inputs/validate";
import { normalizeUnknowns, type Properties } from "../inputs/values";
import { type LookupName, listInputs, lookups } from "../lookups/definitions";
import { checkedArguments, find, findContents, findLivestreams } from "../lookups/find";
import { LifecycleError, messages, prepend } from "../messages";
import { lifecycles } from "../resources";
import { redactorFor } from "../secretValues/known";
import { markedAsGiven, markedWhere, secret, withSecrets } from "../secretValues/marks";
import { findProject } from "../session/project";
import type { Session } from "../session/session";
import { fromStackKey, kindOf, nativeTypeOf, type ResourceKind } from "../typeTokens";
import { parseUrn } from "../urn";
import { isExplicit, settingProblems, splitSettings } from "./configuration";
import { NativeResource } from "./resource";
import { schemaFor } from "./schemaFor";
import { checkFailures, errorResponse, fromStruct, toStruct, valuesOf } from "./wire";

export function resourceProvider(session: Session, schema: string, version: string): UntypedServiceImplementation {
    const resource = resourceByType(session);
    return {
        // A provider that answers the handshake also gets previews. Without `acceptSecrets` the engine would send secrets unmarked, and the record of
        // a library, one long text, would contain them in plain text.
        handshake: unaryMethod(async () => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
        getPluginInfo: unaryMethod(async () => new PluginInfo().setVersion(version)),
        getSchema: unaryMethod(async () => {
            // The engine starts the plugin in the folder of the project for which it generates an SDK. The project's runtime tells the language of
            // the SDK.
            const { runtime } = findProject(process.cwd()) ?? {};
            return new proto.GetSchemaResponse().setSchema(schemaFor(schema, runtime));
        }),
        checkConfig: unaryMethod(async (request: proto.CheckRequest) => checkConfig(session, request)),
        // `diffConfig` is left out on purpose. Without it the engine updates a provider whose settings changed; with it, a replaced provider could
        // replace all its resources.
        configure: unaryMethod(async (request: proto.ConfigureRequest) => {
            const { own, stack } = splitSettings(fromStruct(request.getArgs()));
            session.configure(own, stack);
            return new proto.ConfigureResponse();
        }),
        check: unaryMethod(async (request: proto.CheckRequest) => resource(request).check(request)),
        diff: unaryMethod(async (request: proto.DiffRequest) => resource(request).diff(request)),
        create: unaryMethod(async (request: proto.CreateRequest) => resource(request).create(request)),
        update: unaryMethod(async (request: proto.UpdateRequest) => resource(request).update(request)),
        read: unaryMethod(async (request: proto.ReadRequest) => resource(request).read(request)),
        delete: unaryMethod(async (request: proto.DeleteRequest) => resource(request).delete(request)),
        invoke: unaryMethod((request: proto.InvokeRequest) => invokeFunction(session, request)),
        list: (call: ServerWritableStream<proto.ListRequest, proto.ListResponse>): void => {
            listObjects(session, call.request).then(
                (objects) => {
                    for (const one of objects) call.write(one);
                    call.end();
                },
                (error: unknown) => call.emit("error", errorResponse(error)),
            );
        },
        // The engine calls this at the first Ctrl-C, to end the waits, and at the end of every run, when nothing waits.
        cancel: unaryMethod(async () => {
            session.dependencies.lifetime.cancel();
            return new Empty();
        }),
    };
}

function resourceByType(session: Session): (request: { getUrn(): string }) => NativeResource {
    const kinds = Object.keys(lifecycles) as ResourceKind[];
    const all = new Map(kinds.map((kind) => [nativeTypeOf(kind), new NativeResource(session, kind)]));
    return (request) => {
        const type = parseUrn(request.getUrn())?.types.split("$").at(-1) ?? "";
        const found = all.get(type);
        if (found === undefined) throw unknownToken(type);
        return found;
    };
}

function unknownToken(token: string): LifecycleError {
    const names = [...Object.keys(lifecycles), ...Object.keys(lookups)] as (ResourceKind | LookupName)[];
    return new LifecycleError(messages.unknownToken({ token, correction: correction(token, names.map(nativeTypeOf)) }));
}

/** A method of the service. What `body` throws becomes the error that the engine shows. */
function unaryMethod<Request, Response>(body: (request: Request) => Promise<Response>) {
    return ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void => {
        // Not `.then(…).catch(…)`: an error in the callback would call the callback a second time.
        body(request).then(
            (response) => callback(null, response),
            (error: unknown) => callback(errorResponse(error)),
        );
    };
}

function checkConfig(session: Session, request: proto.CheckRequest): proto.CheckResponse {
    const [urn, inputs] = [request.getUrn(), fromStruct(request.getNews())];
    const isSecret = (name: string) => name === "secretKey" && (inputs[name] ?? undefined) !== undefined;
    const { variables } = session.dependencies;
    const explicit = isExplicit(urn, inputs, variables);
    const mark = explicit && { [fromStackKey]: inputs[fromStackKey] ?? {} };
    // Python writes `access_token_id` in a program, but `accessTokenId` in the stack's configuration. `verbatim` keeps the names of the
    // configuration.
    const problems = settingProblems(urn, inputs, variables).map((problem) =>
        explicit
            ? session.redacted(problem)
            : session.redacted(prepend("The videograph configuration:", problem), { verbatim: true }),
    );
    const marked = markedWhere(markedAsGiven({ ...inputs, ...mark }, [valuesOf(request.getNews())]), isSecret);
    return new proto.CheckResponse().setInputs(toStruct(marked)).setFailuresList(checkFailures(problems));
}

/** Returns the objects of one kind, all in one answer: the engine gives a limit, and asks for no pages. */
async function listObjects(session: Session, request: proto.ListRequest): Promise<proto.ListResponse[]> {
    const type = request.getToken();
    const kind = kindOf(type);
    if (kind !== "Content" && kind !== "Livestream") throw unknownToken(type);
    const { args: filters, problems } = checkedArguments(listInputs[kind], fromStruct(request.getQuery()));
    if (problems[0] !== undefined) throw new LifecycleError(problems[0]);
    const most = request.getLimit() || Number.POSITIVE_INFINITY;
    const findObjects = kind === "Content" ? findContents : findLivestreams;
    const found = await withSecretArguments<Properties[]>(session, listInputs[kind], filters, (api, options) =>
        findObjects(api, filters, options, most),
    );
    const { idName } = lifecycles[kind].definition;
    return found.map(({ [idName]: id, title = "" }) =>
        new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(String(id)).setName(String(title))),
    );
}

/** Runs the requests of a lookup. Messages quote none of its arguments except ids: the engine does not say which arguments are secrets. */
function withSecretArguments<T>(
    session: Session,
    inputs: Schema,
    args: Properties,
    body: (api: VideographApi, options: CallOptions) => Promise<T>,
): Promise<T> {
    const redactor = session.secrets.others.with(redactorFor({ inputs }, [args]));
    return session.runOperation({ urn: "" }, ({ services: { api } }) => body(api, { redactor }));
}

async function invokeFunction(session: Session, request: proto.InvokeRequest): Promise<proto.InvokeResponse> {
    const token = request.getTok();
    const name = (Object.keys(lookups) as LookupName[]).find((candidate) => nativeTypeOf(candidate) === token);
    if (name === undefined) throw unknownToken(token);
    const given = normalizeUnknowns(fromStruct(request.getArgs())) as Properties;
    const { args, problems } = checkedArguments(lookups[name].args, given);
    if (problems.length > 0)
        return new proto.InvokeResponse().setFailuresList(
            checkFailures(problems.map((problem) => session.redacted(problem))),
        );
    const { warn } = session.reporterFor("");
    const found = await withSecretArguments(session, lookups[name].args, args, (api, options) =>
        find(name, api, args, warn, options),
    );
    const marked = withSecrets(found, lookups[name].result, (value) => value && secret(value));
    return new proto.InvokeResponse().setReturn(toStruct(marked));
}
