/** Converts values from and to the form in which the engine sends them (protobuf), and errors to the form in which it takes them. */

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

/** The values, without the marks of secrets. A value that is not known yet stays the engine's placeholder. */
export function fromStruct(struct: Struct | undefined): Properties {
    return withoutSecrecy(valuesOf(struct)) as Properties;
}

export function toStruct(properties: Properties): Struct {
    return Struct.fromJavaScript(toState(properties) as Record<string, JavaScriptValue>);
}

/** Whether some object has the key `__proto__`, which copies would lose. A text cannot look like that key: JSON escapes its quotes. */
export function holdsPrototypeKey(struct: Struct | undefined): boolean {
    return JSON.stringify(valuesOf(struct)).includes('"__proto__":');
}

function withoutSecrecy(given: unknown): unknown {
    const { [signatureKey]: signature, value } = isObject(given) ? given : {};
    return signature === secretSignature ? withoutSecrecy(value) : mapParts(given, withoutSecrecy);
}

/**
 * Converts problems of inputs for the answer to a check. The field `property` stays empty: the engine would print the value of the named property,
 * even a secret one.
 */
export function checkFailures(problems: readonly string[]): CheckFailure[] {
    return problems.map((problem) => new CheckFailure().setReason(problem));
}

/**
 * Converts an error for gRPC. The error of a partial failure carries the object's id and outputs, which the engine records in spite of the failure.
 */
export function errorResponse(error: unknown): ServerErrorResponse | Partial<StatusObject> {
    const details = messageOf(error) || "The operation failed without a message.";
    const code = grpc.status.UNKNOWN;
    if (!(error instanceof PartialFailure)) return { code, details };
    const { id, outputs } = error;
    const failed = new ErrorResourceInitFailed().setId(id).setProperties(toStruct(outputs)).setReasonsList([details]);
    const any = new Any();
    any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(code).setMessage(details).setDetailsList([any]);
    const metadata = new grpc.Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return { code, details, metadata };
}
