/** The requests of the probe, in their order. */
import { randomUUID } from "node:crypto";
import { isFinal, isReady } from "#provider/api/status";
import { CommandError } from "../commandLine";
import { messages } from "../messages";
import {
    type Answer,
    basicAuthorization,
    bodyForm,
    isFull,
    isMissing,
    itemOf,
    type Service,
    statusOf,
} from "./service";

export interface Wanted {
    readonly source: string | undefined;
    readonly subtitle: string | undefined;
    readonly kinds: readonly ("contents" | "livestreams")[];
    readonly region: string;
}

/** The time to wait for Ready, in ms. Ctrl-C ends the wait, and the answers until then are reported. */
const readyTimeoutMs = 600_000;

const bodyWords = { envelope: "JSON", json: "JSON", html: "HTML", empty: "an empty body", text: "text" };

/** Sends the first request. @throws {CommandError} when another server answers, or the service refuses these credentials. */
export async function findService(service: Service): Promise<void> {
    const list = await service.request("list", "GET /contents?limit=1");
    const { status } = list;
    if (status === 401 || status === 403) throw new CommandError(messages.probeRefused({ status }));
    if (!list.ok || !list.isList)
        throw new CommandError(messages.nothingToProbe({ status, body: bodyWords[bodyForm(list)] }));
}

/** Sends all requests: first those that need no object, and then those for the objects. */
export async function runScript(service: Service, wanted: Wanted): Promise<void> {
    await service.request("stranger", "GET /contents", {
        authorization: basicAuthorization(randomUUID(), randomUUID()),
    });
    await service.request("unknownContent", `GET /contents/${randomUUID()}`);
    await service.request("unknownLivestream", `GET /livestreams/${randomUUID()}`);
    const invalid = await service.request("invalid", "POST /contents", { body: {}, creates: "Content" });
    if (invalid.status === 403) throw new CommandError(messages.probeRefused({ status: 403 }));
    await service.request("keys", "GET /signing-keys");
    if (wanted.kinds.includes("contents")) await probeContent(service, wanted);
    if (wanted.kinds.includes("livestreams")) await probeLivestream(service, wanted);
}

/** The life of one short content: created, read, listed, waited for, given subtitles and a thumbnail, clipped, changed, deleted. */
async function probeContent(service: Service, { source, subtitle: url }: Wanted): Promise<void> {
    const { title, metadata: trace } = service;
    const metadata = [{ key: "z", value: "1" }, ...trace, { key: "a", value: "2" }];
    const rest = { playback_policy: ["public"], tags: ["b", "a", "c"], metadata, test_video: true };
    const body = { title, content: [{ url: source }], ...rest };
    const { id, ok } = await service.request("create", "POST /contents", { body, creates: "Content" });
    if (!ok || id === undefined) return;
    const path = `/contents/${encodeURIComponent(id)}` as const;
    const { holds, data } = await service.request("first", `GET ${path}`, { until: isRead });
    if (!holds) return;
    await service.request("listed", firstPage, { until: lists(id) });
    await service.request("listedAgain", firstPage);
    await service.request("pastEnd", "GET /contents?start=1000000&limit=100");
    await service.request("pageOfOne", "GET /contents?limit=1");

    const subtitle = { url, name: "Probe", language_code: "en", support_closed_captions: false };
    const ask = (name: string) => service.request(name, `POST ${path}/subtitles`, { body: subtitle });
    if (url !== undefined && !isFinal(statusOf(data))) await ask("subtitleBeforeReady");
    const until = (answer: Answer) => isFinal(statusOf(answer.data));
    const last = await service.request("last", `GET ${path}`, { until, limitMs: readyTimeoutMs });
    if (url !== undefined) {
        await ask("subtitle");
        if ((await ask("subtitleAgain")).ok) await service.request("subtitles", `GET ${path}/subtitles`);
    }
    if (isReady(statusOf(last.data))) await probeClip(service, path);

    const described = { title, description: "A probe", tags: ["a"], metadata: trace };
    if ((await service.request("put", `PUT ${path}`, { body: described })).ok) {
        await service.request("afterPut", `GET ${path}`);
        await service.request("barePut", `PUT ${path}`, { body: { title } });
        await service.request("afterBarePut", `GET ${path}`);
    }
    await service.request("deletion", `DELETE ${path}`);
    await service.request("gone", `GET ${path}`, { until: isMissing });
    await service.request("secondDeletion", `DELETE ${path}`);
}

/** Sets another thumbnail, and cuts the first second as a clip, which is deleted with everything else. */
async function probeClip(service: Service, path: `/contents/${string}`): Promise<void> {
    const { title, metadata } = service;
    const still = { videoPositionInSec: 0, width: 320, height: 180 };
    await service.request("thumbnail", `POST ${path}/thumbnails`, { body: still });
    const body = { startTimeInSecs: 0, endTimeInSecs: 1, title, metadata };
    const { id, ok } = await service.request("clip", `POST ${path}/clips`, { body, creates: "Content" });
    if (!ok || id === undefined) return;
    await service.request("clipRead", `GET /contents/${encodeURIComponent(id)}`, { until: isRead });
    await service.request("clipListed", firstPage, { until: lists(id) });
}

/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
async function probeLivestream(service: Service, { region }: Wanted): Promise<void> {
    const { title, metadata } = service;
    const body = { title, region, record: false, metadata };
    const { id, ok } = await service.request("livestreamCreate", "POST /livestreams", { body, creates: "Livestream" });
    if (!ok || id === undefined) return;
    const path = `/livestreams/${encodeURIComponent(id)}`;
    if (!(await service.request("livestream", `GET ${path}`, { until: isRead })).holds) return;
    await service.request("ownList", "GET /livestreams?record=false", { until: lists(id) });
    await service.request("otherList", "GET /livestreams?record=true");
    await service.request("listFrom1", "GET /livestreams?record=false&start=1");
    await service.request("livestreamDeletion", `DELETE ${path}`);
    await service.request("livestreamGone", `GET ${path}`, { until: ({ ok: isThere }) => !isThere });
}

const firstPage = "GET /contents?limit=100";

/** Whether a list shows the object. A full page counts as well: the object may be on the next one. */
const lists = (id: string | number) => (answer: Answer) => isFull(answer) || itemOf(answer, id) !== undefined;

const isRead = ({ ok, data }: Answer) => ok && Object.keys(data).length > 0;
