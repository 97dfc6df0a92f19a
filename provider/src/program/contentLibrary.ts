import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../api/json";
import { catalogueLines, entryPath } from "../evidence/library";
import { advice, messages } from "../messages";
import type { ContentOutputs } from "./common";
import type { ContentInputs } from "./content";
import { isPlain, refuse } from "./refusals";
import { dynamicFace, type Face, type Options, secretIfPresigned, unset } from "./registration";
import { type ResourceClass, resourceClass } from "./resourceClass";

/** A content of a {@link ContentLibrary}: what a {@link Content} takes, without `waitForReady`. `importId` adopts an existing content. */
export interface LibraryEntry extends Omit<ContentInputs, "waitForReady"> {}

/** The inputs of a {@link ContentLibrary}. */
export interface ContentLibraryArgs {
    /**
     * The contents by key: what a {@link Content} takes, without `waitForReady`. A key names the content from then on,
     * as the name of a resource does: another key is another content. A key must not be empty, and must not contain `/`
     * or `::`. Either this or `catalogue` is required.
     */
    contents?: pulumi.Input<Record<string, pulumi.Input<LibraryEntry>> | undefined> | undefined;
    /**
     * All contents as one text, for thousands of them: one JSON object per line, with its `key` next to the properties,
     * such as `{"key": "harbour", "title": "Harbour", "content": [{"url": "https://media.example.com/harbour.mp4"}]}`.
     */
    catalogue?: pulumi.Input<string | undefined> | undefined;
    /** Defaults for properties that a content does not set. A content's own value replaces the whole default. */
    defaults?: pulumi.Input<Partial<LibraryEntry> | undefined> | undefined;
    /**
     * Keys that leave the library without being deleted: once the program no longer declares such a content, it stays on the service, and
     * only its record is removed. `pulumi destroy` deletes what the library still has.
     */
    release?: pulumi.Input<pulumi.Input<string>[] | undefined> | undefined;
    /**
     * How many contents one update may delete or replace. More are refused, in the preview as well. Default: a tenth of
     * the library, at least 10. Contents that have Failed do not count. A library is never emptied by an update.
     */
    maxDeletes?: pulumi.Input<number | undefined> | undefined;
}

/** A content as its library shows it. */
export interface LibraryContent extends Partial<ContentOutputs> {
    /** The content's id. */
    contentId: string;
    /** `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. */
    status: string;
}

/**
 * A library of contents as one resource, for hundreds and thousands of them: the engine writes its whole state at every step of every
 * resource, so that a thousand resources take a minute however fast they are made. Each content of a library is created, changed,
 * waited for and deleted exactly as a {@link Content} is.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const films = new videograph.ContentLibrary("films", {
 *     defaults: { playbackPolicy: ["public"], tags: ["archive"] },
 *     contents: {
 *         harbour: { title: "Harbour", content: [{ url: "https://media.example.com/harbour.mp4" }] },
 *         ice: { title: "Ice", content: [{ url: "https://media.example.com/ice.mp4" }], metadata: { season: "2" } },
 *     },
 * });
 *
 * export const harbour = films.contents.apply((contents) => contents.harbour?.playbackUrl);
 * ```
 *
 * The preview says on the row of the library which contents are created, updated, replaced and deleted. An update that would delete
 * or replace more than `maxDeletes` of them is refused, and so is one that would empty the library.
 *
 * If a content fails, all others go on, and the update fails at its end with the keys and their reasons. What was done is recorded; the
 * next `pulumi up` continues with the rest.
 */
export interface ContentLibrary extends pulumi.CustomResource {
    /** The contents by key. */
    readonly contents: pulumi.Output<Record<string, LibraryContent>>;
}

export const ContentLibrary: ResourceClass<ContentLibrary, ContentLibraryArgs> = libraryClass(dynamicFace, () => true);

/**
 * Makes the class of libraries. `isText`: whether the map `contents` is sent as one text, `catalogue`, which is faster for many contents. The outputs
 * are then one text too.
 */
export function libraryClass<Library>(
    face: Face,
    isText: (contents: object) => boolean,
): ResourceClass<Library, ContentLibraryArgs> {
    return resourceClass<Library, ContentLibraryArgs>(face, "ContentLibrary", ({ contents, ...args }, opts, name) => {
        const rest = { ...unset("contents", "catalogue", "defaults", "release", "maxDeletes", "results"), ...args };
        // With both inputs, `contents` becomes a text too. One of them may be an Output that resolves to `undefined`, which only `plainText` sees.
        const asText = isSet(contents) && (isSet(rest.catalogue) || isText(contents));
        const catalogue = asText ? catalogueText(name, contents, rest.catalogue) : rest.catalogue;
        const options = withTextOptions(name, opts, asText);
        if (!isSet(catalogue)) return { inputs: { ...rest, contents }, opts: options };
        return {
            inputs: {
                ...rest,
                // A presigned URL opens its file to anyone. A text that has one is a secret as a whole.
                catalogue: pulumi
                    .output(catalogue)
                    .apply((text) => secretIfPresigned(text, catalogueLines(text ?? ""))),
                ...face.plainInputs?.({ catalogue, defaults: rest.defaults }, opts),
            },
            opts: options,
            complete: (library) => Object.assign(library, { contents: shownContents(library) }),
        };
    });
}

interface TextOutputs {
    results: pulumi.Output<string | undefined>;
    contents?: pulumi.Output<object | undefined>;
    catalogue: pulumi.Output<string | undefined>;
}

/**
 * Returns the output `contents`, parsed from the provider's text. A user's unit tests have no provider. There the output is what the mock returns, or
 * else the declared contents.
 */
function shownContents(library: pulumi.CustomResource): pulumi.Output<object> {
    const { results, contents, catalogue } = library as unknown as TextOutputs;
    if (!isMocked()) return results.apply((text) => JSON.parse(text ?? "{}"));
    return pulumi.all([results, contents, catalogue]).apply(([text, mocked, declared]) => {
        if (text !== undefined) return JSON.parse(text);
        return mocked ?? Object.fromEntries(catalogueLines(declared).filter((line) => Array.isArray(line)));
    });
}

function isMocked(): boolean {
    return "mocks" in (pulumi.runtime.getMonitor() ?? {});
}

/** Returns the options for the engine. What they say of `contents` they also say of `catalogue`, because the engine may know only the text. */
function withTextOptions(name: string, opts: Options, isText: boolean): Options {
    const paths = (option: "ignoreChanges" | "replaceOnChanges") => {
        const given = opts?.[option] ?? [];
        const path = given.find((one) => /^contents[.[]|^\["contents"\]./.test(one));
        if (isText && path !== undefined) throw new pulumi.RunError(messages.libraryPart({ name, option, path }));
        return given.flatMap((one) => (one === "contents" ? [one, "catalogue"] : [one]));
    };
    return { ...opts, ignoreChanges: paths("ignoreChanges"), replaceOnChanges: paths("replaceOnChanges") };
}

/** All contents as one text. For a map, the engine takes two milliseconds for each content, at every step of the run. */
function catalogueText(name: string, contents: Given<object>, catalogue: Given<string>): Given<string> {
    if (isPlain([contents, catalogue])) return plainText(name, contents as object, catalogue as string | undefined);
    return pulumi.all([contents, catalogue]).apply((known) => plainText(name, ...known));
}

function plainText(name: string, contents: object | undefined, catalogue: string | undefined): string | undefined {
    const what = `ContentLibrary "${name}"`;
    // The text replaces both inputs, so the provider's check could not see that there were two.
    if (isSet(contents) && isSet(catalogue)) refuse(what, messages.libraryForm());
    if (!isSet(contents)) return catalogue;
    // In a list, the positions would be the keys: one more video at the front would replace all others.
    if (!isObject(contents)) refuse(what, messages.badInput({ property: "contents", expected: advice.keyed }));
    const lines = Object.entries(contents).map(([key, entry]) => {
        const { key: own, ...properties } = (entry ?? {}) as { key?: unknown };
        // A line has the content's key as its `key`: a property of that name would overwrite the key.
        if (isSet(own)) refuse(what, messages.unknownInput({ property: `${entryPath(key)}.key`, correction: "" }));
        return JSON.stringify({ key, ...properties });
    });
    return lines.join("\n");
}

/** Whether a value is set. Programs write `null` for "not set", too. */
function isSet<T>(value: T): value is NonNullable<T> {
    return value !== undefined && value !== null;
}

type Given<T> = pulumi.Input<T | undefined>;
