/** What every resource's lifecycle is made of. Knows the service, nothing of how Pulumi calls it. */
export { FileJournal } from "../evidence/fileJournal";
export type { Journal, JournalEntry } from "../evidence/journal";
export { Lists } from "../evidence/lists";
export type { OwnState, OwnStateReader, OwnStateRun } from "../evidence/ownState";
export { OpenEntries, recorded, told } from "../create/recorded";
export { NotFoundTrust } from "../operation/notFound";
export * from "./lifecycle";
export { Managed } from "../operation/managers";
export { ParallelismHint } from "../wait/parallelismHint";
export { Watcher } from "../wait/watcher";
