/**
 * Soon after a PUT of ours, an answer that contradicts the record proves nothing: a replica of the service may still show the object as it was
 * before. An update of such an answer would put the old values back, and a delete take the old marker for that of a later owner.
 */
import { consistencyGraceMs, graceStepMs } from "../api";
import type { ServiceObject } from "../evidence/lists";
import { isSameMarker, markerTextIn } from "../evidence/marker";
import { observedInputs } from "../inputs/properties";
import { type Meta, metaOf } from "../inputs/recordedMeta";
import type { Subject } from "../operation/subject";

/** Reads a recorded object; soon after a PUT it is read again for as long as it is not as recorded. A delete only compares the marker. */
export async function readAfterPut(subject: Subject, { markerOnly = false } = {}): Promise<ServiceObject | undefined> {
    const { olds, operation } = subject;
    const { clock } = operation.services;
    const meta = metaOf(olds);
    const isSoon = () => meta.putAt !== undefined && Math.abs(clock.now() - meta.putAt) < consistencyGraceMs;
    for (;;) {
        const object = await subject.readRecorded();
        if (object === undefined || !isSoon()) return object;
        if (!hasOtherMarker(object, meta) && (markerOnly || isAsRecorded(subject, object))) return object;
        operation.progress("reading the object again: the service may not show its last update yet");
        await clock.sleep(graceStepMs, operation.signal);
    }
}

function hasOtherMarker(object: ServiceObject, { mark }: Meta): boolean {
    const shown = markerTextIn(object.metadata);
    return shown !== undefined && !isSameMarker(shown, mark);
}

function isAsRecorded({ resource, olds }: Subject, object: ServiceObject): boolean {
    const inputs = observedInputs(resource.definition.inputs.shape, olds, object, { complete: false });
    return Object.entries(inputs).every(([name, value]) => value === olds[name]);
}
