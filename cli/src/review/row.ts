/** A row of the review: one video or livestream, and what the plan does with it. */
import { isUnconfirmed } from "#provider/api/index";
import { isFailed, isReady } from "#provider/api/status";
import { clipDefinition } from "#provider/definitions/clip";
import { contentDefinition } from "#provider/definitions/content";
import { factsOf as propertyFacts, type Shape } from "#provider/definitions/definition";
import { livestreamDefinition } from "#provider/definitions/livestream";
import { isMask, type Properties } from "#provider/inputs/values";
import { counted } from "../terminal";
import {
    type Difference,
    differencesOf,
    holdsMask,
    isPublic,
    plainUrl,
    playersOf,
    secretWord,
    sourceWords,
    wordsFor,
} from "./words";

/** What becomes of an object, the worst first. */
export const actions = ["deleted", "replaced", "unknown", "inDoubt", "kept", "changed", "new", "adopted"] as const;
export type Action = (typeof actions)[number];

/** The sections of the review, the worst first. Deletions without a loss for viewers have sections of their own: no heading claims a loss that is none. */
export const groups = [
    "deleted",
    "replaced",
    "unknown",
    "inDoubt",
    "unknownNew",
    "replacedKept",
    "kept",
    "changed",
    "new",
    "adopted",
] as const;
export type Group = (typeof groups)[number];

export function groupOf({ action, isLost, hidden }: Row): Group {
    if (action === "replaced" && !isLost) return "replacedKept";
    return action === "unknown" && hidden?.atMost === 0 ? "unknownNew" : action;
}

const definitions = { Content: contentDefinition, Clip: clipDefinition, Livestream: livestreamDefinition } as const;
export type VideoKind = keyof typeof definitions;

export function isVideoKind(kind: string | undefined): kind is VideoKind {
    return kind !== undefined && Object.hasOwn(definitions, kind);
}

export interface Row {
    readonly action: Action;
    readonly kind: VideoKind | "ContentLibrary";
    /** How many contents the row stands for, where the preview counts contents of a library without naming them. Otherwise 1. */
    readonly number?: number;
    /** The resource's name; for an entry of a library, its key. */
    readonly name: string;
    /** For an entry: the name of its library. */
    readonly library?: string | undefined;
    /** The URN of the resource; for an entry, that of its library. */
    readonly urn: string;
    readonly id?: string | undefined;
    readonly title?: string | undefined;
    readonly lengthMs?: number | undefined;
    /** The address of a picture; "signed" where not anyone may play the video. */
    readonly poster?: string | undefined;
    /** The playback URL of the existing object, and what becomes of it. The address is {@link secretWord} where the plan masks it. */
    readonly url?: { readonly state: "stays" | "ends" | "mayEnd"; readonly address: string } | undefined;
    /** Whether the existing object is deleted, and cannot be had again. */
    readonly isLost: boolean;
    /** What the plan hides of a library: the most entries that may be deleted or replaced, and whether others may be new. */
    readonly hidden?: { readonly atMost: number; readonly mayAdd: boolean };
    readonly differences: readonly Difference[];
    /** Sentences: what else the plan means for viewers and encoders. */
    readonly facts: readonly string[];
    /** The preview's own lines about this object. */
    readonly notes?: readonly string[];
    /** A content or clip that is made: the length, where it is known. */
    readonly transcodes?: { readonly lengthMs: number | undefined } | undefined;
}

/** One object in a plan: a resource, or an entry of a library. */
export interface Subject {
    readonly kind: VideoKind;
    readonly name: string;
    readonly library?: string;
    readonly urn: string;
    readonly id?: string;
    /** The recorded inputs and outputs. */
    readonly olds?: Properties;
    readonly oldInputs?: Properties;
    readonly news?: Properties;
    readonly replaces?: readonly string[];
    /** Who waits until the new object is Ready, as a sentence. `unless`: what the plan does not show about it. */
    readonly waiting: { readonly waits: boolean; readonly says: string; readonly unless?: string };
    /** What a clip is cut from, in words. */
    readonly cutFrom?: string;
    readonly deletesFirst?: boolean;
    readonly retained?: boolean;
    /** Whether the plan masks what the program declares, or what is recorded. */
    readonly isMasked?: boolean;
}

/** How many objects the rows stand for. */
export function total(rows: readonly Row[]): number {
    return rows.reduce((sum, { number = 1 }) => sum + number, 0);
}

/** The row. `facts` come before those of the action. */
export function rowOf(action: Action, subject: Subject, ...facts: string[]): Row {
    const { kind, name, library, urn, id, olds = {}, news } = subject;
    const existed = action !== "new" && action !== "adopted";
    const isCompared = (action === "changed" || action === "replaced") && !subject.isMasked;
    const differences = isCompared ? differencesIn(subject) : [];
    const isOnlyRecord = action === "changed" && isCompared && differences.length === 0;
    const { duration, playbackUrl } = olds;
    const hasUrl = existed && typeof playbackUrl === "string" && !isFailed(olds.status);
    const ends = action === "deleted" || (action === "replaced" && !subject.retained);
    const state = action === "unknown" ? "mayEnd" : ends ? "ends" : "stays";
    const title = news?.title ?? olds.title ?? (kind === "Clip" ? "Clip" : undefined);
    return {
        ...{ action, kind, name, library, urn },
        id: id === undefined || id === "" || isUnconfirmed(id) ? undefined : id,
        title: title === undefined ? undefined : wordsFor(title),
        lengthMs: existed && typeof duration === "number" && duration > 0 ? duration : undefined,
        poster: existed ? posterOf(kind, { ...olds, ...subject.oldInputs }, olds.thumbnailUrl) : undefined,
        url:
            hasUrl && action !== "kept" && !subject.retained
                ? { state, address: isMask(playbackUrl) ? secretWord : plainUrl(playbackUrl) }
                : undefined,
        isLost: ends,
        differences,
        facts: [...facts, ...factsOf(action, subject), ...(isOnlyRecord ? recordFacts(subject) : [])],
        transcodes: transcodingOf(action, subject),
    };
}

/** What viewers or encoders lose: a URL or a key. */
export interface Ending {
    readonly label: string;
    readonly address?: string;
    readonly says?: string;
    /** The command that shows what the plan masks. */
    readonly command?: string;
}

/** What ends, or may end, with the existing object. */
export function endingsOf({ action, kind, url, isLost, number }: Row): Ending[] {
    const all: Ending[] = [];
    if (url !== undefined && url.state !== "stays") all.push(endOfUrl(url, number));
    if (kind !== "Livestream" || !isLost) return all;
    const says =
        action === "deleted" ? "encoders that use it cannot send any more." : "encoders have to be set up again.";
    return [...all, { label: "Its stream key ends:", says }];
}

function endOfUrl({ state, address }: NonNullable<Row["url"]>, number: number | undefined): Ending {
    const isSure = state === "ends";
    if (number !== undefined) {
        const label = isSure ? "Their URLs end:" : "Their URLs may end:";
        return { label, says: "the preview does not name these contents." };
    }
    if (address !== secretWord) return { label: isSure ? "This URL ends:" : "This URL may end:", address };
    const says = "it is masked in this preview, and shown by";
    return {
        label: isSure ? "Its URL ends:" : "Its URL may end:",
        says,
        command: "pulumi stack export --show-secrets",
    };
}

/** The address of a picture; "signed" where a viewer needs a signature. */
export function posterOf(kind: VideoKind, inputs: Properties, address: unknown): string | undefined {
    if (kind === "Livestream") return undefined;
    if (holdsMask(inputs.playbackPolicy) || !isPublic(inputs.playbackPolicy)) return "signed";
    return typeof address === "string" && /^https?:\/\//.test(address) ? plainUrl(address) : undefined;
}

/** The differences that change the object. Another signature of a source URL is none if the source has a version. */
function differencesIn({ kind, olds = {}, oldInputs = olds, news = {}, replaces = [] }: Subject): Difference[] {
    const inputs: Shape = definitions[kind].inputs.shape;
    const isDecidedElsewhere = (name: string) => {
        const { versionedBy } = propertyFacts(inputs[name]);
        return versionedBy !== undefined && news[versionedBy] !== undefined && !replaces.includes(name);
    };
    const names = Object.keys(inputs).filter((name) => !isDecidedElsewhere(name));
    const all = differencesOf(names, oldInputs, news, replaces);
    // Two masks say nothing about the values behind them: `[secret]` and `[hidden]` may be one value.
    const shown = all.filter((one, _, { length }) => one.from !== one.to || one.replaces || length === 1);
    return shown.sort((a, b) => Number(b.replaces) - Number(a.replaces));
}

function factsOf(action: Action, subject: Subject): string[] {
    if (action === "new") return newFacts(subject);
    if (action === "replaced") return [...maskedFacts(subject), ...replacedFacts(subject)];
    if (action === "changed") return maskedFacts(subject);
    if (action === "adopted") return adoptedFacts(subject);
    if (action === "deleted") return deletedFacts(subject);
    return [];
}

function maskedFacts({ isMasked }: Subject): string[] {
    return isMasked ? ["What changes of it is masked in this preview."] : [];
}

/** Why an object is updated whose inputs stay. */
function recordFacts({ kind, olds = {}, waiting }: Subject): string[] {
    const isPending = kind !== "Livestream" && typeof olds.status === "string" && !isReady(olds.status);
    return [isPending ? `${waiting.says}.` : "Nothing of it changes but what Pulumi records."];
}

function deletedFacts({ kind, olds = {} }: Subject): string[] {
    return kind !== "Livestream" && isFailed(olds.status) ? ["It has Failed: nobody can play it."] : [];
}

function newFacts({ kind, news = {}, waiting, cutFrom, isMasked }: Subject): string[] {
    if (isMasked) return ["What it is made from, and who may play it, is masked in this preview.", `${waiting.says}.`];
    const players = `${capital(playersOf(news.playbackPolicy))} may play it.`;
    if (kind === "Livestream") {
        const isRecorded = news.record === true ? "It is recorded." : "It is not recorded.";
        return [`In ${wordsFor(news.region)}. ${isRecorded}`];
    }
    if (kind === "Clip") {
        const [start, end] = [news.startTime, news.endTime].map((time) => timeWords(time));
        return [`Cut from ${cutFrom ?? wordsFor(news.contentId)}, from ${start} to ${end}.`];
    }
    return [`From ${sourceWords(news.content)}.`, players, `${waiting.says}.`];
}

function adoptedFacts({ kind, id, news = {}, isMasked }: Subject): string[] {
    if (isMasked)
        return ["Its object exists: nothing is created. What the apply sets of it is masked in this preview."];
    const { importId: _, ...declared } = news;
    const set = Object.entries(definitions[kind].inputs.shape).flatMap(([name, schema]) =>
        propertyFacts(schema).change === "inPlace" && declared[name] !== undefined
            ? [`${name} ${wordsFor(declared[name])}`]
            : [],
    );
    const changes = set.length > 0 ? `The apply sets, where it differs: ${set.join("; ")}.` : "The apply sets nothing.";
    return [`The object ${wordsFor(id || news.importId)} exists: nothing is created. ${changes}`];
}

function replacedFacts({ kind, olds = {}, replaces = [], waiting, deletesFirst, retained }: Subject): string[] {
    const made = kind === "Livestream" ? "New id, new playback URL and new stream key." : "New id, new playback URL.";
    const failed = isFailed(olds.status);
    const why = replaces.includes("status") && failed ? ["It has Failed, and is made again from its source."] : [];
    if (retained) return [made, ...why, "The old one is kept, no longer managed: its URL stays."];
    if (failed) return [made, ...why];
    if (deletesFirst) return [made, ...why, "The old one is deleted before the new one is made."];
    if (kind === "Livestream")
        return [made, ...why, "The old one is deleted at the end of the apply, after all waits."];
    // The engine deletes after all waits.
    const stays = waiting.waits
        ? "The old one stays until the new one is Ready."
        : `The old one is deleted before the new one is Ready${waiting.unless ?? ""}.`;
    return [made, ...why, stays];
}

function transcodingOf(
    action: Action,
    { kind, olds = {}, news = {}, replaces = [], isMasked }: Subject,
): Row["transcodes"] {
    if (kind === "Livestream" || !["new", "replaced"].includes(action)) return undefined;
    const { startTime, endTime } = news;
    if (typeof startTime === "number" && typeof endTime === "number") return { lengthMs: (endTime - startTime) * 1000 };
    const isSameSource =
        action === "replaced" && !isMasked && !replaces.some((name) => /^(content|sourceVersion)$/.test(name));
    const { duration } = olds;
    return { lengthMs: isSameSource && typeof duration === "number" && duration > 0 ? duration : undefined };
}

/** A place in a video: `2 seconds`, `1:30 min`. */
function timeWords(seconds: unknown): string {
    if (typeof seconds !== "number" || holdsMask(seconds)) return wordsFor(seconds);
    if (seconds < 60) return counted(seconds, "second");
    const [minutes, rest] = [Math.floor(seconds / 60), Number((seconds % 60).toFixed(1))];
    return `${minutes}:${rest < 10 ? "0" : ""}${rest} min`;
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
