/** `list`: the videos and livestreams of a stack, from its state alone. Whoever was sent a link finds out by it which video that is. */

import { resolve } from "node:path";
import { isUnconfirmed } from "#provider/api/index";
import { isObject } from "#provider/api/json";
import { libraryKind } from "#provider/evidence/library";
import { isMask, mapParts, type Properties } from "#provider/inputs/values";
import { type ExportedObject, ofResource } from "#provider/operation/ownState";
import { secretSignature, signatureKey } from "#provider/secretValues/marks";
import { parseExport } from "#provider/session/stackExport";
import { parseUrn } from "#provider/urn";
import { command, commonOptions, exitCodes, text } from "./commandLine";
import { refuseUnwritable, writeText } from "./files";
import { escapeHtml, pageOf, posterHtml, rowHtml } from "./page";
import { pulumiOutput } from "./pulumi";
import { recordIn } from "./review/library";
import { isVideoKind, posterOf, type VideoKind } from "./review/row";
import { lengthWords, plainUrl, secretWord, wordsFor } from "./review/words";
import { stackArguments } from "./state";
import { counted, quoted, type Style, type Terminal } from "./terminal";

/** Grows when a field of the JSON document changes its meaning or goes, so that a script can refuse the document. */
const version = 1;

interface Video {
    readonly kind: VideoKind;
    readonly name: string;
    readonly library: string | undefined;
    readonly id: string | undefined;
    readonly title: string | undefined;
    readonly status: string;
    readonly lengthMs: number | undefined;
    readonly playbackUrl: string | undefined;
    /** Where an encoder sends a livestream. This command never shows the stream key. */
    readonly ingestUrl: string | undefined;
    /** The address of a picture; "signed" where a viewer needs a signature for it. */
    readonly poster: string | undefined;
}

export const list = command({
    name: "list",
    about: `Lists the videos and livestreams that a stack has.

Name, title, status, length and playback URL of each, with pictures in a page; of a livestream the ingest URL, and never the key. It reads the
state alone, and sends nothing to the service.`,
    options: { html: text("file", "write them as a page"), ...commonOptions },
    async run({ html, json = false, stack }, shell) {
        const file = html === undefined ? undefined : resolve(shell.cwd, html);
        if (file !== undefined) await refuseUnwritable(true, file);
        const args = ["stack", "export", ...stackArguments(stack)];
        const state = await pulumiOutput(shell, parseExport, "the state of a stack", ...args);
        const videos = state.resources.flatMap(videosOf).sort(inOrder);
        const root = parseUrn(state.root);
        const place = root === undefined ? "" : `${root.project}/${root.stack}`;
        if (file !== undefined) await writeText(file, pageOfVideos(place, videos));
        if (json) shell.terminal.printJson({ version, project: root?.project, stack: root?.stack, videos });
        else print(place, videos, shell.terminal);
        return exitCodes.done;
    },
});

function videosOf({ kind, urn, id, olds, isExternal }: ExportedObject): Video[] {
    const name = parseUrn(urn)?.name ?? "";
    // The state shows an entry of a library as a resource, too. Here the library's record lists it, below.
    if (isExternal || name.includes("/")) return [];
    const outputs = withoutSecrets(olds);
    if (isVideoKind(kind)) return [videoOf({ kind, name, id, outputs })];
    if (kind !== libraryKind) return [];
    const { entries } = ofResource(urn, () => recordIn(outputs));
    return [...entries.values()].map(({ key, id, olds }) =>
        videoOf({ kind: "Content", name: key, library: name, id, outputs: olds }),
    );
}

function videoOf(object: { kind: VideoKind; name: string; library?: string; id: string; outputs: Properties }): Video {
    const { kind, name, library, id, outputs } = object;
    const { title, status, duration, playbackUrl, rtmpUrl, thumbnailUrl } = outputs;
    const urlIn = (value: unknown) =>
        isMask(value) ? secretWord : typeof value === "string" ? plainUrl(value) : undefined;
    return {
        ...{ kind, name, library, id: isUnconfirmed(id) ? undefined : id },
        title: title === undefined ? undefined : wordsFor(title),
        status: isUnconfirmed(id) ? "Unconfirmed" : wordsFor(status ?? "unknown"),
        lengthMs: typeof duration === "number" && duration > 0 ? duration : undefined,
        playbackUrl: urlIn(playbackUrl),
        ingestUrl: kind === "Livestream" ? urlIn(rtmpUrl) : undefined,
        poster: posterOf(kind, outputs, thumbnailUrl),
    };
}

/** The value without the objects that an exported state has in place of secrets. */
function withoutSecrets<T>(value: T): T {
    return mapParts(value, (part) =>
        isObject(part) && part[signatureKey] === secretSignature ? secretWord : withoutSecrets(part),
    );
}

const { compare } = new Intl.Collator("en", { numeric: true });

function inOrder(a: Video, b: Video): number {
    const keyOf = ({ kind, library = "", name }: Video) => `${kind === "Livestream" ? 1 : 0} ${library} ${name}`;
    return compare(keyOf(a), keyOf(b));
}

function print(place: string, videos: readonly Video[], terminal: Terminal): void {
    if (place !== "") terminal.print(`${place}: ${numbersOf(videos)}`);
    else terminal.print("The stack has no resources.");
    for (const video of videos) {
        const { kind, title, status, lengthMs } = video;
        const length = lengthMs === undefined ? "" : `, ${lengthWords(lengthMs)}`;
        terminal.print(
            `${kind} ${placeOf(video)} ${quoted(title)} ${terminal.style(styleOf(status), status)}${length}`,
        );
        for (const line of addressesOf(video)) terminal.print(`    ${line}`);
    }
}

function styleOf(status: string): Style {
    if (/^(Ready|Active)$/.test(status)) return "green";
    return status === "Failed" ? "red" : "yellow";
}

function placeOf({ library, name }: Video): string {
    return library === undefined ? name : `${library}/${name}`;
}

function addressesOf({ playbackUrl, ingestUrl }: Video): string[] {
    return [
        ...(playbackUrl === undefined ? [] : [playbackUrl]),
        ...(ingestUrl === undefined ? [] : [`ingest: ${ingestUrl}`]),
    ];
}

function numbersOf(videos: readonly Video[]): string {
    const streams = videos.filter(({ kind }) => kind === "Livestream").length;
    return `${counted(videos.length - streams, "video")}, ${counted(streams, "livestream")}`;
}

function pageOfVideos(place: string, videos: readonly Video[]): string {
    const group = (kinds: readonly string[]) => videos.filter(({ kind }) => kinds.includes(kind)).map(videoRow);
    return pageOf({
        title: place === "" ? "Videos" : `Videos of ${place}`,
        summary: [numbersOf(videos)],
        sections: [
            { id: "videos", heading: "Videos", rows: group(["Content", "Clip"]) },
            { id: "livestreams", heading: "Livestreams", rows: group(["Livestream"]) },
        ],
    });
}

function videoRow(video: Video): string {
    const { kind, title, status, lengthMs, poster } = video;
    const length = lengthMs === undefined ? "" : ` · ${escapeHtml(lengthWords(lengthMs))}`;
    const word = poster === "signed" ? "Signed" : kind === "Livestream" ? "Live" : "";
    const quiet = `<b data-status="${escapeHtml(status)}">${escapeHtml(status)}</b> · ${kind} <code>${escapeHtml(placeOf(video))}</code>${length}`;
    const lines = addressesOf(video).map((line) => `<code>${escapeHtml(line)}</code>`);
    const picture = poster === "signed" ? undefined : poster;
    return rowHtml(posterHtml(picture, word), title ?? placeOf(video), quiet, lines);
}
