/** Videos and live streams of the Videograph platform as Pulumi resources. */
import "./nodeVersion";

export * from "./content";
export * from "./contentReadiness";
export * from "./getContent";
export * from "./getLivestream";
export * from "./getSigningKeys";
export * from "./livestream";
export type { LookupOptions } from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
