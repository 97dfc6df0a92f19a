/**
 * The points where the service's public sources disagree or are silent, each as one entry of a table. The defaults are one
 * plausible service; a client that promises to absorb the disagreements is tested by changing them one by one. A variant is
 * selected by name and JSON value everywhere: in the library, on the command line, and over HTTP.
 */
import { z } from "zod";
import { check } from "./validate";

/** Another form in which an answer shows a field. */
export type FieldForm = "absent" | "null" | "string" | "number" | "boolean" | "array" | "object";

const fieldForms: readonly FieldForm[] = ["absent", "null", "string", "number", "boolean", "array", "object"];

type Values =
    | "boolean"
    | "count"
    | "countOrNull"
    | "milliseconds"
    | "offsetMs"
    | "offsetMsOrNull"
    | "texts"
    | "fieldForms";

/** One variant: its default, and its values. */
interface VariantEntry<T> {
    readonly default: T;
    /** Each value that it takes, or the kind of value. */
    readonly values: readonly T[] | Values;
}

function choice<const T extends readonly [string | number, ...(string | number)[]]>(...values: T) {
    const entry: VariantEntry<T[number]> = { default: values[0], values };
    return entry;
}
function openVariant<T>(values: Values, byDefault: T): VariantEntry<T> {
    return { default: byDefault, values };
}

/** Every variant, by name; README.md says what each decides. The first value of a choice is the default. */
export const variantTable = {
    // Creating
    createCode: choice(201, 200),
    createData: choice("object", "terse"),
    idShape: choice("uuid", "opaque", "numeric", "number", "sequential"),
    titles: choice("kept", "trimmed", "collapsed"),
    visibleAfterMs: openVariant<number>("milliseconds", 0),
    // Keys and values of single objects
    policyKey: choice("playback_policy", "playbackPolicy"),
    contentCreatedKey: choice("created_at", "createdOn"),
    livestreamCreatedKey: choice("createdOn", "created_at"),
    ingestKey: choice("rtmpUrl", "ingestUrl", "both"),
    rtmpsUrl: choice("url", "empty"),
    streamKeyInPlaybackUrl: openVariant<boolean>("boolean", false),
    thumbnails: choice("thumbnailUrl", "thumbnails", "none"),
    itemThumbnails: choice("always", "ready"),
    statusId: choice("pending", "all", "none"),
    pendingStatuses: openVariant<[string, ...string[]]>("texts", ["Preparing"]),
    emptyFields: choice("present", "omitted", "null"),
    collections: choice("kept", "sorted", "reversed"),
    fields: openVariant<Record<string, FieldForm>>("fieldForms", {}),
    createdSkewMs: openVariant<number>("offsetMs", 0),
    // Lists
    listMetadata: openVariant<boolean>("boolean", false),
    listTags: openVariant<boolean>("boolean", false),
    listOrder: choice("newest", "oldest", "unstable", "random"),
    pageDefault: openVariant<number>("count", 10),
    pageMaximum: openVariant<number>("count", 100),
    overMaximum: choice("cap", "reject"),
    livestreamPaging: openVariant<boolean>("boolean", false),
    pastEnd: choice("empty", 400, 404, 413, 416, 422),
    offsetMaximum: openVariant<number | null>("countOrNull", null),
    listedAfterMs: openVariant<number>("milliseconds", 0),
    // Changing, deleting
    put: choice("partial", "replace"),
    putData: openVariant<boolean>("boolean", true),
    deleteData: openVariant<boolean>("boolean", false),
    deleteBody: choice("envelope", "ok", "success", "failure", "empty"),
    deletedShownMs: openVariant<number>("milliseconds", 0),
    whileDeleting: choice("Deleting", "notFound"),
    subtitleBeforeReady: choice("accepted", 400, 404, 409, 422),
    subtitleList: choice("shown", "empty", 404),
    // Refusals and headers
    errorBody: choice("envelope", "json", "html", "empty"),
    notFoundBody: choice("errorBody", "envelope", "json", "html", "empty"),
    invalidCode: choice(400, 422),
    unauthorizedCode: choice(401, 403),
    challenge: openVariant<boolean>("boolean", false),
    dateSkewMs: openVariant<number | null>("offsetMsOrNull", 0),
} satisfies Record<string, VariantEntry<unknown>>;

/** The behavior of the emulated service where its documentation is silent or contradicts itself. */
export type Variants = { -readonly [Name in keyof typeof variantTable]: (typeof variantTable)[Name]["default"] };

const kinds: Record<Values, z.ZodType> = {
    boolean: z.boolean(),
    count: z.int().min(1),
    countOrNull: z.int().min(1).nullable(),
    milliseconds: z.number().min(0),
    offsetMs: z.number(),
    offsetMsOrNull: z.number().nullable(),
    texts: z.tuple([z.string()], z.string()),
    fieldForms: z.record(z.string(), z.enum(fieldForms)),
};

const schemas = Object.entries(variantTable).map(([name, entry]: [string, VariantEntry<unknown>]) => {
    const { values } = entry;
    const schema = typeof values === "string" ? kinds[values] : z.literal([...values] as (string | number)[]);
    return [name, schema.default(entry.default)];
});
const variantsSchema = z.strictObject(Object.fromEntries(schemas)) as unknown as z.ZodType<Variants>;

/** The variants `base` with some changed. Throws when a variant or its value does not exist. */
export function withVariants(changed: object, base?: Readonly<Variants>): Variants {
    return check(variantsSchema, { ...base, ...changed }, "variants");
}
