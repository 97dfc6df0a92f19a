/** The effect of a changed program on an existing object: none, an update in place, or a replacement. */
import { isSameId, isUnconfirmed } from "../api";
import { isFailed } from "../api/status";
import { type Definition, factsOf } from "../definitions/definition";
import { LifecycleError, type Message, messages } from "../messages";
import { holds } from "../secrets/redactor";
import { isSecretAddress } from "../secrets/urls";
import { parseUrn } from "../urn";
import { subtitleNote } from "./ownRequests";
import { changedInputs } from "./properties";
import { metaOf, wasAdopted } from "./recordedMeta";
import { type Change, type Difference, hasUnknown, type RecordedObject } from "./values";

/** What the changed inputs ask for. `lifecycle/managed.ts` adds what the object's status asks for: a wait, or a replacement. */
export function inputDifference(
    { name, inputs: { shape: fields } }: Definition,
    { id, olds, oldInputs, news }: Change,
): Difference {
    const changed = changedInputs(fields, olds, news, oldInputs);
    const { importId } = news;
    const isOtherObject = typeof importId === "string" && !isSameId(importId, id) && !hasUnknown(importId);
    if (isOtherObject && changed.local.includes("importId"))
        throw new LifecycleError(messages.importIdChanged({ object: `${name} ${id}` }));
    const adopted = wasAdopted(metaOf(olds));
    const dropsImportId = importId === undefined && oldInputs?.importId !== undefined;
    // This resource has never sent the create-only inputs of an adopted object, so declaring or removing one changes nothing. The exception: a
    // program that gives up `importId` and declares a source in one change wants a new object.
    const isInBoth = (input: string) => olds[input] !== undefined && news[input] !== undefined;
    const isNewSource = (input: string) => {
        const { change, requiredForCreate } = factsOf(fields[input]);
        return dropsImportId && news[input] !== undefined && change === "sentOnly" && requiredForCreate;
    };
    const replaces = changed.createOnly.filter((input) => !adopted || isInBoth(input) || isNewSource(input));
    if (replaces.length > 0) return { kind: "replace", because: replaces };
    const { inPlace, ownRequest, createOnly, local } = changed;
    const updates = [...inPlace, ...ownRequest, ...createOnly, ...local.filter((name) => name !== "importId")];
    return updates.length > 0 ? { kind: "update", because: updates } : { kind: "none" };
}

/**
 * The reason why the object cannot be replaced; `undefined` where it can be. With `importId` in the program, the new resource would adopt the old
 * object, and the engine would then delete the object.
 */
export function refusedReplacement(
    { name, inputs: { shape: fields } }: Definition,
    { id, news }: Change,
    because: string[],
): Message | undefined {
    if (news.importId !== undefined) return messages.importIdReplaced({ properties: because.join(", ") });
    // The service refuses a create without these inputs. By that time, the old object may already be deleted.
    const missing = Object.keys(fields).filter(
        (one) => factsOf(fields[one]).requiredForCreate !== undefined && news[one] === undefined,
    );
    if (missing.length === 0) return undefined;
    return messages.replacementImpossible({
        object: `${name} ${id}`,
        properties: because.join(", "),
        missing: missing.join(", "),
    });
}

/** Notes on a thumbnail that was removed from the program since the last run: it stays on the service. */
export function keptInputNotes({ name }: Definition, { id, oldInputs = {}, news }: Change): Message[] {
    if (oldInputs.thumbnail === undefined || news.thumbnail) return [];
    return [messages.inputKept({ input: "thumbnail", object: `${name} ${id}` })];
}

/**
 * Whether only unknown values ask for the replacement. A preview shows such a replacement all the same: no update may delete an object unannounced.
 */
export function isUncertain(because: readonly string[], { news }: Pick<Change, "news">): boolean {
    return because.every((name) => hasUnknown(news[name]));
}

/** Notes on what a replacement does that users may not expect. */
export function replacementNotes(
    { name }: Definition,
    change: Change,
    { because, urn }: { because: string[]; urn: string },
): Message[] {
    const { id, olds, news } = change;
    const object = `${name} ${id}`;
    // `preview --diff` prints a note without its row, so the note has to name the resource.
    const resource = parseUrn(urn)?.name;
    const named = resource === undefined ? object : `${name} ${resource} (${id})`;
    const notes = because.includes("subtitle") ? [subtitleNote(change, named)] : [];
    if (isUncertain(because, change))
        notes.push(messages.replacedIfDifferent({ properties: because.join(", "), object: named }));
    if (wasAdopted(metaOf(olds))) notes.push(messages.adoptedReplaced({ object }));
    if (news.waitForReady === false) notes.push(messages.deletedBeforeReady({ object }));
    return notes;
}

/** The note on a playback URL that ends with a replacement; `undefined` where no viewer can have the URL. */
export function endOfUrl({ name }: Definition, { id, olds }: RecordedObject, urn: string): Message | undefined {
    const { playbackUrl, streamKey, status } = olds;
    // The status of a livestream is the status of its broadcast. After a failed broadcast, the livestream's URL and key still work.
    const hasFailed = name !== "Livestream" && isFailed(status);
    if (typeof playbackUrl !== "string" || isUnconfirmed(id) || hasFailed) return undefined;
    const object = `${name} ${parseUrn(urn)?.name ?? id}`;
    // The service may put the key or a signature into this URL. A note that prints it would leak it.
    const isSecret = isSecretAddress(playbackUrl) || holds(playbackUrl, streamKey);
    const url = isSecret ? "its playback URL" : playbackUrl;
    return name === "Livestream" ? messages.keyEnds({ object, url }) : messages.urlEnds({ object, url });
}
