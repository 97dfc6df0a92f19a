/** The requests of the probe, in their order. The table of assumptions says what the answers mean. */
import { randomUUID } from "node:crypto";
import { messages } from "#provider/messages/index";
import { CommandError } from "../commandLine";
import type { Shell } from "../shell";
import {
    basic,
    bodyForm,
    type Delayed,
    isFinal,
    isMissing,
    isReady,
    type JsonObject,
    type RawAnswer,
    type RawService,
    statusOf,
} from "./rawService";
import { type Traces, titleOf, traceKey } from "./traces";

export interface Wanted {
    readonly source: string | undefined;
    readonly subtitle: string | undefined;
    readonly kinds: readonly ("contents" | "livestreams")[];
    readonly region: string;
    /** How long to wait for Ready, in ms. */
    readonly timeoutMs: number;
}

type Items = readonly JsonObject[];

type Answers =
    | "list"
    | "stranger"
    | "invalid"
    | "keys"
    | "created"
    | "pastEnd"
    | "one"
    | "large"
    | "early"
    | "subtitle"
    | "thumbnail"
    | "clip";
type MoreAnswers = "subtitles" | "put" | "deleted" | "deletedAgain" | "stream" | "streamDeleted";
type Objects = "object" | "clipObject" | "item" | "last" | "afterPut" | "afterTitle" | "streamObject";

/** Everything that was seen. What was not reached is missing. */
export type Seen = { [key in Answers | MoreAnswers]?: RawAnswer } & { [key in Objects]?: JsonObject } & {
    [key in "title" | "digits" | "clipDigits" | "streamDigits" | "whileDeleting"]?: string;
} & { [key in "shown" | "gone" | "streamGone"]?: Delayed<RawAnswer> } & {
    [key in "again" | "recorded" | "fromSecond"]?: Items;
} & {
    /** Of two unknown ids: a content's and a livestream's. */
    unknown?: readonly [RawAnswer, RawAnswer];
    /** How far the service's clock is ahead of this machine's, in ms; `undefined` without a Date header. */
    dateAheadMs?: number | undefined;
    /** How far the creation time is ahead of the service's clock, in ms. */
    createdAheadMs?: number | undefined;
    /** `undefined` as an answer: the list is too long to read. */
    listed?: Delayed<Items | undefined>;
    clipListed?: Delayed<Items | undefined>;
    plain?: Delayed<Items>;
    statuses?: readonly string[];
    limitHeaders?: readonly string[];
};

/** What a script needs. */
export interface Stage {
    readonly service: RawService;
    readonly seen: Seen;
    readonly wanted: Wanted;
    readonly shell: Shell;
    readonly traces: Traces;
}

/** What can be found out without creating anything. @throws {CommandError} when the service does not answer these credentials. */
export async function askAround({ service, seen, shell }: Stage): Promise<void> {
    const list = await service.send("GET", "/contents", { query: { limit: 1 } });
    const { status } = list;
    if (status === 401 || status === 403) throw new CommandError(messages.probeRefused({ status }));
    if (!list.ok || list.items === undefined) {
        throw new CommandError(messages.nothingToProbe({ status, body: bodyWords[bodyForm(list)] }));
    }
    seen.list = list;
    seen.dateAheadMs = service.serverTime === undefined ? undefined : service.serverTime - shell.clock.now();
    const authorization = basic(randomUUID(), randomUUID());
    seen.stranger = await service.send("GET", "/contents", { authorization });
    const unknown = (kind: string) => service.send("GET", `/${kind}/${randomUUID()}`);
    seen.unknown = await Promise.all([unknown("contents"), unknown("livestreams")]);
    seen.invalid = await service.send("POST", "/contents", { body: {} });
    const id = idIn(seen.invalid, "contentId");
    if (seen.invalid.ok && id !== undefined) await service.send("DELETE", `/contents/${encodeURIComponent(id)}`);
    seen.keys = await service.send("GET", "/signing-keys");
}

const bodyWords = { envelope: "JSON", json: "JSON", html: "HTML", empty: "an empty body", text: "text" };

/** The id as the service shows it: a number stays one. */
export function idIn({ data }: RawAnswer, key: "contentId" | "streamUUID"): string | number | undefined {
    const id = data?.[key];
    return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The life of one short content: created, read, listed, waited for, given subtitles and a thumbnail, clipped, changed, deleted. */
export async function liveContent(stage: Stage): Promise<void> {
    const { service, seen, shell, wanted, traces } = stage;
    const digits = await traces.begin("Content");
    const title = titleOf(digits);
    Object.assign(seen, { title, digits });
    shell.talk.progress("Creating a content");
    const metadata = [
        { key: "z", value: "1" },
        { key: traceKey, value: digits },
        { key: "a", value: "2" },
    ];
    const content = [{ url: wanted.source }];
    const rest = { playback_policy: ["public"], tags: ["b", "a", "c"], metadata, test_video: true };
    const created = await service.send("POST", "/contents", { body: { title, content, ...rest } });
    seen.created = created;
    const id = idIn(created, "contentId");
    if (!created.ok || id === undefined) return;
    await traces.created(digits, "Content", String(id));
    const path = `/contents/${encodeURIComponent(id)}`;
    seen.shown = await service.until(() => service.send("GET", path), isObjectAnswer);
    const { holds, answer } = seen.shown;
    if (!holds || answer.data === undefined) return;
    seen.object = answer.data;
    seen.createdAheadMs = service.ahead(answer.data.created_at ?? answer.data.createdOn);
    shell.talk.progress("Reading the list");
    await readLists(stage, String(id));
    const addSubtitle = (url: string) => {
        const body = { url, name: "Probe", language_code: "en", support_closed_captions: false };
        return service.send("POST", `${path}/subtitles`, { body });
    };
    if (wanted.subtitle !== undefined && !isFinal(statusOf(answer.data)))
        seen.early = await addSubtitle(wanted.subtitle);
    await awaitReady(stage, path, answer.data);
    if (wanted.subtitle !== undefined) {
        await addSubtitle(wanted.subtitle);
        seen.subtitle = await addSubtitle(wanted.subtitle);
        if (seen.subtitle.ok) seen.subtitles = await service.send("GET", `${path}/subtitles`);
    }
    if (isReady(statusOf(seen.last))) await cutClip(stage, path);
    await changeContent(stage, path, title, digits);
    seen.deleted = await service.send("DELETE", path);
    seen.gone = await service.until(() => service.send("GET", path), isMissing);
    seen.deletedAgain = await service.send("DELETE", path);
}

const isObjectAnswer = ({ ok, data }: RawAnswer) => ok && data !== undefined;

async function readLists({ service, seen }: Stage, id: string): Promise<void> {
    const has = ({ contentId }: JsonObject) => String(contentId) === id;
    const page = (query: Record<string, number>) => service.send("GET", "/contents", { query });
    seen.listed = await service.until(
        () => readAll(page),
        (items) => items === undefined || items.some(has),
    );
    const items = seen.listed.answer;
    const item = items?.find(has);
    if (items === undefined || item === undefined) return;
    seen.item = item;
    seen.again = (await readAll(page)) ?? [];
    seen.pastEnd = await page({ start: items.length, limit: 100 });
    seen.one = await page({ start: 0, limit: 1 });
    seen.large = await page({ limit: 1_000 });
}

const mostListed = 1_000;

/** All pages, as they come; `undefined` when there are too many to read them all. */
async function readAll(page: (query: Record<string, number>) => Promise<RawAnswer>): Promise<Items | undefined> {
    const items: JsonObject[] = [];
    const ids = new Set<unknown>();
    while (items.length < mostListed) {
        const answer = await page({ start: items.length, limit: 100 });
        const fresh = (answer.items ?? []).filter(({ contentId }) => !ids.has(contentId) && ids.add(contentId));
        if (fresh.length === 0) return items;
        items.push(...fresh);
    }
    return undefined;
}

async function awaitReady(stage: Stage, path: string, first: JsonObject): Promise<void> {
    const { service, seen, shell, wanted } = stage;
    const statuses = new Set([statusOf(seen.created?.data), statusOf(first)].filter((status) => status !== undefined));
    let object = first;
    const poll = async () => {
        shell.talk.progress(`Waiting for Ready: ${statusOf(object) ?? "no status"}`);
        object = (await service.send("GET", path)).data ?? object;
        statuses.add(statusOf(object) ?? "none");
        return object;
    };
    if (!isFinal(statusOf(first))) await service.until(poll, (read) => isFinal(statusOf(read)), wanted.timeoutMs);
    seen.statuses = [...statuses];
    seen.last = object;
}

/** Another thumbnail, and the first second as a clip, which is deleted with everything else. */
async function cutClip(stage: Stage, path: string): Promise<void> {
    const { service, seen, shell, traces } = stage;
    shell.talk.progress("Cutting a clip");
    const still = { videoPositionInSec: 0, width: 320, height: 180 };
    seen.thumbnail = await service.send("POST", `${path}/thumbnails`, { body: still });
    const digits = await traces.begin("Content");
    seen.clipDigits = digits;
    const metadata = [{ key: traceKey, value: digits }];
    const body = { startTimeInSecs: 0, endTimeInSecs: 1, title: titleOf(digits), metadata };
    seen.clip = await service.send("POST", `${path}/clips`, { body });
    const id = idIn(seen.clip, "contentId");
    if (!seen.clip.ok || id === undefined) return;
    await traces.created(digits, "Content", String(id));
    const shown = await service.until(() => service.send("GET", `/contents/${encodeURIComponent(id)}`), isObjectAnswer);
    if (shown.holds && shown.answer.data !== undefined) seen.clipObject = shown.answer.data;
    seen.clipListed = await service.until(
        () => readAll((query) => service.send("GET", "/contents", { query })),
        (items) => items === undefined || items.some(({ contentId }) => String(contentId) === String(id)),
    );
}

async function changeContent({ service, seen }: Stage, path: string, title: string, digits: string): Promise<void> {
    const metadata = [{ key: traceKey, value: digits }];
    seen.put = await service.send("PUT", path, { body: { title, description: "A probe", tags: ["a"], metadata } });
    if (!seen.put.ok) return;
    seen.afterPut = (await service.send("GET", path)).data ?? {};
    await service.send("PUT", path, { body: { title } });
    seen.afterTitle = (await service.send("GET", path)).data ?? {};
}

/** How long the deletion of a livestream may take, in ms. */
const deletionMs = 60_000;

/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
export async function liveLivestream(stage: Stage): Promise<void> {
    const { service, seen, shell, wanted, traces } = stage;
    const digits = await traces.begin("Livestream");
    seen.streamDigits = digits;
    shell.talk.progress("Creating a livestream");
    const metadata = [{ key: traceKey, value: digits }];
    const body = { title: titleOf(digits), region: wanted.region, record: false, metadata };
    seen.stream = await service.send("POST", "/livestreams", { body });
    const id = idIn(seen.stream, "streamUUID");
    if (!seen.stream.ok || id === undefined) return;
    await traces.created(digits, "Livestream", String(id));
    const path = `/livestreams/${encodeURIComponent(id)}`;
    const shown = await service.until(() => service.send("GET", path), isObjectAnswer);
    if (!shown.holds || shown.answer.data === undefined) return;
    seen.streamObject = shown.answer.data;
    const list = async (record: boolean, query: Record<string, number> = {}) =>
        (await service.send("GET", "/livestreams", { query: { record, ...query } })).items ?? [];
    seen.plain = await service.until(
        () => list(false),
        (items) => hasStream(items, id),
    );
    seen.recorded = await list(true);
    if (seen.plain.answer.length > 0) seen.fromSecond = await list(false, { start: 1 });
    shell.talk.progress("Deleting the livestream");
    seen.streamDeleted = await service.send("DELETE", path);
    const read = async () => {
        const answer = await service.send("GET", path);
        seen.whileDeleting ??= answer.ok ? (statusOf(answer.data) ?? "no status") : "notFound";
        return answer;
    };
    seen.streamGone = await service.until(read, ({ ok }) => !ok, deletionMs);
}

export function hasStream(items: Items, id: string | number | undefined): boolean {
    return items.some(({ streamUUID }) => String(streamUUID) === String(id));
}
