/** Reads an object that no state has: for an import, for `.get`, and for `pulumi do`, which changes one object without a program. */
import type { ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { isBeingDeleted, isReady } from "../api/status";
import { metaOf } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import type { State } from "../lifecycle/lifecycle";
import { LifecycleError, messages } from "../messages";
import type { ResourceHost } from "../session/resourceHost";
import { kindIn } from "../urn";

/**
 * The state that the engine records; `undefined` where there is no object. `.get` records all that the service shows. An import leaves out inputs
 * without a value: an empty description in the state would count as declared, and the first refresh would show drift. Only an import sends no inputs:
 * a `.get` sends the hidden input `__get`.
 */
export async function firstRead(host: ResourceHost, request: ReadRequest): Promise<State | undefined> {
    const [id, urn, isImport] = [request.getId(), request.getUrn(), !request.hasInputs()];
    const kind = kindIn(urn);
    const found = await host.find({ id, urn, timeouts: {}, isImport });
    if (found === undefined && isImport) throw new LifecycleError(messages.noSuchObject({ object: `${kind} ${id}` }));
    // No error for `.get` and `pulumi do`: the engine itself says that there is no object.
    if (found === undefined) return undefined;
    const { outputs } = found;
    const meta = metaOf(outputs);
    const __meta = { ...meta, ...(meta.mark !== undefined && { imported: true }) };
    if (!isImport) return { ...found, outputs: { ...outputs, __meta: { ...__meta, external: true } } };
    // An object that is being deleted counts as absent: after an import, it would be gone at the next refresh.
    if (isBeingDeleted(outputs.status)) return undefined;
    // An import does not wait until the content is Ready, so it records `waitForReady: false`. Otherwise the next preview would show an update that
    // waits.
    const isPending = host.isInput("waitForReady") && !isReady(outputs.status);
    const inputs: Properties = { ...found.inputs, ...(isPending && { waitForReady: false }) };
    const computed = Object.entries(outputs).filter(([name]) => !host.isInput(name));
    return { inputs, outputs: { ...inputs, ...Object.fromEntries(computed), __meta } };
}
