/** Reads the backend's stacks through the Pulumi CLI: this package's resources in a state, and whether a run uses a stack. Changes nothing. */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import * as z from "zod/mini";
import { isUnconfirmed, unconfirmedNonce } from "#provider/api/index";
import { hasSameNames, lineageOf, type Marker, parseMarker, shownName } from "#provider/evidence/marker";
import { userFolder } from "#provider/evidence/pulumiHome";
import { type Meta, metaOf } from "#provider/inputs/recordedMeta";
import { LifecycleError } from "#provider/messages/index";
import { type ExportedObject, ofResource, type StackExport } from "#provider/operation/ownState";
import { version } from "#provider/session/pluginSource";
import { findProject } from "#provider/session/project";
import { parseExport } from "#provider/session/stackExport";
import { parseUrn, type Urn } from "#provider/urn";
import { type Kind, keyOf } from "./account";
import { CommandError } from "./commandLine";
import { messages } from "./messages";
import { parseJsonAs, pulumiOutput } from "./pulumi";
import type { Shell } from "./shell";

/** A resource of this package that has an object: managed, only read, or waiting for its deletion. */
export interface Recorded {
    readonly kind: Kind;
    readonly id: string;
    readonly name: string;
    /** Whether the resource only reads the object, as `Content.get` does. */
    readonly external: boolean;
    /** The nonce in the recorded marker; `undefined` for an adopted object that has none. */
    readonly nonce: string | undefined;
    /** The fingerprint of the credentials that the object was last seen with. */
    readonly fingerprint: string;
}

export type StackIdentity = Pick<Urn, "project" | "stack">;

export interface StackState {
    readonly resources: readonly Recorded[];
    /** The creates that began and never ended in the state. The engine keeps the creates of killed runs. */
    readonly creates: StackExport["creates"];
    /** The nonces of creates about which a later run has decided (`handled` of `operation/ownState.ts`). */
    readonly handled: ReadonlySet<string>;
    /** The nonces of creates that ended in doubt. */
    readonly unconfirmed: ReadonlySet<string>;
    /** The lineage of the state, as in a marker; `undefined` where the state has no birth. */
    readonly lineage: string | undefined;
    readonly identity: StackIdentity;
    /** The version of the native types' plugin, if the stack has native types. */
    readonly plugin: string | undefined;
}

/** The state of a stack; of the selected one by default. */
export async function exportedState(shell: Shell, stack: string | undefined): Promise<StackState> {
    const { birth, root, resources, creates, providers } = await exportStack(shell, stack);
    const natives = providers.filter(({ type }) => type === "pulumi:providers:videograph");
    return {
        resources: resources.flatMap(recordedOf),
        creates,
        handled: new Set(resources.flatMap((one) => recordOf(one).handled ?? [])),
        unconfirmed: new Set(resources.flatMap(({ id }) => unconfirmedNonce(id) ?? [])),
        lineage: birth === "" ? undefined : lineageOf(birth),
        identity: await identityOf(shell, root, stack),
        plugin: natives.map(({ inputs }) => (typeof inputs.version === "string" ? inputs.version : version)).at(-1),
    };
}

function exportStack(shell: Shell, stack: string | undefined): Promise<StackExport> {
    return pulumiOutput(shell, parseExport, "the state of a stack", "stack", "export", ...stackArguments(stack));
}

/** The names of a stack, also of a stack without resources. */
async function identityOf(shell: Shell, root: string, stack: string | undefined): Promise<StackIdentity> {
    const recorded = parseUrn(root);
    if (recorded !== undefined) return { project: recorded.project, stack: recorded.stack };
    const parts = stack?.split("/") ?? [];
    const project = parts.length === 3 ? parts[1] : findProject(shell.cwd)?.name;
    if (project === undefined) throw new CommandError(messages.projectUnknown({ folder: shell.cwd }));
    return { project, stack: parts.at(-1) ?? (await shell.pulumi("stack", "--show-name")).trim() };
}

/** Whether the marker has the lineage of the state or the names of the stack. */
export function isOfStack(marker: Marker, state: StackState): boolean {
    const { lineage } = marker;
    return hasNamesOf(marker, state.identity) || (lineage !== undefined && lineage === state.lineage);
}

export function hasNamesOf(marker: Marker, { project, stack }: StackIdentity): boolean {
    return hasSameNames(marker, { project: shownName(project), stack: shownName(stack) });
}

export function stackArguments(stack: string | undefined): string[] {
    return stack === undefined ? [] : ["--stack", stack];
}

/** What this package has recorded of an object. The error for a broken record names the resource. */
function recordOf({ urn, olds }: ExportedObject): Meta {
    return ofResource(urn, () => metaOf(olds));
}

/** The resource, if its kind has an object on the service. */
function recordedOf(exported: ExportedObject): Recorded[] {
    const { kind, id, urn, isExternal: external } = exported;
    // The service lists a clip as a content.
    const own = kind === "Clip" ? "Content" : kind;
    if ((own !== "Content" && own !== "Livestream") || isUnconfirmed(id)) return [];
    const { mark: marker, fingerprint } = recordOf(exported);
    return [
        { kind: own, id, name: parseUrn(urn)?.name ?? "", external, nonce: parseMarker(marker)?.nonce, fingerprint },
    ];
}

/** Backends without locks leave `updateInProgress` out. */
export const listedStacks = z.array(z.object({ name: z.string(), updateInProgress: z.nullish(z.boolean()) }));
export const backend = z.object({ url: z.string() });

/** The stack of the backend that manages each object, by the object's key. A stack whose state cannot be read is named. */
export async function ownersElsewhere(shell: Shell): Promise<ReadonlyMap<string, { stack: string; resource: string }>> {
    const found = new Map<string, { stack: string; resource: string }>();
    const stacks = await stacksOf(shell);
    let count = 0;
    const readState = async ({ name: stack }: { name: string }) => {
        shell.terminal.progress(`Reading the states of the backend's stacks: ${++count} of ${stacks.length}`);
        try {
            for (const one of (await exportStack(shell, stack)).resources.flatMap(recordedOf))
                if (!one.external) found.set(keyOf(one), { stack, resource: one.name });
        } catch (error) {
            // Somebody may have broken a record in the state of a stack that this command has nothing to do with.
            if (!(error instanceof CommandError) && !(error instanceof LifecycleError)) throw error;
            shell.terminal.warn(messages.stackUnreadable({ stack, error: error.message }));
        }
    };
    // Each export is a process of the CLI: more than two at a time would slow down a small machine.
    await Readable.from(stacks).forEach(readState, { concurrency: 2 });
    return found;
}

function stacksOf(shell: Shell) {
    return pulumiOutput(shell, parseJsonAs(listedStacks), "a list of stacks", "stack", "ls", "--all", "--json");
}

/** Whether a run uses a stack. `used`: how it shows. `unknown`: why nobody can tell. Neither is set for a free stack. */
export interface StackUse {
    readonly used?: string;
    readonly unknown?: string;
}

export async function stackUseOf(shell: Shell, identity: StackIdentity): Promise<StackUse> {
    const { url } = await pulumiOutput(shell, parseJsonAs(backend), "the backend", "whoami", "--json");
    if (url.startsWith("file://")) return stackUseOfFolder(folderOf(url, shell), url, identity);
    if (!/^https?:/.test(url)) return { unknown: `no visible locks in the backend ${withoutQuery(url)}` };
    // The list shows a stack of another organization as `organization/stack`.
    const mine = (await stacksOf(shell)).filter(({ name }) => name.split("/").at(-1) === identity.stack);
    if (mine.length === 0) return { unknown: `no stack ${identity.stack} in the backend's list` };
    return mine.some(({ updateInProgress }) => updateInProgress) ? { used: "an update in progress" } : {};
}

/**
 * Whether a stack in a folder is in use: a run keeps a lock file there. A killed run leaves its file behind. That no lock is there says nothing
 * unless the stack's state is found in the same folder.
 */
async function stackUseOfFolder(folder: string, url: string, { project, stack }: StackIdentity): Promise<StackUse> {
    const state = join(folder, ".pulumi", "stacks", project, `${stack}.json`);
    if (![state, `${state}.gz`].some((path) => existsSync(path)))
        return { unknown: `no state of the stack in ${folder}, ${withoutQuery(url)}` };
    const locks = join(folder, ".pulumi", "locks", "organization", project, stack);
    const files = await readdir(locks).catch((error) => (error.code === "ENOENT" ? [] : undefined));
    if (files === undefined) return { unknown: `unreadable locks in ${locks}` };
    const lock = files.find((name) => name.endsWith(".json"));
    return lock === undefined ? {} : { used: `locked by ${join(locks, lock)}` };
}

/** The folder of such a URL, as the CLI reads it: `~` is the user's folder; other paths are relative to the working folder. */
function folderOf(url: string, { cwd, variables }: Shell): string {
    const path = decodeURI(withoutQuery(url).slice("file://".length));
    return resolve(cwd, /^~(?=$|[/\\])/.test(path) ? join(userFolder(variables), path.slice(1)) : path);
}

function withoutQuery(url: string): string {
    return url.split("?", 1)[0] ?? "";
}
