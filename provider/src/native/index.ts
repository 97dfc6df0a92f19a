/**
 * The same resources and lookups as in `pulumi-videograph`, served by the resource plugin: their types are `videograph:index:Content` and so on, which
 * programs in every language have, and which `pulumi import` can import.
 */
import "../nodeVersion";
import { pluginOptions } from "./program/registration";

export type { ContentSource, ContentSubtitle, ContentThumbnail, ContentWatermark } from "../program/content";
export type { ContentLibraryArgs, LibraryContent, LibraryEntry } from "../program/contentLibrary";
export type { ContentReadinessArgs, ReadyContent } from "../program/contentReadiness";
export type {
    ContentResult,
    GetContentArgs,
    GetContentsArgs,
    GetLivestreamArgs,
    GetLivestreamsArgs,
    GetSigningKeysArgs,
    LivestreamItem,
    LivestreamResult,
    SigningKey,
} from "../program/lookups";
export * from "./program/lookups";
export * from "./program/provider";
export * from "./program/resources";

// Installs the plugin, also for a program that declares nothing yet: `pulumi import` needs the plugin, and runs no program that would install it.
pluginOptions();
