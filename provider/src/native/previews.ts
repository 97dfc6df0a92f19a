/** The outputs of an operation that a preview may promise. A name that is left out is unknown to programs. */
import type { Definition } from "../inputs/definition";
import type { Difference, Properties } from "../lifecycle";
import { resourceTypes } from "../resources";
import type { ResourceKind } from "../typeTokens";
import { isReady } from "../wait/status";

/** Only the inputs of a resource are certain before it is created. The outputs of a library have the name of one of them. */
export function createPreview(kind: ResourceKind, { contents, ...inputs }: Properties): Properties {
    return kind === "ContentLibrary" || contents === undefined ? inputs : { ...inputs, contents };
}

/** The outputs that an update will surely have (N3): none of the computed ones where the object is not finished. */
export function updatePreview(
    kind: ResourceKind,
    difference: Difference,
    isInput: (name: string) => boolean,
    { olds, news }: { olds: Properties; news: Properties },
): Properties {
    const outputs: Definition["outputs"] = resourceTypes[kind].definition?.outputs ?? {};
    const finished =
        (difference.kind === "none" || difference.because.every(isInput)) &&
        (outputs.status?.moving || isReady(String(olds.status)));
    const because = difference.kind === "none" ? [] : difference.because;
    const isSteady = (name: string) =>
        !outputs[name]?.moving && !because.includes(outputs[name]?.changedBy ?? "") && olds[name] !== undefined;
    const known = finished ? Object.keys(outputs).filter(isSteady) : [];
    return { ...createPreview(kind, news), ...Object.fromEntries(known.map((name) => [name, olds[name]])) };
}
