/** The content of the emulator's page: the objects that its filters select, newest first, and failures apart. */
import { contentState, playbackBase } from "./contents";
import type { Context } from "./context";
import { masterPlaylist } from "./hls";
import { livestreamStatus } from "./livestreams";
import type { MetadataPair } from "./requests";
import type { ContentRecord, LivestreamRecord } from "./store";

export interface OverviewQuery {
    /** At most this many objects of each group. */
    readonly limit: number;
    /** Part of a title, id, tag or resource's name. */
    readonly search: string;
    readonly status: string;
    /** `<project>/<stack>`. */
    readonly stack: string;
}

/** A content or livestream as a card shows it. `stack` and `name` are empty where no Pulumi program manages it. */
type Card = ReturnType<typeof contentCard>;
export type Overview = ReturnType<typeof overviewOf>;

export function overviewOf(context: Context, query: OverviewQuery) {
    const contents = context.store.contents().map((content) => contentCard(context, content));
    const livestreams = context.store.livestreams(context.now()).map((stream) => streamCard(context, stream));
    const all = [...contents, ...livestreams];
    const ready = contents.filter(({ status }) => status === "Ready");
    const matching = all.filter((card) => matches(card, query)).reverse();
    const group = (belongs: (card: Card) => boolean) => {
        const cards = matching.filter(belongs).sort((a, b) => b.createdOn - a.createdOn);
        return { matching: cards.length, shown: cards.slice(0, query.limit) };
    };
    return {
        totals: { contents: contents.length, ready: ready.length, livestreams: livestreams.length },
        statuses: distinct(all.map(({ status }) => status)),
        stacks: distinct(all.map(({ stack }) => stack)),
        failures: group(({ status }) => status === "Failed"),
        contents: group(({ kind, status }) => kind === "content" && status !== "Failed"),
        livestreams: group(({ kind, status }) => kind === "livestream" && status !== "Failed"),
    };
}

function contentCard(context: Context, content: ContentRecord) {
    const { status, reason, durationMs, resolution } = contentState(context, content);
    const isReady = status === "Ready";
    return {
        ...common(context, content, content.contentId),
        ...{ kind: "content", status, reason },
        details: isReady ? `${durationMs / 1000} s, ${resolution}` : "",
        isPlayable: isReady && content.playbackPolicy.includes("public"),
    };
}

function streamCard(context: Context, stream: LivestreamRecord): Card {
    const status = livestreamStatus(stream);
    return {
        ...common(context, stream, stream.streamUUID),
        ...{ kind: "livestream", status, reason: null, details: stream.region, isPlayable: status === "Active" },
    };
}

function common(context: Context, object: ContentRecord | LivestreamRecord, id: string) {
    const { title, tags, metadata, environmentId, createdOn, playbackPolicy } = object;
    const playbackUrl = `${playbackBase(context, id)}/${masterPlaylist}`;
    const isSigned = !playbackPolicy.includes("public");
    return { id, title, tags, metadata, environmentId, createdOn, playbackUrl, isSigned, ...ownerOf(metadata) };
}

/** From the marker that pulumi-videograph puts into the metadata: `pulumi:<project>/<stack>/<name>:…`. */
function ownerOf(metadata: readonly MetadataPair[]) {
    const marker = metadata.find(({ key }) => key === "managed_by")?.value ?? "";
    const [, stack = "", name = ""] = /^pulumi:([^/]+\/[^/]+)\/(.+):[^:]*$/s.exec(marker) ?? [];
    return { stack, name };
}

function matches(card: Card, { search, status, stack }: OverviewQuery): boolean {
    const sought = search.trim().toLowerCase();
    const texts = [card.title, card.id, card.name, ...card.tags];
    return (
        (status === "" || card.status === status) &&
        (stack === "" || card.stack === stack) &&
        texts.some((text) => text.toLowerCase().includes(sought))
    );
}

function distinct(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => text !== "").sort();
}
