/** The requests of the probe, in their order. */
import { randomUUID } from "node:crypto";
import { messages } from "#provider/messages/index";
import { isFinal, isReady } from "#provider/wait/status";
import { CommandError } from "../commandLine";
import { type Answer, basic, bodyForm, isFull, isMissing, itemOf, type Service, statusOf } from "./service";

export interface Wanted {
    readonly source: string | undefined;
    readonly subtitle: string | undefined;
    readonly kinds: readonly ("contents" | "livestreams")[];
    readonly region: string;
}

/** How long to wait for Ready, in ms. Ctrl-C ends the wait, and what was seen is reported. */
const readyMs = 600_000;

const bodyWords = { envelope: "JSON", json: "JSON", html: "HTML", empty: "an empty body", text: "text" };

/** The first request. @throws {CommandError} when what answers is not the service, or it refuses these credentials. */
export async function findService(service: Service): Promise<void> {
    const list = await service.ask("list", "GET /contents?limit=1");
    const { status } = list;
    if (status === 401 || status === 403) throw new CommandError(messages.probeRefused({ status }));
    if (!list.ok || !list.isList) {
        throw new CommandError(messages.nothingToProbe({ status, body: bodyWords[bodyForm(list)] }));
    }
}

/** Everything that needs no object, and then the objects. */
export async function runScript(service: Service, wanted: Wanted): Promise<void> {
    await service.ask("stranger", "GET /contents", { authorization: basic(randomUUID(), randomUUID()) });
    await service.ask("unknownContent", `GET /contents/${randomUUID()}`);
    await service.ask("unknownLivestream", `GET /livestreams/${randomUUID()}`);
    const invalid = await service.ask("invalid", "POST /contents", { body: {}, creates: "Content" });
    if (invalid.status === 403) throw new CommandError(messages.probeRefused({ status: 403 }));
    await service.ask("keys", "GET /signing-keys");
    if (wanted.kinds.includes("contents")) await liveContent(service, wanted);
    if (wanted.kinds.includes("livestreams")) await liveLivestream(service, wanted);
}

/** The life of one short content: created, read, listed, waited for, given subtitles and a thumbnail, clipped, changed, deleted. */
async function liveContent(service: Service, { source, subtitle: url }: Wanted): Promise<void> {
    const { title, metadata: trace } = service;
    const metadata = [{ key: "z", value: "1" }, ...trace, { key: "a", value: "2" }];
    const rest = { playback_policy: ["public"], tags: ["b", "a", "c"], metadata, test_video: true };
    const body = { title, content: [{ url: source }], ...rest };
    const { id, ok } = await service.ask("create", "POST /contents", { body, creates: "Content" });
    if (!ok || id === undefined) return;
    const path = `/contents/${encodeURIComponent(id)}` as const;
    const { holds, data } = await service.ask("first", `GET ${path}`, { until: isRead });
    if (!holds) return;
    await service.ask("listed", firstPage, { until: lists(id) });
    await service.ask("listedAgain", firstPage);
    await service.ask("pastEnd", "GET /contents?start=1000000&limit=100");
    await service.ask("pageOfOne", "GET /contents?limit=1");

    const subtitle = { url, name: "Probe", language_code: "en", support_closed_captions: false };
    const ask = (name: string) => service.ask(name, `POST ${path}/subtitles`, { body: subtitle });
    if (url !== undefined && !isFinal(statusOf(data))) await ask("subtitleBeforeReady");
    const until = (answer: Answer) => isFinal(statusOf(answer.data));
    const last = await service.ask("last", `GET ${path}`, { until, limitMs: readyMs });
    if (url !== undefined) {
        await ask("subtitle");
        if ((await ask("subtitleAgain")).ok) await service.ask("subtitles", `GET ${path}/subtitles`);
    }
    if (isReady(statusOf(last.data))) await cutClip(service, path);

    const described = { title, description: "A probe", tags: ["a"], metadata: trace };
    if ((await service.ask("put", `PUT ${path}`, { body: described })).ok) {
        await service.ask("afterPut", `GET ${path}`);
        await service.ask("barePut", `PUT ${path}`, { body: { title } });
        await service.ask("afterBarePut", `GET ${path}`);
    }
    await service.ask("deletion", `DELETE ${path}`);
    await service.ask("gone", `GET ${path}`, { until: isMissing });
    await service.ask("secondDeletion", `DELETE ${path}`);
}

/** Another thumbnail, and the first second as a clip, which is deleted with everything else. */
async function cutClip(service: Service, path: `/contents/${string}`): Promise<void> {
    const { title, metadata } = service;
    const still = { videoPositionInSec: 0, width: 320, height: 180 };
    await service.ask("thumbnail", `POST ${path}/thumbnails`, { body: still });
    const body = { startTimeInSecs: 0, endTimeInSecs: 1, title, metadata };
    const { id, ok } = await service.ask("clip", `POST ${path}/clips`, { body, creates: "Content" });
    if (!ok || id === undefined) return;
    await service.ask("clipRead", `GET /contents/${encodeURIComponent(id)}`, { until: isRead });
    await service.ask("clipListed", firstPage, { until: lists(id) });
}

/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
async function liveLivestream(service: Service, { region }: Wanted): Promise<void> {
    const { title, metadata } = service;
    const body = { title, region, record: false, metadata };
    const { id, ok } = await service.ask("livestreamCreate", "POST /livestreams", { body, creates: "Livestream" });
    if (!ok || id === undefined) return;
    const path = `/livestreams/${encodeURIComponent(id)}`;
    if (!(await service.ask("livestream", `GET ${path}`, { until: isRead })).holds) return;
    await service.ask("ownList", "GET /livestreams?record=false", { until: lists(id) });
    await service.ask("otherList", "GET /livestreams?record=true");
    await service.ask("listFrom1", "GET /livestreams?record=false&start=1");
    await service.ask("livestreamDeletion", `DELETE ${path}`);
    await service.ask("livestreamGone", `GET ${path}`, { until: ({ ok: isThere }) => !isThere });
}

const firstPage = "GET /contents?limit=100";

/** Whether a list has the object, or has more pages than the first. */
const lists = (id: string | number) => (answer: Answer) => isFull(answer) || itemOf(answer, id) !== undefined;

const isRead = ({ ok, data }: Answer) => ok && Object.keys(data).length > 0;
