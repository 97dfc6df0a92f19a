/** Many contents as one resource: a map over the lifecycle of a Content, with one state, one preview and one wait for all. */
import { type ContentObject, Deadline } from "../../api";
import { nameOpen } from "../../create/recorded";
import { entryUrn } from "../../evidence/library";
import { markerIn } from "../../evidence/marker";
import type { Input } from "../../inputs/definition";
import { metaOf } from "../../inputs/recordedMeta";
import type { Change, Properties, Timeouts } from "../../inputs/values";
import { type Lifecycle, PartialFailure } from "../../lifecycle/lifecycle";
import { LifecycleError, messages } from "../../messages";
import type { Operation } from "../../operation/operation";
import { contentTimeouts } from "../timeouts";
import { entryDefinition } from "./definition";
import { checkLibrary, entriesIn } from "./entries";
import { Work } from "./operate";
import { libraryDifference, named, planOf, refusal, type Task } from "./plan";
import { type Library, libraryIn, recorded } from "./record";

export const contentLibrary: Lifecycle = {
    inputs: ["contents", "catalogue", "defaults", "maxDeletes"],

    check: checkLibrary,

    diff: libraryDifference,

    async create(inputs, operation) {
        const { random } = operation.environment;
        const id = `library-${Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join("")}`;
        return { id, outputs: await change({ id, olds: {}, news: inputs }, operation, "create") };
    },

    update: (id, olds, news, operation, oldInputs) => change({ id, olds, oldInputs, news }, operation, "update"),

    async delete(_id, olds, operation) {
        const library = libraryIn(olds);
        const tasks = [...library.entries].map(([key, had]): Task => ({ key, act: "delete", had, inputs: had.olds }));
        const problem = await workOn(library, operation, "deleted", "delete").do(tasks, {}, undefined);
        if (problem !== undefined) throw new LifecycleError(problem);
    },

    async read(_id, olds, operation) {
        const library = libraryIn(olds);
        const before = new Map(library.entries);
        const problem = await workOn(library, operation, "read", "update").read(await listed(library, operation));
        if (problem !== undefined) throw new LifecycleError(problem);
        const gone = new Set([...before.keys()].filter((key) => !library.entries.has(key)));
        if (gone.size > 0) operation.warn(messages.libraryGone({ keys: named(gone) }));
        return { outputs: recorded(library, formOf(olds)) };
    },

    markers: (outputs) => {
        const { entries, leaving, marker } = libraryIn(outputs);
        const own = [...entries.values(), ...leaving].map(({ olds }) => metaOf(olds).marker);
        return [marker, ...own].filter((one) => one !== undefined);
    },
};

async function change(
    { id, olds, oldInputs, news }: Change,
    operation: Operation,
    kind: "create" | "update",
): Promise<Properties> {
    const library = libraryIn(olds);
    const { managers } = operation.environment;
    // The same plan as the preview's.
    const tasks = planOf(library, news, { oldInputs, row: operation, managers }) ?? [];
    const problem = refusal(library, tasks, news);
    if (problem !== undefined) throw new LifecycleError(problem);
    const since = kind === "update" ? (library.at ?? 0) : undefined;
    const failed = await workOn(library, operation, "ready", kind).do(tasks, news, since);
    await nameUndeclared(operation, news);
    library.at = operation.environment.clock.now();
    const order = [...(entriesIn(news) ?? new Map()).keys(), ...library.entries.keys()];
    library.entries = new Map(
        order.flatMap((key) => {
            const entry = library.entries.get(key);
            return entry === undefined ? [] : [[key, entry]];
        }),
    );
    const outputs = recorded(library, news);
    if (failed !== undefined) throw new PartialFailure(id, outputs, failed);
    return outputs;
}

/** What killed creates have left of keys that the program no longer declares. */
async function nameUndeclared(operation: Operation, news: Properties): Promise<void> {
    const { urn = "", environment } = operation;
    const own = entryUrn(urn, "");
    const isUndeclared = (entry: string) => entry.startsWith(own) && !entriesIn(news)?.has(entry.slice(own.length));
    await nameOpen(environment.journal, urn, operation, (entry) => isUndeclared(entry.urn));
}

function workOn(
    library: Library,
    operation: Operation,
    done: "ready" | "read" | "deleted",
    kind: keyof Timeouts,
): Work {
    const ms = operation.timeouts[kind] ?? contentTimeouts[kind];
    return new Work(library, operation, { deadline: Deadline.after(operation.environment.clock, ms), done });
}

/** The form of outputs without inputs: that of the inputs of their time. */
function formOf({ results }: Properties): Properties {
    return typeof results === "string" ? { catalogue: "" } : {};
}

/** The contents of which a list shows all that a refresh compares, as long as a page shows more than the GETs that it saves. */
async function listed({ entries }: Library, { environment, signal }: Operation): Promise<Map<string, ContentObject>> {
    const shown = new Map<string, ContentObject>();
    const byId = new Map([...entries.values()].map(({ id, olds }) => [id, olds]));
    let pages = 0;
    try {
        for await (const { items } of environment.api.contents({ signal })) {
            const ours = items.filter((item) => byId.has(item.contentId));
            const whole = ours.filter((item) => isWhole(item, byId.get(item.contentId) ?? {}));
            for (const item of whole) shown.set(item.contentId, item);
            const isOfUse = whole.length * 2 >= ours.length;
            if (!isOfUse || shown.size === byId.size || ++pages * 2 >= byId.size) break;
        }
    } catch {
        // If something is wrong, single answers show it.
        signal.throwIfAborted();
    }
    return shown;
}

/** Whether the item has all that is compared: what is missing in a list may be there. */
function isWhole(item: ContentObject, olds: Properties): boolean {
    const { inputs, outputs } = entryDefinition;
    const told = Object.entries<Input>(inputs).filter(
        ([, { change, writeOnly }]) => change === "inPlace" || (change === "createOnly" && !writeOnly),
    );
    const names = [...told.map(([name]) => name), ...Object.keys(outputs)];
    const isMarked = metaOf(olds).marker === undefined || markerIn(item.metadata) !== undefined;
    return isMarked && names.every((name) => olds[name] === undefined || (item as Properties)[name] !== undefined);
}
