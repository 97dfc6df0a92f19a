/** The outputs that a preview may promise. All others are unknown to the program. */
import { isObject } from "../api/json";
import { isReady } from "../api/status";
import { factsOf, type Shape } from "../definitions/definition";
import { type Change, type Difference, type Properties, unknownValue } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { withoutHidden } from "../session/resourceHost";

/** The inputs: nothing else of a create is certain. Without `contents`, which in a library is an output too, with other values. */
export function createPreview(given: Properties): Properties {
    const { contents: _, ...inputs } = withoutHidden(given);
    return inputs;
}

/** The inputs, and the computed outputs that this update leaves alone. A content that is not Ready yet promises no computed output: they may all change. */
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

/** The output `contents` of a library. A content that the update changes is unknown, the others keep their values. */
function untouchedContents({ contents }: Properties, news: Properties, difference: Difference): Properties {
    const touched = difference.kind === "none" ? new Set() : difference.keys;
    if (!isObject(contents) || !isObject(news.contents) || touched === undefined) return {};
    const outputsOf = (key: string) => (touched.has(key) ? unknownValue : (contents[key] ?? unknownValue));
    return { contents: Object.fromEntries(Object.keys(news.contents).map((key) => [key, outputsOf(key)])) };
}
