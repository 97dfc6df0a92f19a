/** The properties of a ContentLibrary. */
import type { Definition } from "../../inputs/definition";
import { contentDefinition } from "../content/definition";

const { waitForReady: _, ...inputs } = contentDefinition.inputs;

/** An entry: what a Content takes. A library always waits. */
export const entryDefinition = { ...contentDefinition, inputs } satisfies Definition;

export const libraryDocs = {
    contents:
        "The contents by key: what a {@link Content} takes, without `waitForReady`. A key names the content from then on, as the name of a resource does: another key is another content. A key must not be empty, and must not contain `/` or `::`. Either this or `catalogue` is required.",
    catalogue:
        'The same as a text, for thousands of contents: one JSON object per line, with its `key` beside the properties, such as `{"key": "harbour", "title": "Harbour", "content": [{"url": "https://media.example.com/harbour.mp4"}]}`.',
    defaults: "Defaults for properties that a content does not set. A content's own value replaces the whole default.",
    maxDeletes:
        "How many contents one update may delete or replace. More are refused, in the preview as well. Default: a tenth of the library, at least 10. Contents that have Failed do not count. A library is never emptied by an update.",
    contentsOut: "The contents by key.",
    results: "With `catalogue`: the contents by key, as JSON text.",
} as const;
