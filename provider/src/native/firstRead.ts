/** Reads an object that no state has: for an import, for `.get` and for `pulumi do`. */
import type { ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { isBeingDeleted, isReady } from "../api/status";
import { metaOf } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import type { State } from "../lifecycle/lifecycle";
import { LifecycleError, messages } from "../messages";
import type { ResourceHost } from "../session/resourceHost";
import { kindIn } from "../urn";

/**
 * The state to record; `undefined` where there is no object. `.get` gives all that the service shows, for a program to read. An import, which
 * alone comes without inputs (`.get` has a hidden one, see `hiddenInputs`), leaves out the inputs without a value: every input in the state is managed, so the
 * first refresh would show drift of what no program sets (N2).
 */
export async function firstRead(host: ResourceHost, request: ReadRequest): Promise<State | undefined> {
    const [id, urn, isImport] = [request.getId(), request.getUrn(), !request.hasInputs()];
    const kind = kindIn(urn);
    const found = await host.find({ id, urn, timeouts: {}, isImport });
    // Of the others the engine says it itself.
    if (found === undefined && isImport) throw new LifecycleError(messages.noSuchObject({ object: `${kind} ${id}` }));
    if (found === undefined) return undefined;
    const { outputs } = found;
    const meta = metaOf(outputs);
    const __meta = { ...meta, ...(meta.mark !== undefined && { imported: true }) };
    if (!isImport) return { ...found, outputs: { ...outputs, __meta: { ...__meta, external: true } } };
    const status = typeof outputs.status === "string" ? outputs.status : undefined;
    // The next refresh would remove an object that is being deleted from the state.
    if (isBeingDeleted(status)) return undefined;
    await host.checkImport({ kind, id, urn }, meta.mark);
    // An import does not wait. Without this input the next preview would show a wait, also to the program that `adopt` writes.
    const isPending = host.isInput("waitForReady") && !isReady(status);
    const inputs: Properties = { ...found.inputs, ...(isPending && { waitForReady: false }) };
    const computed = Object.entries(outputs).filter(([name]) => !host.isInput(name));
    return { inputs, outputs: { ...inputs, ...Object.fromEntries(computed), __meta } };
}
