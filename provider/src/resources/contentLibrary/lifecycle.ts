/** Many contents as one resource: a map over the lifecycle of a Content, with one state, one preview and one wait for all. */
import type { ContentObject } from "../../api";
import { nameOpen } from "../../create/recorded";
import { entryUrn, packedEntries } from "../../evidence/library";
import { markerIn, newNonce } from "../../evidence/marker";
import type { Input } from "../../inputs/definition";
import { metaOf } from "../../inputs/recordedMeta";
import type { Change, Properties } from "../../inputs/values";
import { type Lifecycle, PartialFailure } from "../../lifecycle/lifecycle";
import { LifecycleError, messages } from "../../messages";
import type { Operation } from "../../operation/operation";
import { named } from "../many";
import { entryDefinition } from "./definition";
import { checkLibrary, entriesIn } from "./entries";
import { Work } from "./operate";
import { deletionsOf, libraryDifference, planOf, refusal } from "./plan";
import { libraryIn, recorded } from "./record";

export const contentLibrary: Lifecycle = {
    inputs: ["contents", "catalogue", "defaults", "maxDeletes"],

    check: checkLibrary,

    diff: libraryDifference,

    async create(inputs, operation) {
        const id = `library-${newNonce(operation.environment.random)}`;
        return { id, outputs: await change({ id, olds: {}, news: inputs }, operation, "create") };
    },

    update: (id, olds, news, operation, oldInputs) => change({ id, olds, oldInputs, news }, operation, "update"),

    async delete(_id, olds, operation) {
        const library = libraryIn(olds);
        const tasks = deletionsOf(library.entries.values());
        const problem = await new Work(library, operation, "deleted", "delete").do(tasks);
        if (problem !== undefined) throw new LifecycleError(problem);
    },

    async read(_id, olds, operation) {
        const library = libraryIn(olds);
        const before = [...library.entries.values()];
        const problem = await new Work(library, operation, "read", "update").read(await listed(before, operation));
        if (problem !== undefined) throw new LifecycleError(problem);
        const gone = before.filter(({ key }) => !library.entries.has(key));
        if (gone.length > 0) operation.warn(messages.libraryGone({ keys: named(gone) }));
        return { outputs: recorded(library, olds.results !== undefined) };
    },

    markers: (outputs) => packedEntries(outputs).flatMap(([, , __meta]) => metaOf({ __meta }).mark ?? []),
};

async function change(
    { id, olds, oldInputs, news }: Change,
    operation: Operation,
    kind: "create" | "update",
): Promise<Properties> {
    const library = libraryIn(olds);
    // The same plan as the preview's.
    const tasks = planOf(library, { oldInputs, news }, operation) ?? [];
    const problem = refusal(library, tasks, news);
    if (problem !== undefined) throw new LifecycleError(problem);
    const failed = await new Work(library, operation, "ready", kind).do(tasks);
    const { urn: libraryUrn = "", environment } = operation;
    // What killed creates have left of keys that the program no longer declares.
    const [own, declared] = [entryUrn(libraryUrn, ""), entriesIn(news)];
    const isLeft = (urn: string) => urn.startsWith(own) && !declared?.has(urn.slice(own.length));
    await nameOpen(environment.journal, libraryUrn, operation, ({ urn }) => isLeft(urn));
    library.at = environment.clock.now();
    const outputs = recorded(library, typeof news.catalogue === "string");
    if (failed !== undefined) throw new PartialFailure(id, outputs, failed);
    return outputs;
}

/** The contents of which a list shows all that a refresh compares, as long as a page shows more than the GETs that it saves. */
async function listed(
    entries: readonly { id: string; olds: Properties }[],
    { environment, signal }: Operation,
): Promise<Map<string, ContentObject>> {
    const shown = new Map<string, ContentObject>();
    const byId = new Map(entries.map(({ id, olds }) => [id, olds]));
    let pages = 0;
    try {
        for await (const { items } of environment.api.listContents({ signal })) {
            const ours = items.filter((item) => byId.has(item.contentId));
            const whole = ours.filter((item) => isWhole(item, byId.get(item.contentId) ?? {}));
            for (const item of whole) shown.set(item.contentId, item);
            if (whole.length * 2 < ours.length || shown.size === byId.size || ++pages * 2 >= byId.size) break;
        }
    } catch {
        // If something is wrong, single answers show it.
        signal.throwIfAborted();
    }
    return shown;
}

/** The properties that a service tells. */
const told = [
    ...Object.entries<Input>(entryDefinition.inputs).flatMap(([name, { change, writeOnly }]) =>
        change === "inPlace" || (change === "createOnly" && !writeOnly) ? [name] : [],
    ),
    ...Object.keys(entryDefinition.outputs),
];

/** Whether the item has all that is compared: what is missing in a list may be there. */
function isWhole(item: ContentObject, olds: Properties): boolean {
    const isMarked = metaOf(olds).mark === undefined || markerIn(item.metadata) !== undefined;
    return isMarked && told.every((name) => olds[name] === undefined || (item as Properties)[name] !== undefined);
}
