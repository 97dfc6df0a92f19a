/** The lifecycles of the package's resources. Knows the service, nothing of how Pulumi calls it. */
export { content } from "./content";
export { contentReadiness } from "./contentReadiness";
export { FileJournal } from "./fileJournal";
export type { Journal, JournalEntry } from "./journal";
export { livestream } from "./livestream";
export { Managed } from "./managed";
export * from "./resource";
export { NotFoundTrust } from "./trust";
export { TurnsHint } from "./turnsHint";
export { Watcher } from "./watcher";
