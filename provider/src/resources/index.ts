/** The operations of each resource, by the name of its class. */

import type { Lifecycle } from "../lifecycle/lifecycle";
import { clip } from "./clip";
import { content } from "./content";
import { contentLibrary } from "./contentLibrary/lifecycle";
import { contentReadiness } from "./contentReadiness";
import { livestream } from "./livestream";

export const lifecycles = {
    Content: content,
    Clip: clip,
    Livestream: livestream,
    ContentReadiness: contentReadiness,
    ContentLibrary: contentLibrary,
} as const satisfies Record<string, Lifecycle>;
