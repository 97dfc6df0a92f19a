/**
 * The points where the service's public sources disagree or say nothing, each as one switch of a table. The defaults are
 * one plausible service; a client that promises to absorb the disagreements is tested by turning them one by one. A switch
 * is selected by name and JSON value everywhere: in the library, on the command line, over HTTP, and in a report on a real
 * account.
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

/** One switch: what it decides, its default, and what else it can be. */
export interface Switch<T> {
    readonly decides: string;
    readonly default: T;
    /** Each value it takes, or what kind of value. */
    readonly values: readonly T[] | Values;
    /** Whether its other positions go beyond what the emulator's OpenAPI document allows. */
    readonly beyondContract: boolean;
}

const choice = <const T extends readonly [string | number, ...(string | number)[]]>(
    values: T,
    decides: string,
): Switch<T[number]> => ({ decides, default: values[0], values, beyondContract: false });
const open = <T>(values: Values, byDefault: T, decides: string): Switch<T> => ({
    decides,
    default: byDefault,
    values,
    beyondContract: false,
});
const beyond = <T>(entry: Switch<T>): Switch<T> => ({ ...entry, beyondContract: true });

/** Every switch, by name. Of a choice the first value is the default. */
export const variantTable = {
    // Creating
    createCode: choice([201, 200], "HTTP status of a create"),
    createData: choice(["object", "terse"], "answer to a create: the whole object, or its id and status alone"),
    idShape: choice(
        ["uuid", "opaque", "numeric", "number", "sequential"],
        "ids: UUIDs, text with odd characters, digits, JSON numbers, or 1, 2, 3 in each environment",
    ),
    titles: choice(["kept", "trimmed", "collapsed"], "what becomes of a title's outer, or of all, surplus blanks"),
    visibleAfterMs: open<Delay>("delay", 0, "how long a new object answers 404"),
    // Keys and values of single objects
    policyKey: choice(["playback_policy", "playbackPolicy"], "key of a content's playback policy in answers"),
    contentCreatedKey: choice(["created_at", "createdOn"], "key of a content's creation time"),
    livestreamCreatedKey: choice(
        ["createdOn", "created_at"],
        "the same of a livestream; list items always say `created_at`",
    ),
    ingestKey: choice(["rtmpUrl", "ingestUrl", "both"], "key of a livestream's ingest URL"),
    rtmpsUrl: choice(["url", "empty"], "whether there is a URL for encrypted ingest"),
    thumbnails: choice(
        ["thumbnailUrl", "thumbnails", "none"],
        "thumbnail of a Ready content: a string, an array, nothing",
    ),
    itemThumbnails: choice(["always", "ready"], "whether list items have `thumbnailUrl` before they are Ready"),
    statusId: choice(
        ["pending", "all", "none"],
        "`statusId`: 1 until Ready, as documented; with guesses for later; never",
    ),
    pendingStatuses: open<[string, ...string[]]>(
        "texts",
        ["Preparing"],
        "statuses before Ready, each for an equal part of the time",
    ),
    failureReasonKey: open<string | null>(
        "textOrNull",
        "errorMessage",
        "key under which a Failed content gives its reason",
    ),
    emptyFields: choice(["present", "omitted", "null"], "how fields that hold nothing are shown"),
    collections: choice(["kept", "sorted", "reversed"], "order of `tags` and `metadata` in answers"),
    fields: beyond(
        open<Record<string, FieldForm>>(
            "fieldForms",
            {},
            'fields shown in another form: `{"streamKey":"number","createdOn":"absent"}`',
        ),
    ),
    randomFields: beyond(
        open<number | null>("seedOrNull", null, "a seed: each field but id, title and status in any form at random"),
    ),
    createdSkewMs: open<number>("offsetMs", 0, "how far creation times are ahead"),
    // Lists
    listMetadata: open<boolean>("boolean", false, "whether list items carry `metadata`"),
    listTags: open<boolean>("boolean", false, "whether list items carry `tags`"),
    listOrder: choice(
        ["newest", "oldest", "unstable", "random"],
        "order of lists; unstable: rotated each time; random: shuffled each time",
    ),
    pageDefault: open<number>("count", 10, "items on a page when the request names no `limit`"),
    pageMaximum: open<number>("count", 100, "most items on a page"),
    overMaximum: choice(["cap", "reject"], "what a `limit` over the maximum gets: a page of the maximum, or a refusal"),
    livestreamPaging: open<boolean>("boolean", false, "whether the list of livestreams honours `start` and `limit`"),
    pastEnd: choice(
        ["empty", 400, 404, 413, 416, 422],
        "a page after the last one: empty, or refused with this status",
    ),
    offsetMaximum: open<number | null>("countOrNull", null, "largest `start`; later pages are refused"),
    offsetCode: choice([400, 404, 413, 416, 422], "HTTP status of that refusal"),
    listedAfterMs: open<Delay>("delay", 0, "how long lists leave a new object out"),
    listStaleMs: open<number>("milliseconds", 0, "how old the state is that lists show, deleted objects included"),
    // Reading, changing, deleting
    readStaleMs: open<number>("milliseconds", 0, "the same for GET of one object"),
    put: choice(["partial", "replace"], "whether PUT leaves fields it does not name alone or empties them"),
    putData: open<boolean>("boolean", true, "whether the answer to PUT carries the object"),
    deleteData: open<boolean>(
        "boolean",
        false,
        "whether the answer to DELETE of a content carries it (a livestream's always does)",
    ),
    deleteBody: beyond(
        choice(
            ["envelope", "ok", "success", "failure", "empty"],
            'body of a DELETE that was carried out: the envelope, `{"status":"OK","code":200}`, `{"success":true}`, `{"success":false}`, nothing',
        ),
    ),
    whileDeleting: choice(["Deleting", "notFound"], "what a deleted livestream says until it is gone"),
    // Refusals and headers
    errorBody: choice(["envelope", "json", "html", "empty"], "body of refusals"),
    notFoundBody: choice(["errorBody", "envelope", "json", "html", "empty"], "body of 404; by default as `errorBody`"),
    invalidCode: choice([400, 422], "HTTP status for invalid requests"),
    unauthorizedCode: choice([401, 403], "HTTP status for wrong credentials"),
    challenge: open<boolean>("boolean", false, "whether that answer carries `WWW-Authenticate`"),
    dateSkewMs: open<number | null>("offsetMsOrNull", 0, "how far the `Date` header is ahead; `null` sends none"),
} satisfies Record<string, Switch<unknown>>;

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

const schemaOf = ({ values }: Switch<unknown>): z.ZodType =>
    typeof values === "string" ? kinds[values] : z.literal([...values] as (string | number)[]);

const entries: [string, Switch<unknown>][] = Object.entries(variantTable);
const variantsSchema = z.strictObject(
    Object.fromEntries(entries.map(([name, entry]) => [name, schemaOf(entry).optional()])),
);
const defaultVariants = Object.fromEntries(entries.map(([name, entry]) => [name, entry.default])) as Variants;

/** The variants `base` with some switches turned. Throws when a switch or its position does not exist. */
export function turnVariants(changed: unknown, base: Readonly<Variants> = defaultVariants): Variants {
    const given = check(variantsSchema, changed, "variants");
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    return { ...structuredClone(base), ...(Object.fromEntries(set) as Partial<Variants>) };
}
