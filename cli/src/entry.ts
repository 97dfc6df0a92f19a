/**
 * The record of an object that this stack did not create: the entry of a Pulumi import file, whose inputs a
 * program declares word for word, so that neither a preview nor a refresh finds a difference.
 */

import { isReady } from "#provider/api/status";
import { inputsIn, isEmpty } from "#provider/inputs/properties";
import { metaOf } from "#provider/inputs/recordedMeta";
import type { Properties } from "#provider/inputs/values";
import { lifecycles } from "#provider/resources/index";
import { holds } from "#provider/secrets/redactor";
import { pluginDownloadURL } from "#provider/session/pluginSource";
import { nativeTypeOf, providerText, typeOf } from "#provider/typeTokens";
import { errorClause, type Kind, type ReadObject } from "./account";
import type { StackIdentity } from "./state";

/** One entry of a Pulumi import file. */
export interface ImportEntry {
    readonly type: string;
    readonly name: string;
    readonly id: string;
    /** Only for a dynamic type, with `__provider`: the engine finds the implementation by it. The inputs of a native type are read by the plugin. */
    readonly inputs?: Properties;
    readonly outputs?: Properties;
    /** The version of the plugin that reads the object of a native type. */
    readonly version?: string;
    readonly pluginDownloadURL?: string | undefined;
}

export interface DeclaredObject {
    readonly kind: Kind;
    readonly entry: ImportEntry;
    /** The inputs that a program declares, without the hidden ones. */
    readonly declared: Properties;
}

/** The options for all entries of a stack. */
export interface DeclareOptions {
    readonly fingerprint: string;
    readonly identity: StackIdentity;
    /** The version of the plugin, for a stack with native types. */
    readonly plugin: string | undefined;
    /** Whether the program says by `importId` that it adopts the object, as dynamic types do. */
    readonly isAdopted: boolean;
}

/**
 * The declaration of an object, or the reason why a program cannot declare it. `sent`: the inputs that the object was
 * created with, where they are known; they are used where the service does not show them.
 */
export function declareObject(
    read: ReadObject,
    name: string,
    { fingerprint, identity, plugin, isAdopted }: DeclareOptions,
    sent: Properties = {},
): { declared: DeclaredObject } | { reason: string } {
    const { kind, id } = read;
    const lifecycle = lifecycles[kind];
    const table = lifecycle.definition.inputs.shape;
    const record = { ...inputsIn(table, sent), ...lifecycle.record(read.object, fingerprint) };
    // Anyone could read a stream key in these files. The first refresh adds it to the state, as a secret.
    const isOpen = (value: unknown) => !holds(value, record.streamKey);
    const shown = Object.keys(table).filter((input) => record[input] !== undefined && !isEmpty(record[input]));
    const inputs: Properties = {
        ...(isAdopted && { importId: id }),
        ...Object.fromEntries(shown.map((input) => [input, record[input]])),
        // Without this input, the next preview of a content that has Failed would show a wait.
        ...(kind === "Content" && !isReady(read.status) && { waitForReady: false }),
    };
    if (!isOpen(inputs)) return { reason: "its texts contain its stream key: correct them in the dashboard" };
    const { problems } = lifecycle.check({ importId: id, ...inputs }, undefined, {});
    if (problems.length > 0) return { reason: `a program cannot declare it: ${problems.map(errorClause).join("; ")}` };
    if (plugin !== undefined) {
        const entry = { type: nativeTypeOf(kind), name, id, version: plugin, pluginDownloadURL };
        return { declared: { kind, entry, declared: inputs } };
    }
    // The URN that the program will pass for the object; without this input the first update would show it as added.
    const __urn = `urn:pulumi:${identity.stack}::${identity.project}::${typeOf(kind)}::${name}`;
    const hidden = { __provider: providerText(kind), __urn };
    const computed = Object.entries(record).filter(
        ([key, value]) => !(key in table) && value !== undefined && isOpen(value),
    );
    // The object was not created from these inputs: the record says `imported`. It has the object's marker, because a delete keeps an object whose
    // marker the record does not have.
    const meta = metaOf(record);
    const __meta = meta.mark === undefined ? meta : { ...meta, imported: true };
    const outputs = { ...inputs, ...Object.fromEntries(computed), __meta, ...hidden };
    const entry = { type: typeOf(kind), name, id, inputs: { ...inputs, ...hidden }, outputs };
    return { declared: { kind, entry, declared: inputs } };
}
