/** The outputs that a preview may promise. Programs see all other outputs as unknown. */
import { isObject } from "../api/json";
import { isReady } from "../api/status";
import { factsOf, type Shape } from "../definitions/definition";
import { type Change, type Difference, type Properties, unknownValue } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { withoutHidden } from "../session/resourceHost";

/** The certain outputs of a create: the inputs. `contents` is the name of a library's output too, so it is left out. */
export function createPreview(given: Properties): Properties {
    const { contents: _, ...inputs } = withoutHidden(given);
    return inputs;
}

/** The outputs that an update cannot change (N3): no computed outputs if the object is not finished. */
export function updatePreview(
    { definition, inputs }: Lifecycle,
    difference: Difference,
    { olds, news }: Change,
): Properties {
    const outputs: Shape = definition?.outputs.shape ?? {};
    const because = difference.kind === "none" ? [] : difference.because;
    const finished =
        because.every((name) => inputs.includes(name)) &&
        (factsOf(outputs.status).moving || isReady(String(olds.status)));
    const isSteady = (name: string) => {
        const { moving, changedBy = "" } = factsOf(outputs[name]);
        return !moving && !because.includes(changedBy) && olds[name] !== undefined;
    };
    const known = finished ? Object.keys(outputs).filter(isSteady) : [];
    const computed = Object.fromEntries(known.map((name) => [name, olds[name]]));
    return { ...createPreview(news), ...computed, ...untouchedContents(olds, news, difference) };
}

/** The outputs of a library: contents that the update leaves alone keep theirs; the outputs of the others are unknown. */
function untouchedContents({ contents }: Properties, news: Properties, difference: Difference): Properties {
    const touched = difference.kind === "none" ? new Set() : difference.keys;
    if (!isObject(contents) || !isObject(news.contents) || touched === undefined) return {};
    const outputsOf = (key: string) => (touched.has(key) ? unknownValue : (contents[key] ?? unknownValue));
    return { contents: Object.fromEntries(Object.keys(news.contents).map((key) => [key, outputsOf(key)])) };
}
