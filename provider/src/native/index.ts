/**
 * The same resources and lookups as `pulumi-videograph`, with the types of the resource plugin (`videograph:index:Content`):
 * programs of every language share them, and `pulumi import` and the `import` option know them.
 */
import "../nodeVersion";
import { pluginOptions } from "./program/registration";

export type {
    ContentLibraryArgs,
    ContentReadinessArgs,
    ContentResult,
    ContentSource,
    ContentSubtitle,
    ContentThumbnail,
    ContentWatermark,
    GetContentArgs,
    GetContentsArgs,
    GetLivestreamArgs,
    GetLivestreamsArgs,
    GetSigningKeysArgs,
    LibraryContent,
    LibraryEntry,
    LivestreamItem,
    LivestreamResult,
    ReadyContent,
    SigningKey,
} from "../index";
export * from "./program/lookups";
export * from "./program/provider";
export * from "./program/resources";

// A program that declares nothing yet needs the plugin too: `pulumi import` runs no program.
pluginOptions();
