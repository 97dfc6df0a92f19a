/** What every resource's lifecycle is made of. Knows the service, nothing of how Pulumi calls it. */
export { FileJournal } from "./create/fileJournal";
export type { Journal, JournalEntry } from "./create/journal";
export { Lists } from "./create/lists";
export type { OwnState, OwnStateReader, OwnStateRun } from "./create/ownState";
export { OpenEntries, recorded, told } from "./create/recorded";
export { NotFoundTrust } from "./notFound";
export * from "./resource";
export { Managed } from "./state/ownership";
export { ParallelismHint } from "./wait/parallelismHint";
export { Watcher } from "./wait/watcher";
