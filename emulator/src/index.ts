/**
 * A local stand-in for the Videograph video service, for demos, tests and CI.
 *
 * ```ts
 * await using emulator = await startEmulator({ processingTimeMs: 200 });
 * // point a client at emulator.url with emulator.token, then look at what it did:
 * emulator.contents();
 * emulator.requests;
 * ```
 */

export type { Token } from "./auth";
export type { ContentCreate } from "./contents";
export {
    type ContentChange,
    type ContentSnapshot,
    defaultToken,
    type Emulator,
    type EmulatorOptions,
    type LivestreamChange,
    type LivestreamSnapshot,
} from "./emulator";
export type { ErrorBody, Fault, FaultEffect, FaultMatch, InjectedFault, When } from "./faults";
export type { LivestreamCreate } from "./livestreams";
export type { LoggedRequest } from "./requestLog";
export { type SampleVideoOptions, sampleVideo } from "./sampleVideo";
export { startEmulator } from "./startEmulator";
export type { ContentRecord, LivestreamRecord, MetadataPair, PlaybackPolicy, SigningKey } from "./store";
export type { Variants } from "./variants";
