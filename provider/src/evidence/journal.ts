/**
 * The journal of creates, which remembers what a killed process can no longer report; `fileJournal.ts` keeps it on disk. A create
 * opens an entry before it asks or sends anything. The entry is closed when the answer leaves for the engine: from then on the
 * stack's state has the object, or names the create.
 */
import * as z from "zod";

/** The process that works on an entry. */
const owner = z.object({
    pid: z.number(),
    host: z.string(),
    /** Distinguishes the process from a later one with the same pid: its start time, or else a random text. */
    started: z.string().optional(),
});

/** Facts that a create learns after its entry was opened. */
export const learnedSchema = z.object({
    /** The marker that is sent, just before the first POST. Without it nothing was sent. */
    marker: z.string().optional(),
    /** Of the stack's state: "" where it has none yet or may have the object by now, `undefined` where it could not be read. */
    birth: z.string().optional(),
    /** The object, once it is known. */
    id: z.string().optional(),
    /** Of an adopted object: the nonce of the marker that it had, or "". The marker has this entry's nonce only after a PUT. */
    adoptedNonce: z.string().optional(),
});

export const entrySchema = learnedSchema.extend({
    /** The kind that is being created, such as `Content`. */
    kind: z.string(),
    urn: z.string(),
    /** Of its marker: `resourceDigest`, and the random part. Both together name the entry. */
    resource: z.string(),
    nonce: z.string(),
    /** Digest of the title that was sent. It finds the object in a list without writing the title down. */
    title: z.string(),
    /** Digest of the inputs that only a create can set, keyed by the nonce. */
    inputs: z.string(),
    /** Of the credentials in use. */
    fingerprint: z.string(),
    /** When the create began, in ms since the epoch. */
    startedAt: z.number(),
    owner,
});

/** A line about an entry. */
export const changeSchema = learnedSchema.extend({
    nonce: z.string(),
    closed: z.boolean().optional(),
});

export type Owner = z.infer<typeof owner>;
export type Learned = z.infer<typeof learnedSchema>;
export type JournalEntry = z.infer<typeof entrySchema>;
/** A marker has it as well. */
export type EntryName = Pick<JournalEntry, "resource" | "nonce">;
