/** The outputs that a preview may promise. Programs see all other outputs as unknown. */
import { isObject } from "../api/json";
import type { Definition } from "../definitions/definition";
import { unknownValue } from "../inputs/unknown";
import type { Difference, Properties } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { lifecycles } from "../resources";
import type { ResourceKind } from "../typeTokens";
import { isReady } from "../wait/status";

/** The certain outputs of a create: the inputs. The output of a library has the name of an input, so that name is left out. */
export function createPreview(kind: ResourceKind, { contents, ...inputs }: Properties): Properties {
    return kind === "ContentLibrary" || contents === undefined ? inputs : { ...inputs, contents };
}

/** The outputs that an update cannot change (N3): no computed outputs if the object is not finished. */
export function updatePreview(
    kind: ResourceKind,
    difference: Difference,
    isInput: (name: string) => boolean,
    { olds, news }: { olds: Properties; news: Properties },
): Properties {
    if (kind === "ContentLibrary")
        return { ...createPreview(kind, news), ...untouchedContents(olds, news, difference) };
    const outputs: Definition["outputs"] = (lifecycles[kind] as Lifecycle).definition?.outputs ?? {};
    const because = difference.kind === "none" ? [] : difference.because;
    const finished = because.every(isInput) && (outputs.status?.moving || isReady(String(olds.status)));
    const isSteady = (name: string) =>
        !outputs[name]?.moving && !because.includes(outputs[name]?.changedBy ?? "") && olds[name] !== undefined;
    const known = finished ? Object.keys(outputs).filter(isSteady) : [];
    return { ...createPreview(kind, news), ...Object.fromEntries(known.map((name) => [name, olds[name]])) };
}

/** The outputs of a library: contents that the update leaves alone keep theirs; the outputs of the others are unknown. */
function untouchedContents({ contents }: Properties, news: Properties, difference: Difference): Properties {
    const touched = difference.kind === "none" ? new Set() : difference.keys;
    if (!isObject(contents) || !isObject(news.contents) || touched === undefined) return {};
    const outputsOf = (key: string) => (touched.has(key) ? unknownValue : (contents[key] ?? unknownValue));
    return { contents: Object.fromEntries(Object.keys(news.contents).map((key) => [key, outputsOf(key)])) };
}
