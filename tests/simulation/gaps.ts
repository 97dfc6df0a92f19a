/** How the service's answers look in one life: any optional field may be absent, null, or of another JSON type. */
import type { Dice } from "./dice.ts";

type Fields = Record<string, unknown>;
type Gap = "absent" | "null" | "otherType";

/** Fields that no answer needs to have. Of a content, the status in single answers is the documented way to wait. */
const optional = {
    contents: [
        "title",
        "statusId",
        "description",
        "duration",
        "tags",
        "playback_policy",
        "playbackPolicy",
        "mp4_support",
        "save_original_copy",
        "created_at",
        "createdOn",
        "resolution",
        "playbackUrl",
        "thumbnailUrl",
        "thumbnails",
    ],
    livestreams: [
        "title",
        "description",
        "tags",
        "status",
        "streamKey",
        "rtmpUrl",
        "ingestUrl",
        "rtmpsUrl",
        "playbackUrl",
        "created_at",
        "createdOn",
    ],
} as const;
const optionalInLists = ["status", "created_at", "createdOn", "thumbnailUrl", "metadata", "tags", "duration"];

/** These are read back after changes outside: a service that never shows them cannot be asked for drift. */
const ids = { contents: "contentId", livestreams: "streamUUID" } as const;
export type Collection = keyof typeof optional;

export class AnswerShape {
    readonly #single: Record<Collection, Map<string, Gap>>;
    readonly #items: Map<string, Gap>;
    readonly #isTerse: boolean;
    readonly #metadataAsMap: boolean;
    readonly #extras: boolean;

    constructor(dice: Dice) {
        const share = dice.hazard("gaps", 0.6) ? dice.pick([0.1, 0.3, 1]) : 0;
        const gaps = (names: readonly string[]) =>
            new Map(
                names
                    .filter(() => dice.chance(share))
                    .map((name) => [name, dice.pick(["absent", "null", "otherType"])]),
            ) as Map<string, Gap>;
        this.#single = { contents: gaps(optional.contents), livestreams: gaps(optional.livestreams) };
        this.#items = gaps(optionalInLists);
        this.#isTerse = dice.chance(0.3);
        this.#metadataAsMap = dice.chance(0.2);
        this.#extras = dice.chance(0.3);
    }

    /** Of these fields nothing can be known from the service. */
    hides(collection: Collection, name: string): boolean {
        return this.#single[collection].has(name);
    }

    /** The answer's body as this service writes it. */
    apply(body: string, collection: Collection, method: string): string {
        if (body === "") return body;
        const envelope = JSON.parse(body) as Fields;
        const { data } = envelope;
        if (Array.isArray(data)) envelope.data = data.map((item) => this.#shaped(item, this.#items));
        else if (typeof data === "object" && data !== null) {
            envelope.data =
                method === "POST" && this.#isTerse
                    ? pickFields(data as Fields, [ids[collection], "status"])
                    : this.#shaped(data as Fields, this.#single[collection]);
        }
        return JSON.stringify(this.#extras ? { requestId: "r-1", ...envelope, took: 3 } : envelope);
    }

    #shaped(fields: Fields, gaps: Map<string, Gap>): Fields {
        const shaped: Fields = this.#extras ? { organizationId: 7, ...fields, extra: { nested: [] } } : { ...fields };
        for (const [name, gap] of gaps) {
            if (!(name in shaped)) continue;
            if (gap === "absent") delete shaped[name];
            else shaped[name] = gap === "null" ? null : ofOtherType(shaped[name]);
        }
        if (this.#metadataAsMap && Array.isArray(shaped.metadata)) {
            shaped.metadata = Object.fromEntries(shaped.metadata.map(({ key, value }) => [key, value]));
        }
        return shaped;
    }
}

function ofOtherType(value: unknown): unknown {
    if (typeof value === "string") return /^\d+$/.test(value) ? Number(value) : { text: value };
    if (typeof value === "number") return new Date(value).toISOString();
    return typeof value === "boolean" ? String(value) : "none";
}

function pickFields(fields: Fields, names: readonly string[]): Fields {
    return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
