/** What the engine has recorded of an object, in its outputs and in its inputs. */
import type { DiffRequest, UpdateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { isFixed } from "../definitions/definition";
import { isEmpty } from "../inputs/properties";
import { metaOf, wasAdopted } from "../inputs/recordedMeta";
import { type Change, type Difference, hasUnknown, type Properties } from "../inputs/values";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { withoutHidden } from "../session/resourceHost";
import { fromStruct } from "./wire";

/** The change that a request asks for. `pulumi do` gives the outputs of a read: an empty value there was never declared, so no change removes it. */
export function changeIn(request: DiffRequest | UpdateRequest, lifecycle: Lifecycle) {
    const oldInputs = withoutHidden(fromStruct(request.getOldInputs()));
    const isMeant = ([name, value]: [string, unknown]) =>
        !isEmpty(value) || oldInputs[name] !== undefined || !lifecycle.inputs.includes(name);
    const outputs = Object.fromEntries(Object.entries(withoutHidden(fromStruct(request.getOlds()))).filter(isMeant));
    const olds = { ...unreadInputs(lifecycle, outputs, oldInputs), ...outputs };
    return { urn: request.getUrn(), id: request.getId(), olds, oldInputs, news: fromStruct(request.getNews()) };
}

/** The values of an imported object that no request can change and the service does not return: only the inputs have them. */
export function unreadInputs({ definition }: Lifecycle, olds: Properties, inputs: Properties): Properties {
    if (definition === undefined || !wasAdopted(metaOf(olds))) return {};
    const { shape } = definition.inputs;
    const isUnread = ([name]: [string, unknown]) => isFixed(shape[name]) && olds[name] === undefined;
    return Object.fromEntries(Object.entries(inputs).filter(isUnread));
}

/** Whether the difference is more than values that an import could not read, and that the program declares now: nothing is sent for these. */
export function asksForMore(lifecycle: Lifecycle, difference: Difference, { olds, news }: Change): boolean {
    if (difference.kind !== "update") return difference.kind === "replace";
    const unread = unreadInputs(lifecycle, olds, news);
    return difference.because.some((name) => !(name in unread) || hasUnknown(news[name]));
}
