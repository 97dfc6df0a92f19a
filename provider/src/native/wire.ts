/** The wire format: property values as protobuf Structs, and failures that keep the object in the state. */

import type { ServerErrorResponse, StatusObject } from "@grpc/grpc-js";
import { CheckFailure, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isObject } from "../api/json";
import { mapParts, type Properties } from "../inputs/values";
import { messageOf } from "../messages";
import { PartialFailure } from "../operation/operation";
import { secretSignature, signatureKey } from "../secretValues/marks";
import { grpc } from "../session/grpc";
import { toState } from "../session/resourceHost";

export function valuesOf(struct: Struct | undefined): Properties {
    return struct?.toJavaScript() ?? {};
}

/** The values without their secrecy. Unknown values stay the engine's placeholders for their types. */
export function fromStruct(struct: Struct | undefined): Properties {
    return withoutSecrecy(valuesOf(struct)) as Properties;
}

export function toStruct(properties: Properties): Struct {
    return Struct.fromJavaScript(toState(properties) as Record<string, JavaScriptValue>);
}

/** Whether an object has the key `__proto__`: a copy would lose it. JSON escapes the quotes in a text, so no text looks like that key. */
export function holdsPrototypeKey(struct: Struct | undefined): boolean {
    return JSON.stringify(valuesOf(struct)).includes('"__proto__":');
}

function withoutSecrecy(given: unknown): unknown {
    const { [signatureKey]: signature, value } = isObject(given) ? given : {};
    return signature === secretSignature ? withoutSecrecy(value) : mapParts(given, withoutSecrecy);
}

/** Problems of inputs. They name no property, because the engine would print its value, decrypted. */
export function checkFailures(problems: readonly string[]): CheckFailure[] {
    return problems.map((problem) => new CheckFailure().setReason(problem));
}

/** The error as gRPC carries it. A partial failure keeps the object's id and outputs. */
export function errorResponse(error: unknown): ServerErrorResponse | Partial<StatusObject> {
    const details = messageOf(error) || "The operation failed without a message.";
    const code = grpc.status.UNKNOWN;
    if (!(error instanceof PartialFailure)) return { code, details };
    const failed = new ErrorResourceInitFailed();
    failed.setId(error.id).setProperties(toStruct(error.outputs)).setReasonsList([details]);
    const any = new Any();
    any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(code).setMessage(details).setDetailsList([any]);
    const metadata = new grpc.Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return { code, details, metadata };
}
