/** Videos and live streams of the Videograph platform as Pulumi resources. */
import "./nodeVersion";

export * from "./program/clip";
export * from "./program/content";
export {
    ContentLibrary,
    type ContentLibraryArgs,
    type LibraryContent,
    type LibraryEntry,
} from "./program/contentLibrary";
export { ContentReadiness, type ContentReadinessArgs, type ReadyContent } from "./program/contentReadiness";
export * from "./program/livestream";
export type { LookupOptions, LookupOutputOptions } from "./program/lookup";
export * from "./program/lookups";
export { Provider, type ProviderArgs } from "./program/provider";
