/** What a change of the program means for an existing object: nothing, an update in place, or a replacement. */

import { type Difference, LifecycleError, type Properties } from "../resource";
import { metaOf } from "./hidden";
import { changedInputs, type PropertyTable } from "./properties";

/** The difference by the inputs alone. */
export function inputDifference(table: PropertyTable, id: string, olds: Properties, news: Properties): Difference {
    const changed = changedInputs(table, olds, news);
    if (news.importId !== undefined && changed.local.includes("importId") && news.importId !== id) {
        throw new LifecycleError(
            "importId names another object than the one this resource manages, and cannot be changed to it. Take importId out, or " +
                "declare a second resource for the other object.",
        );
    }
    const takenOver = metaOf(olds).mark === undefined;
    // Create-only inputs of an object that was taken over were never sent: declaring or undeclaring one changes nothing.
    const replaces = changed.createOnly.filter(
        (name) => !takenOver || (olds[name] !== undefined && news[name] !== undefined),
    );
    if (replaces.length > 0) {
        refuseReplacement(news, replaces);
        return { kind: "replace", because: replaces };
    }
    const updates = [...changed.inPlace, ...changed.createOnly, ...changed.local.filter((name) => name !== "importId")];
    return updates.length > 0 ? { kind: "update", because: updates } : { kind: "none" };
}

/** A replacement would take over its own predecessor, and the delete of that one would delete it. */
export function refuseReplacement(news: Properties, because: string[]): void {
    if (news.importId === undefined) return;
    throw new LifecycleError(
        `${because.join(", ")}: this needs a replacement, and a resource with importId cannot be replaced. Take importId out of the ` +
            "program first; the object stays managed.",
    );
}
