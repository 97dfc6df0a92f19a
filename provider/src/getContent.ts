import type * as pulumi from "@pulumi/pulumi";
import type { ContentObject, VideographApi } from "./api";
import { visible } from "./lifecycle/mark";
import { type LookupOptions, lookup, lookupOutput } from "./lookups";

/** A content as a lookup shows it. */
export type ContentResult = Omit<ContentObject, "reason">;

export interface GetContentArgs {
    contentId: pulumi.Input<string>;
}

/** Filters; all of them must hold. */
export interface GetContentsArgs {
    /** The exact title. */
    title?: pulumi.Input<string> | undefined;
    /** The exact status, such as `"Ready"`. */
    status?: pulumi.Input<string> | undefined;
    /** Tags that a content must all have. */
    tags?: pulumi.Input<pulumi.Input<string>[]> | undefined;
}

/** Looks up one content. An id that does not exist is an error. */
export function getContent(args: { contentId: string }, opts: LookupOptions = {}): Promise<ContentResult> {
    return lookup(opts, async (api) => shown(await api.getContent(args.contentId)));
}

/** {@link getContent} that takes and gives Outputs. */
export function getContentOutput(args: GetContentArgs, opts?: LookupOptions): pulumi.Output<ContentResult> {
    return lookupOutput(args, opts, getContent);
}

/** Looks up all contents of the environment that match. */
export function getContents(
    args: { title?: string | undefined; status?: string | undefined; tags?: string[] | undefined } = {},
    opts: LookupOptions = {},
): Promise<{ contents: ContentResult[] }> {
    return lookup(opts, async (api) => {
        const contents: ContentResult[] = [];
        for await (const { items } of api.contents()) {
            const likely = items.filter(
                ({ title, status }) => (args.title ?? title) === title && (args.status ?? status) === status,
            );
            const whole = args.tags === undefined ? likely : await withTags(api, likely);
            contents.push(
                ...whole.filter(({ tags }) => (args.tags ?? []).every((tag) => tags?.includes(tag))).map(shown),
            );
        }
        return { contents };
    });
}

/** {@link getContents} that takes and gives Outputs. */
export function getContentsOutput(
    args: GetContentsArgs = {},
    opts?: LookupOptions,
): pulumi.Output<{ contents: ContentResult[] }> {
    return lookupOutput(args, opts, getContents);
}

/** List items may lack tags: then each is read. */
function withTags(api: VideographApi, items: ContentObject[]): Promise<ContentObject[]> {
    return Promise.all(items.map((item) => (item.tags === undefined ? api.getContent(item.contentId) : item)));
}

function shown({ reason: _, ...content }: ContentObject): ContentResult {
    return visible(content);
}
