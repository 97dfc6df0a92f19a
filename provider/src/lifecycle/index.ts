/** The parts of every resource's lifecycle. They know the service, and not how Pulumi calls them. */

export { closeAnswered, doubtCreate, forgetCreates, forgetRecorded, nameInterrupted } from "../create/ledger";
export { Journal } from "../evidence/journal";
export type { JournalEntry } from "../evidence/journalEntry";
export { Lists } from "../evidence/lists";
export type { OwnStateReader } from "../evidence/ownState";
export * from "../inputs/values";
export { Interrupted, LifecycleError, messageOf, type Reporter } from "../messages";
export { NotFoundTrust, someObjectExists } from "../operation/notFound";
export { ObjectClaims } from "../operation/objectClaims";
export type { Operation, Services } from "../operation/operation";
export { UserDecision } from "../operation/userDecision";
export { Watcher } from "../wait/watcher";
export * from "./lifecycle";
export { refuseForeignMarker } from "./ownership";
