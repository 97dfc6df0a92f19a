/** All that outlives a run: the service's objects, the states of stacks, the journals of two machines, and the time. */
import { hash } from "node:crypto";
import type { Change } from "../../emulator/dist/store.js";
import { fingerprintOf } from "../../provider/dist/api/client.js";
import { consistencyGraceMs } from "../../provider/dist/api/limits.js";
import { entryUrn, recordedEntriesOf, unpack } from "../../provider/dist/evidence/library.js";
import { digestOfResource, lineageOf, noncePrefixOf, prefixOf } from "../../provider/dist/evidence/marker.js";
import { attemptIn } from "../../provider/dist/operation/ownState.js";
import { openEntriesIn } from "../support/memoryFiles.ts";
import { address } from "../support/session.ts";

export type Properties = Record<string, unknown>;
export type Kind = "Content" | "Livestream" | "ContentLibrary";
export type Face = "dynamic" | "native";
type Stored = Extract<Change, { content: unknown }>["content"] | Extract<Change, { livestream: unknown }>["livestream"];

/** A resource as the state has it. */
export interface Row {
    face: Face;
    kind: Kind;
    name: string;
    id: string;
    inputs: Properties;
    outputs: Properties;
}

export interface Stack {
    uid: number;
    stack: string;
    project: string;
    birth: string | null;
    rows: Row[];
    /** Rows that wait for their deletion. */
    olds: Row[];
    /** Creates that have not ended, and updates of libraries. */
    operations: { face: Face; kind: Kind; name: string; inputs: Properties; isUpdate?: boolean }[];
    /** The source of each declared resource, or `import <id>`, by `<kind>/<name>`. */
    program: Record<string, string>;
    /** The face of the program's types. */
    face: Face;
    /** The keys that a library declares. */
    keys: string[];
    /** The declared titles that are not the name or the key. */
    titles: Record<string, string>;
    /** The declared tags. */
    tags: string[];
    /** What the last run refused to decide, as it said. */
    refusal: string;
    /** The access token in use: "token", or "other", of another environment. */
    token: string;
    /** The engine replaces nothing. */
    protect: boolean;
    /** The user names these objects in each run of this stack: `VIDEOGRAPH_UNRECORDED`. */
    adopts: string;
}

export interface World {
    now: number;
    objects: Stored[];
    /** Until when the lists do not show an object. */
    hidden: Record<string, number>;
    /** What the replica that is behind still shows: the earlier form of an object that was changed or deleted. */
    stale: Record<string, Stale>;
    /** All GETs are answered by the replica that is behind. */
    isBehind: boolean;
    /** By how much the clock of the service and those of the machines are ahead, in ms. */
    skew: { service: number; machines: number[] };
    /** The machines on which the stack's state cannot be read. */
    silent: number[];
    /** The objects that somebody has retitled on the service, and those that a killed run may have changed or deleted. */
    edited: string[];
    /** POSTs that are accepted only at that time. */
    late: { at: number; uid: number; url: string; body: string; token: string }[];
    /** The stack that each object was made for; `null` once the user let it go. */
    owners: Record<string, number | null>;
    /** Objects of the first stack that an older copy of its state lacks, although that names their creates. */
    forgotten: string[];
    stacks: Stack[];
    /** A copy of the first stack's state. */
    backup: Stack | null;
    disks: Record<string, string>[];
    /** What the user was told, of which only ids and markers count. */
    said: string[];
    /** Why no later run may take up what a run has sent, by the random part of its marker. */
    lost: Record<string, string>;
    /** The user has cleared pending operations. */
    cleared: boolean;
    /** The source that was declared when a create began, by the random part of its marker. */
    sources: Record<string, string>;
    processes: number;
    left: { runs: number; faults: number; acts: number };
}

export interface Stale {
    until: number;
    /** The object and its item in the list, as they were. */
    object: Properties;
    item: Properties | undefined;
    isDeleted: boolean;
    /** The stack that has changed it. */
    by: number;
}

/** Each of an environment of its own. */
export const tokens = ["token", "other"];

/** The keys that a library may declare. */
export const keys = ["one", "two", "three"];

export const typeOf = ({ face, kind }: Pick<Row, "face" | "kind">): string =>
    face === "native" ? `videograph:index:${kind}` : `pulumi-nodejs:dynamic/videograph:${kind}`;

export const urnOf = (
    { stack, project }: Pick<Stack, "stack" | "project">,
    one: Pick<Row, "face" | "kind" | "name">,
): string => `urn:pulumi:${stack}::${project}::${typeOf(one)}::${one.name}`;

/** The title that the program declares for a resource, or for an entry of a library. */
export const titleOf = ({ titles }: Pick<Stack, "titles">, name: string): string => titles[name] ?? name;

export const key = ({ kind, name }: { kind: Kind; name: string }): string => `${kind}/${name}`;
export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const idOf = (object: Stored): string => ("contentId" in object ? object.contentId : object.streamUUID);

/** The objects of a row: a library has one for each key. */
export function idsOf({ kind, id, outputs }: Row): string[] {
    return kind === "ContentLibrary" ? recordedEntriesOf(outputs).map(([, one]) => one) : [id];
}

export const markerOf = (object: Stored): string =>
    object.metadata.find((pair) => pair.key === "managed_by")?.value ?? "";

/** An entry of a library, by the name in its marker. */
export const isEntry = (object: Stored): boolean => markerOf(object).includes("%2F");

/** The content that the user may know as that of a create whose marker is lost. */
export const unmarkedIn = ({ objects }: Pick<World, "objects">): string | undefined =>
    objects.filter((object) => markerOf(object) === "").map(idOf)[0];

export const newStack = (uid: number, stack: string, program: Record<string, string>): Stack => ({
    ...{ uid, stack, project: "project", birth: null, rows: [], olds: [], operations: [], program },
    ...{ face: "dynamic" as Face, keys: keys.slice(0, 2), titles: {}, tags: [] },
    ...{ refusal: "", token: "token", protect: false, adopts: "" },
});

export interface Start {
    program?: Record<string, string> | undefined;
    face?: Face | undefined;
    keys?: string[] | undefined;
    isBehind?: boolean | undefined;
}

export function newWorld(start: Start, left: World["left"]): World {
    const { program = { "Content/main": "a" }, face = "dynamic", keys: declared = keys.slice(0, 2) } = start;
    return {
        ...{ now: Date.UTC(2026, 0, 1), objects: [], hidden: {}, late: [], owners: {}, disks: [{}, {}], backup: null },
        ...{ said: [], lost: {}, cleared: false, sources: {}, forgotten: [], edited: [], silent: [] },
        ...{ stale: {}, isBehind: start.isBehind === true, skew: { service: 0, machines: [0, 0] } },
        ...{ stacks: [{ ...newStack(0, "dev", program), face, keys: declared }], processes: 0, left },
    };
}

/** The ids and nonces in a message, also those of which only the first digits are known. */
export function namesIn(text: string): string[] {
    return text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{12}\b|(?<=marker )[0-9a-f]{8}\b/g) ?? [];
}

/** Whether a resource of some stack has the object. */
export function isHeld({ stacks }: Pick<World, "stacks">, id: string): boolean {
    return stacks.some(({ rows, olds }) => [...rows, ...olds].some((row) => idsOf(row).includes(id)));
}

/** What no create can tell apart: the program's outputs. */
const ignored = /^(playbackUrl|thumbnailUrl|duration|resolution|streamKey|rtmpUrl|rtmpsUrl|owner|catalogue)$/;
/** Times sort what is hours apart. */
const times = /^(createdOn|startedAt|at|newest)$/;
const random = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,64})\b/g;

/**
 * The world without `left` and what no create can tell apart. Ids, random parts and digests are numbered as they come. `machine`: the one that is
 * to be told from the other; without it the machines are alike, so a world is the same where they change places.
 */
export function canonical(world: World, machine?: number): string {
    const swapped = {
        ...{ ...world, disks: world.disks.toReversed(), silent: world.silent.map((one) => 1 - one) },
        skew: { ...world.skew, machines: world.skew.machines.toReversed() },
    };
    const both = [textOf(world), textOf(swapped)];
    return hash("sha1", (machine === undefined ? both.sort()[0] : both[machine]) ?? "", "base64");
}

function textOf(world: World): string {
    const objects = world.objects.map((object) => {
        const { environmentId, title, tags, createdOn } = object;
        const id = idOf(object);
        const hiddenFor = steps((world.hidden[id] ?? 0) - world.now);
        return { environmentId, title, tags, id, marker: markerOf(object), createdOn, hiddenFor };
    });
    const stale = Object.entries(world.stale).flatMap(([id, { until, object, isDeleted }]) =>
        until > world.now ? [{ id, after: steps(until - world.now), isDeleted, object }] : [],
    );
    const late = world.late.map((one) => ({ ...one, at: undefined, after: steps(one.at - world.now) }));
    const disks = world.disks.map(entriesOf);
    const [backup, ...stacks] = [world.backup, ...world.stacks].map((stack) => stack && withPrefixes(stack));
    const known = JSON.stringify(
        [stacks, backup, objects, late, disks, stale, world.skew, world.silent],
        (name, value) => shown(name, value, world.now),
    );
    const facts = [
        ...[world.said, world.forgotten, world.edited],
        ...[Object.entries(world.lost), Object.entries(world.sources), Object.entries(world.owners)],
    ];
    const rest = facts.map((all) => all.filter((one) => known.includes([one].flat()[0] as string)));
    const names = new Map(tokens.map((token) => [fingerprintOf(address, token), token]));
    const nameOf = (one: string): string => {
        if (!names.has(one)) names.set(one, `n${names.size}`);
        return names.get(one) ?? "";
    };
    // A nonce begins with what it shares with the others of its attempt.
    return `${known}${JSON.stringify(rest)}${world.cleared}`.replace(random, (one) =>
        one.length === 12 ? `${nameOf(prefixOf(one))}.${nameOf(one)}` : nameOf(one),
    );
}

function withPrefixes(stack: Stack) {
    const all = [stack.rows, stack.olds, stack.operations];
    return { ...stack, all: all.map((some) => some.map((one) => ({ ...one, attempts: prefixesOf(stack, one) }))) };
}

export const entriesOf = (disk: World["disks"][number]) =>
    openEntriesIn(Object.values(disk)).sort((a, b) => Number(a.startedAt) - Number(b.startedAt));

/** A time that is still to come, roughly. */
const steps = (ms: number): number => Math.max(0, Math.ceil(ms / 30_000));

const hourMs = 3_600_000;

/** How long ago something was, as far as a read soon after it can tell, whatever the clock that has noted it. */
function hoursAndGrace(ms: number): string | undefined {
    const hours = Math.round(ms / hourMs);
    return Math.abs(ms - hours * hourMs) < consistencyGraceMs ? `${hours} h` : undefined;
}

function shown(name: string, value: unknown, now: number): unknown {
    if (ignored.test(name) || name === "rows" || name === "olds" || name === "operations" || name === "__attempt")
        return undefined;
    if (name === "birth" && value) return lineageOf(String(value));
    if (name === "unseenSince" || name === "putAt") return hoursAndGrace(now - Number(value));
    if (times.test(name) && typeof value === "number") return Math.round((now - value) / hourMs);
    if (name === "results") return JSON.parse(String(value));
    return name === "entries" || name === "__entries" || name === "left" ? (unpack(value) ?? value) : value;
}

/** What the nonces of its creates begin with. */
function prefixesOf(stack: Stack, { face, kind, name, inputs }: Stack["operations"][number]): string[] {
    const attempt = attemptIn(inputs) ?? "";
    const urn = urnOf(stack, { face, kind, name });
    const resources =
        kind === "ContentLibrary" ? keys.map((key) => digestOfResource(entryUrn(urn, key), "Content")) : [];
    return [digestOfResource(urn, kind), ...resources].map((resource) => noncePrefixOf(attempt, resource));
}

/** Whether the machine's journal has the create open. */
export function isOpen({ disks }: World, machine: number, nonce: string): boolean {
    return openEntriesIn(Object.values(disks[machine] ?? {})).some((entry) => entry.nonce === nonce);
}
