/**
 * The points where the service's public sources disagree or say nothing, each as one entry of a table. The defaults are one
 * plausible service; a client that promises to absorb the disagreements is tested by changing them one by one. A variant is
 * selected by name and JSON value everywhere: in the library, on the command line, and over HTTP.
 */
import { z } from "zod";
import { check } from "./validate";

/** Another form in which an answer shows a field. */
export type FieldForm = "absent" | "null" | "string" | "number" | "boolean" | "array" | "object";

const fieldForms: readonly FieldForm[] = ["absent", "null", "string", "number", "boolean", "array", "object"];

/** A time in ms; as a pair, each object draws its own time between the two. */
export type Delay = number | [number, number];

type Values =
    | "boolean"
    | "count"
    | "countOrNull"
    | "delay"
    | "milliseconds"
    | "offsetMs"
    | "offsetMsOrNull"
    | "seedOrNull"
    | "textOrNull"
    | "texts"
    | "fieldForms";

/** One variant: what it decides, its default, and what else it can be. */
export interface VariantEntry<T> {
    readonly decides: string;
    readonly default: T;
    /** Each value it takes, or what kind of value. */
    readonly values: readonly T[] | Values;
    /** Whether its other values go beyond what the emulator's OpenAPI document allows. */
    readonly beyondContract: boolean;
}

const choice = <const T extends readonly [string | number, ...(string | number)[]]>(
    values: T,
    decides: string,
): VariantEntry<T[number]> => ({ decides, default: values[0], values, beyondContract: false });
const open = <T>(values: Values, byDefault: T, decides: string): VariantEntry<T> => ({
    decides,
    default: byDefault,
    values,
    beyondContract: false,
});
const beyond = <T>(entry: VariantEntry<T>): VariantEntry<T> => ({ ...entry, beyondContract: true });

/** Every variant, by name. Of a choice the first value is the default. */
export const variantTable = {
    // Creating
    createCode: choice([201, 200], "HTTP status of a successful create"),
    createData: choice(["object", "terse"], "answer to a create: the whole object, or only its id and status"),
    idShape: choice(
        ["uuid", "opaque", "numeric", "number", "sequential"],
        "new ids: UUID, odd URL-safe characters, digits, JSON number, or 1, 2, 3 in each environment",
    ),
    titles: choice(
        ["kept", "trimmed", "collapsed"],
        "spaces in titles: kept, trimmed at both ends, or runs of them collapsed into one",
    ),
    visibleAfterMs: open<Delay>("delay", 0, "how long GET, PUT and DELETE of a new object answer 404"),
    // Keys and values of single objects
    policyKey: choice(["playback_policy", "playbackPolicy"], "key of a content's playback policy"),
    contentCreatedKey: choice(["created_at", "createdOn"], "key of a content's creation time"),
    livestreamCreatedKey: choice(
        ["createdOn", "created_at"],
        "key of a livestream's creation time; list items always use `created_at`",
    ),
    ingestKey: choice(["rtmpUrl", "ingestUrl", "both"], "key of a livestream's ingest URL"),
    rtmpsUrl: choice(["url", "empty"], "whether a livestream has a URL for encrypted ingest"),
    streamKeyInPlaybackUrl: open<boolean>(
        "boolean",
        false,
        "whether a livestream's `playbackUrl` contains its stream key",
    ),
    thumbnails: choice(
        ["thumbnailUrl", "thumbnails", "none"],
        "thumbnail of a Ready content: a string, an array, or none",
    ),
    itemThumbnails: choice(["always", "ready"], "whether list items have a thumbnail before they are Ready"),
    statusId: choice(
        ["pending", "all", "none"],
        "`statusId`: only before Ready (1, as documented), always (2 and 3 are guesses), or never",
    ),
    pendingStatuses: open<[string, ...string[]]>(
        "texts",
        ["Preparing"],
        "statuses before Ready, each for an equal share of the processing time",
    ),
    failureReasonKey: open<string | null>(
        "textOrNull",
        "errorMessage",
        "key of a Failed content's reason; `null` gives no reason",
    ),
    emptyFields: choice(["present", "omitted", "null"], "how fields without a value appear"),
    collections: choice(["kept", "sorted", "reversed"], "order of `tags` and `metadata`"),
    fields: beyond(
        open<Record<string, FieldForm>>(
            "fieldForms",
            {},
            'fields in another form, by name: `{"streamKey":"number","createdOn":"absent"}`',
        ),
    ),
    randomFields: beyond(
        open<number | null>("seedOrNull", null, "a seed: every field except id, title and status in a random form"),
    ),
    createdSkewMs: open<number>("offsetMs", 0, "how far creation times are ahead"),
    // Lists
    listMetadata: open<boolean>("boolean", false, "whether list items have `metadata`"),
    listTags: open<boolean>("boolean", false, "whether list items have `tags`"),
    listOrder: choice(
        ["newest", "oldest", "unstable", "random"],
        "order of lists; `unstable` rotates and `random` shuffles them on every request",
    ),
    pageDefault: open<number>("count", 10, "items per page when the request has no `limit`"),
    pageMaximum: open<number>("count", 100, "most items per page"),
    overMaximum: choice(["cap", "reject"], "a `limit` over the maximum gets a page of the maximum, or a refusal"),
    livestreamPaging: open<boolean>("boolean", false, "whether the list of livestreams uses `start` and `limit`"),
    pastEnd: choice(
        ["empty", 400, 404, 413, 416, 422],
        "a page after the last one: empty, or refused with this HTTP status",
    ),
    offsetMaximum: open<number | null>("countOrNull", null, "largest `start`; a larger one is refused"),
    offsetCode: choice([400, 404, 413, 416, 422], "HTTP status of that refusal"),
    listedAfterMs: open<Delay>("delay", 0, "how long lists leave out a new object"),
    listStaleMs: open<number>("milliseconds", 0, "age of the state that lists show, deleted objects included"),
    // Reading, changing, deleting
    readStaleMs: open<number>("milliseconds", 0, "age of the state that GET of one object shows"),
    put: choice(["partial", "replace"], "whether PUT keeps or empties the fields it does not name"),
    putData: open<boolean>("boolean", true, "whether PUT answers with the object"),
    deleteData: open<boolean>(
        "boolean",
        false,
        "whether DELETE of a content answers with the object (of a livestream, it always does)",
    ),
    deleteBody: beyond(
        choice(
            ["envelope", "ok", "success", "failure", "empty"],
            'body of a successful DELETE: the envelope, `{"status":"OK","code":200}`, `{"success":true}`, `{"success":false}`, or nothing',
        ),
    ),
    whileDeleting: choice(
        ["Deleting", "notFound"],
        "GET of a livestream that is being deleted: its status Deleting, or 404",
    ),
    subtitleBeforeReady: choice(
        ["accepted", 400, 404, 409, 422],
        "a subtitle for a content that is not Ready: accepted, or refused with this HTTP status",
    ),
    subtitleList: choice(["shown", "empty", 404], "the list of a content's subtitles: shown, empty, or not there"),
    // Refusals and headers
    errorBody: choice(["envelope", "json", "html", "empty"], "body of refusals"),
    notFoundBody: choice(
        ["errorBody", "envelope", "json", "html", "empty"],
        "body of 404; `errorBody`: the same as of other refusals",
    ),
    invalidCode: choice([400, 422], "HTTP status for invalid requests"),
    unauthorizedCode: choice([401, 403], "HTTP status for wrong credentials"),
    challenge: open<boolean>("boolean", false, "whether that answer has `WWW-Authenticate`"),
    dateSkewMs: open<number | null>("offsetMsOrNull", 0, "how far the `Date` header is ahead; `null` sends none"),
} satisfies Record<string, VariantEntry<unknown>>;

/** How the emulated service behaves where its documentation is silent or contradicts itself. */
export type Variants = { -readonly [Name in keyof typeof variantTable]: (typeof variantTable)[Name]["default"] };

const milliseconds = z.number().min(0);
const whole = z.int().min(1);
const kinds: Record<Values, z.ZodType> = {
    boolean: z.boolean(),
    count: whole,
    countOrNull: whole.nullable(),
    delay: z.union([
        milliseconds,
        z.tuple([milliseconds, milliseconds]).refine(([from, to]) => from <= to, "must not end before it begins"),
    ]),
    milliseconds,
    offsetMs: z.number(),
    offsetMsOrNull: z.number().nullable(),
    seedOrNull: z.int().nullable(),
    textOrNull: z.string().nullable(),
    texts: z.tuple([z.string()], z.string()),
    fieldForms: z.record(z.string(), z.enum(fieldForms)),
};

const schemaOf = ({ values }: VariantEntry<unknown>): z.ZodType =>
    typeof values === "string" ? kinds[values] : z.literal([...values] as (string | number)[]);

const entries: [string, VariantEntry<unknown>][] = Object.entries(variantTable);
const variantsSchema = z.strictObject(
    Object.fromEntries(entries.map(([name, entry]) => [name, schemaOf(entry).optional()])),
);
const defaultVariants = Object.fromEntries(entries.map(([name, entry]) => [name, entry.default])) as Variants;

/** The variants `base` with some changed. Throws when a variant or its value does not exist. */
export function turnVariants(changed: unknown, base: Readonly<Variants> = defaultVariants): Variants {
    const given = check(variantsSchema, changed, "variants");
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    return { ...structuredClone(base), ...(Object.fromEntries(set) as Partial<Variants>) };
}
