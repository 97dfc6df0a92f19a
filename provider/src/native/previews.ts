/** The outputs of which a preview can be sure. The program gets all others as unknown values. */
import { isObject } from "../api/json";
import { isReady } from "../api/status";
import { factsOf, type Shape } from "../definitions/definition";
import { type Change, type Difference, type Properties, unknownValue } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { withoutHidden } from "../session/resourceHost";

/**
 * Returns the inputs: a preview of a create is sure of nothing else. A library's `contents` is left out, because its output of the same name has
 * other values.
 */
export function createPreview(given: Properties): Properties {
    const { contents: _, ...inputs } = withoutHidden(given);
    return inputs;
}

/**
 * Returns the inputs, and the computed outputs that this update does not change. Until a content is Ready, all of its computed outputs may change, so
 * none is returned.
 */
export function updatePreview(lifecycle: Lifecycle, difference: Difference, { olds, news }: Change): Properties {
    const outputs: Shape = lifecycle.definition?.outputs.shape ?? {};
    const because = difference.kind === "none" ? [] : difference.because;
    const isFinished = factsOf(outputs.status).moving || isReady(olds.status);
    const isSure = isFinished && because.every((name) => lifecycle.inputs.includes(name));
    const isSteady = (name: string) => {
        const { moving, changedBy = "" } = factsOf(outputs[name]);
        return isSure && !moving && !because.includes(changedBy) && olds[name] !== undefined;
    };
    const computed = Object.keys(outputs).filter(isSteady);
    const known = Object.fromEntries(computed.map((name) => [name, olds[name]]));
    return { ...createPreview(news), ...known, ...untouchedContents(olds, news, difference) };
}

/** Returns the output `contents` of a library. A content that the update changes is unknown. The others keep their values. */
function untouchedContents({ contents }: Properties, news: Properties, difference: Difference): Properties {
    const touched = difference.kind === "none" ? new Set() : difference.keys;
    if (!isObject(contents) || !isObject(news.contents) || touched === undefined) return {};
    const outputsOf = (key: string) => (touched.has(key) ? unknownValue : (contents[key] ?? unknownValue));
    return { contents: Object.fromEntries(Object.keys(news.contents).map((key) => [key, outputsOf(key)])) };
}
