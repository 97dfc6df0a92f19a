/** The package's resources: their lifecycles by name, and all of them by the names of their classes. */

import { clipDefinition } from "../definitions/clip";
import { contentDefinition } from "../definitions/content";
import type { Definition } from "../definitions/definition";
import { livestreamDefinition } from "../definitions/livestream";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { clip } from "./clip";
import { content } from "./content";
import { contentLibrary } from "./contentLibrary/lifecycle";
import { contentReadiness } from "./contentReadiness";
import { livestream } from "./livestream";

export { clip, content, contentLibrary, contentReadiness, livestream };

export interface ResourceType {
    lifecycle: Lifecycle;
    /** `undefined` if it has no object on the service. */
    definition: Definition | undefined;
}

export const resourceTypes = {
    Content: { lifecycle: content, definition: contentDefinition },
    Clip: { lifecycle: clip, definition: clipDefinition },
    Livestream: { lifecycle: livestream, definition: livestreamDefinition },
    ContentReadiness: { lifecycle: contentReadiness, definition: undefined },
    ContentLibrary: { lifecycle: contentLibrary, definition: undefined },
} as const satisfies Record<string, ResourceType>;
