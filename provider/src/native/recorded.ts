/** What the engine has recorded of an object. After an import, some values are in the recorded inputs alone. */
import type { DiffRequest, UpdateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { factsOf, isFixed } from "../definitions/definition";
import { isEmpty } from "../inputs/properties";
import { metaOf, wasAdopted } from "../inputs/recordedMeta";
import { type Change, type Difference, hasUnknown, type Properties } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { withoutHidden } from "../session/resourceHost";
import { fromStruct } from "./wire";

/**
 * Returns the change that a request asks for. `pulumi do` sends empty values for inputs that nobody has set. They are dropped: otherwise the
 * difference would show each of them as removed.
 */
export function changeIn(request: DiffRequest | UpdateRequest, lifecycle: Lifecycle) {
    const oldInputs = withoutHidden(fromStruct(request.getOldInputs()));
    const isMeant = ([name, value]: [string, unknown]) =>
        !isEmpty(value) || oldInputs[name] !== undefined || !lifecycle.inputs.includes(name);
    const outputs = Object.fromEntries(Object.entries(withoutHidden(fromStruct(request.getOlds()))).filter(isMeant));
    const olds = { ...unreadInputs(lifecycle, outputs, oldInputs), ...outputs };
    return { urn: request.getUrn(), id: request.getId(), olds, oldInputs, news: fromStruct(request.getNews()) };
}

/**
 * The inputs of an imported object that no answer shows and no request changes, such as its source. They are in the recorded inputs alone: without
 * them, nobody would notice that the program changes its source later.
 */
export function unreadInputs({ definition }: Lifecycle, olds: Properties, inputs: Properties): Properties {
    if (definition === undefined || !wasAdopted(metaOf(olds))) return {};
    const { shape } = definition.inputs;
    const isUnread = ([name]: [string, unknown]) => isFixed(factsOf(shape[name])) && olds[name] === undefined;
    return Object.fromEntries(Object.entries(inputs).filter(isUnread));
}

/**
 * Whether the difference asks for more than recording inputs that an import could not read. One that asks for no more sends nothing, and is not
 * shown: otherwise the first preview after an import would show an update.
 */
export function asksForMore(lifecycle: Lifecycle, difference: Difference, { olds, news }: Change): boolean {
    if (difference.kind !== "update") return difference.kind === "replace";
    const unread = unreadInputs(lifecycle, olds, news);
    return difference.because.some((name) => !(name in unread) || hasUnknown(news[name]));
}
