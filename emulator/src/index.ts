/**
 * A local stand-in for the Videograph video service, for demos, tests and CI.
 *
 * ```ts
 * await using emulator = await startEmulator({ processingTimeMs: 200 });
 * // point a client at emulator.url with emulator.token, then check what it did:
 * emulator.contents();
 * emulator.requests;
 * ```
 */

export { defaultToken, type Token } from "./auth";
export { type Emulator, type EmulatorOptions, startEmulator } from "./emulator";
export type { Fault, InjectedFault } from "./faults";
export type { ContentChange, ContentSnapshot, LivestreamChange, LivestreamSnapshot } from "./outsideAccess";
export type { LoggedRequest } from "./requestLog";
export type {
    ContentCreate,
    ContentSource,
    LivestreamCreate,
    MetadataPair,
    PlaybackPolicy,
    SubtitleCreate,
    WatermarkCreate,
} from "./requests";
export { sampleVideo } from "./sample";
export type { ContentRecord, LivestreamRecord, SigningKey } from "./store";
export type { FieldForm, Variants } from "./variants";
