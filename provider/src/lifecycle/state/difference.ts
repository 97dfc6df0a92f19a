/** What a change of the program means for an existing object: nothing, an update in place, or a replacement. */
import type { Definition } from "../definition";
import { type Change, type Difference, LifecycleError } from "../resource";
import { metaOf, wasAdopted } from "./hidden";
import { changedInputs } from "./properties";
import { hasUnknown } from "./unknown";

/** The difference by the inputs alone. */
export function inputDifference({ inputs }: Definition, { id, olds, oldInputs, news }: Change): Difference {
    const changed = changedInputs(inputs, olds, news, oldInputs);
    const { importId } = news;
    if (importId !== undefined && changed.local.includes("importId") && importId !== id && !hasUnknown(importId)) {
        throw new LifecycleError(
            "importId names another object than the one this resource manages, and cannot be changed to it. Remove importId, or " +
                "declare a second resource for the other object.",
        );
    }
    const adopted = wasAdopted(metaOf(olds));
    const givenUp = adopted && importId === undefined && oldInputs?.importId !== undefined;
    // Create-only inputs of an adopted object were never sent: declaring or removing one changes nothing. But a source that
    // is declared in the very change that gives up importId asks for a new object.
    const replaces = changed.createOnly.filter(
        (name) =>
            !adopted ||
            (olds[name] !== undefined && news[name] !== undefined) ||
            (givenUp && news[name] !== undefined && inputs[name]?.writeOnly && inputs[name]?.requiredForCreate),
    );
    if (replaces.length > 0) return { kind: "replace", because: replaces };
    const updates = [...changed.inPlace, ...changed.createOnly, ...changed.local.filter((name) => name !== "importId")];
    return updates.length > 0 ? { kind: "update", because: updates } : { kind: "none" };
}

/** Why a resource with importId cannot be replaced: it would adopt its own predecessor, whose delete would delete it. */
export function refusedReplacement(because: string[]): string {
    return (
        `${because.join(", ")}: this needs a replacement, and a resource with importId cannot be replaced. Remove importId from the ` +
        "program first; the object stays managed."
    );
}

/** What a replacement does that nobody may expect. */
export function replacementNotes({ name }: Definition, { id, olds, news }: Change): string[] {
    const notes: string[] = [];
    if (wasAdopted(metaOf(olds))) {
        notes.push(
            `${name} ${id} was adopted: a new one is created from the declared inputs, and the adopted one is deleted.`,
        );
    }
    if (news.waitForReady === false) {
        notes.push(
            `waitForReady is false: ${name} ${id} is deleted as soon as the new one is created, before that one is Ready.`,
        );
    }
    return notes;
}
