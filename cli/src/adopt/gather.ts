/** Finds the objects to adopt, and the reasons to skip all others; `../backend.ts` reads what other stacks manage. */
import type { VideographApi } from "#provider/api/index";
import { markerIn, ownerInMarker } from "#provider/evidence/marker";
import { messages } from "#provider/messages/index";
import { isFailed, isLeaving } from "#provider/wait/status";
import { type Kind, keyOf, type Listed, list, read, refuseUnknown, type Unreadable, type Whole } from "../account";
import { managers } from "../backend";
import type { PluginSource } from "../commandLine";
import { type Described, describe } from "../entry";
import { namesFor } from "../names";
import type { Shell } from "../shell";
import type { StackIdentity, StackState } from "../state";

/** Which objects are wanted: all conditions must hold. */
export interface Selection {
    readonly kinds: readonly Kind[];
    readonly title: string;
    readonly tags: readonly string[];
    readonly ids: readonly string[];
    readonly includeManaged: boolean;
    /** The time for one object. */
    readonly timeoutMs: number;
    readonly state: StackState;
    /** The stack that adopts them. */
    readonly identity: StackIdentity;
    /** If its types are native. */
    readonly plugin: PluginSource | undefined;
}

/** An object that is skipped, and why. */
export interface Skipped extends Pick<Listed, "kind" | "id" | "title"> {
    readonly reason: string;
    /** Set when it could not be read. */
    readonly unread?: true;
}

export interface Gathered {
    readonly adopted: Described[];
    readonly skipped: Skipped[];
    /** Those that the stack's state already has. */
    readonly known: Skipped[];
}

export async function gather(shell: Shell, api: VideographApi, selection: Selection): Promise<Gathered> {
    const { kinds, ids, state, timeoutMs } = selection;
    const items = await list(api, kinds, shell.terminal);
    refuseUnknown(ids, items, messages.idsUnknown);
    // From everything, so that a filter changes no name.
    const names = namesFor(
        items,
        state.resources.map(({ name }) => name),
    );
    const likely = items.filter((item) => isLikely(item, selection));
    const { free, known, skipped } = await withoutManaged(shell, likely, selection);
    const adopted: Described[] = [];
    for await (const whole of read(shell, api, free, timeoutMs)) {
        if (!("problem" in whole) && !isWanted(whole, selection)) continue;
        const result = judge(whole, names.get(keyOf(whole)) ?? "", api.fingerprint, selection);
        if ("entry" in result) adopted.push(result);
        else skipped.push(result);
    }
    return { adopted, skipped, known };
}

/** Without the objects of this stack, and without those of the backend's other stacks unless the user names them. */
async function withoutManaged(shell: Shell, items: readonly Listed[], { state, ids }: Selection) {
    const own = new Map(
        state.resources.filter(({ external }) => !external).map((recorded) => [keyOf(recorded), recorded.name]),
    );
    const others = items.filter((item) => !own.has(keyOf(item)));
    const elsewhere = others.length === 0 ? undefined : await managers(shell);
    const known: Skipped[] = [];
    const skipped: Skipped[] = [];
    const free: Listed[] = [];
    for (const item of items) {
        const name = own.get(keyOf(item));
        const { stack, resource } = elsewhere?.get(keyOf(item)) ?? {};
        const managed = `the stack ${stack} already manages`;
        if (name !== undefined) known.push(skip(item, `the stack's state already has it, as ${name}`));
        else if (stack !== undefined && !ids.includes(item.id)) {
            skipped.push(skip(item, `${managed} it, as ${resource}: name it with --id to adopt it`));
        } else {
            free.push(item);
            if (stack === undefined) continue;
            shell.terminal.warn(
                `${managed} ${item.kind} ${item.id}, as ${resource}: a destroy of either stack deletes it.`,
            );
        }
    }
    return { free, known, skipped };
}

/** By the fields of list items, some of which may be missing. */
function isLikely({ id, title }: Listed, { ids, ...wanted }: Selection): boolean {
    return (ids.length === 0 || ids.includes(id)) && (title === undefined || hasTitle(title, wanted.title));
}

function isWanted({ title = "", object }: Whole, wanted: Selection): boolean {
    return hasTitle(title, wanted.title) && wanted.tags.every((tag) => object.tags?.includes(tag));
}

function hasTitle(title: string, part: string): boolean {
    return title.toLowerCase().includes(part.toLowerCase());
}

/** The object's entry, or why it is skipped. */
function judge(
    whole: Whole | Unreadable,
    name: string,
    fingerprint: string,
    { includeManaged, identity, plugin }: Selection,
): Described | Skipped {
    if ("problem" in whole) return { ...skip(whole, whole.problem), ...(!whole.deleted && { unread: true }) };
    const { status, object } = whole;
    if (isFailed(status)) return skip(whole, `its status is ${status}: delete it, or create a new one with a program`);
    if (isLeaving(status)) return skip(whole, "it is being deleted");
    const owner = ownerInMarker(markerIn(object.metadata));
    if (owner !== undefined && !includeManaged) {
        const isOwn = owner.startsWith(`${identity.project}/${identity.stack}/`);
        const advice = isOwn ? "see `npx pulumi-videograph orphans`" : "--include-managed adopts it anyway";
        return skip(whole, `its marker says that ${owner} (project/stack/name) created it: ${advice}`);
    }
    const described = describe(whole, name, { fingerprint, identity, plugin });
    return typeof described === "string" ? skip(whole, described) : described;
}

function skip({ kind, id, title }: Listed, reason: string): Skipped {
    return { kind, id, title, reason };
}
