/** What every resource's lifecycle is made of. Knows the service, nothing of how Pulumi calls it. */
export { FileJournal } from "./create/fileJournal";
export type { Journal, JournalEntry, RecordedQuery, RecordedState, StackQuery } from "./create/journal";
export { answered, keepsResumed, PendingWarning, recorded } from "./create/proof";
export { Scans } from "./create/scan";
export * from "./resource";
export { NotFoundTrust } from "./state/notFoundTrust";
export { Managed } from "./state/ownership";
export { ParallelismHint } from "./wait/parallelismHint";
export { Watcher } from "./wait/watcher";
