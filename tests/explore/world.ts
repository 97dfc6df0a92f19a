/** All that outlives a run: the service's objects, the states of stacks, the journals of two machines, and the time. */
import { createHash } from "node:crypto";
import type { Change } from "../../emulator/dist/store.js";
import { packedEntries } from "../../provider/dist/evidence/library.js";
import { noncePrefix, prefixOf } from "../../provider/dist/evidence/marker.js";
import { openEntriesIn } from "../support/memoryFiles.ts";

export type Properties = Record<string, unknown>;
export type Kind = "Content" | "Livestream" | "ContentLibrary";
type Stored = Extract<Change, { content: unknown }>["content"] | Extract<Change, { livestream: unknown }>["livestream"];

/** A resource as the state has it. */
export interface Row {
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
    operations: { kind: Kind; name: string; inputs: Properties; isUpdate?: boolean }[];
    /** The source of each declared resource, or `import <id>`, by `<kind>/<name>`. */
    program: Record<string, string>;
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
    /** POSTs that are accepted only at that time. */
    late: { at: number; uid: number; url: string; body: string; token: string }[];
    /** The stack that each object was made for; `null` once the user let it go. */
    owners: Record<string, number | null>;
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

export const key = ({ kind, name }: { kind: Kind; name: string }): string => `${kind}/${name}`;
export const copy = <T>(value: T): T => structuredClone(value);

export function idOf(object: Stored): string {
    return "contentId" in object ? object.contentId : object.streamUUID;
}

/** The objects of a row: a library has one for each key. */
export function idsOf({ kind, id, outputs }: Row): string[] {
    return kind === "ContentLibrary" ? packedEntries(outputs).map(([, one]) => one) : [id];
}

export function markerOf(object: Stored): string {
    return object.metadata.find((pair) => pair.key === "managed_by")?.value ?? "";
}

export const newStack = (uid: number, stack: string, program: Record<string, string>): Stack => ({
    ...{
        uid,
        stack,
        project: "project",
        birth: null,
        rows: [],
        olds: [],
        operations: [],
        program,
        refusal: "",
        token: "token",
        protect: false,
        adopts: "",
    },
});

export function newWorld(program: Record<string, string>, left: World["left"]): World {
    return {
        ...{
            now: Date.UTC(2026, 0, 1),
            objects: [],
            hidden: {},
            late: [],
            owners: {},
            disks: [{}, {}],
            backup: null,
            said: [],
            lost: {},
            cleared: false,
            sources: {},
        },
        ...{ stacks: [newStack(0, "dev", program)], processes: 0, left },
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

const random = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8,64})\b/g;

/**
 * The world without what no create can tell apart: ids, random parts and digests are numbered as they come, and times are
 * only before or after the moment until which a request may be accepted.
 */
export function canonical(world: World): string {
    // The machines are alike, so a world is the same where they change places.
    const [one, two] = [world, { ...world, disks: world.disks.toReversed() }].map(textOf);
    return createHash("sha1")
        .update([one, two].sort()[0] ?? "")
        .digest("base64");
}

function textOf(world: World): string {
    const recent = world.now - 140_000;
    const names = new Map<string, string>();
    const objects = world.objects.map((object) => ({
        ...{
            id: idOf(object),
            marker: markerOf(object),
            title: object.title,
            hidden: (world.hidden[idOf(object)] ?? 0) > world.now,
        },
    }));
    const disks = world.disks.map((disk) =>
        openEntriesIn(Object.values(disk))
            .sort((a, b) => Number(a.startedAt) - Number(b.startedAt))
            .map((entry) => [`${entry.resource}-${entry.nonce}`, entry]),
    );
    const said = world.said.filter((one) => JSON.stringify([objects, disks]).includes(one));
    const lost = Object.entries(world.lost).filter(([nonce]) => objects.some(({ marker }) => marker.endsWith(nonce)));
    const known = JSON.stringify([objects, disks, world.late]);
    const sources = Object.entries(world.sources).filter(([nonce]) => known.includes(nonce));
    const all = [
        world.stacks,
        world.backup,
        attemptsIn(world, known),
        objects,
        disks,
        said,
        lost,
        world.owners,
        world.late,
        world.left,
        sources,
    ];
    return JSON.stringify(all)
        .replace(/\\?"(pid|started)\\?":\d+,?/g, "")
        .replace(/machine \d/g, "")
        .replace(/\b17\d{11}\b/g, (time) => (Number(time) > recent ? "recent" : "past"))
        .replace(random, (one) => {
            if (!names.has(one)) names.set(one, `n${names.size}`);
            return names.get(one) ?? "";
        });
}

/** The random parts that belong to each attempt that never ended: it and they are numbered apart. */
function attemptsIn({ stacks }: Pick<World, "stacks">, known: string): string[][] {
    const nonces = [...known.matchAll(/([0-9a-f]{8})-(?:[0-9a-f]{8}-)?([0-9a-f]{12})\b/g)];
    return stacks.flatMap(({ operations }) =>
        operations.map(({ inputs: { __attempt } }) => {
            const isOf = ([, resource = "", nonce = ""]: string[]) =>
                noncePrefix(String(__attempt), resource) === prefixOf(nonce);
            return [...new Set(nonces.filter(isOf).map(([, , nonce = ""]) => nonce))].sort();
        }),
    );
}

/** Whether the machine's journal has the create open. */
export function isOpen({ disks }: World, machine: number, nonce: string): boolean {
    return openEntriesIn(Object.values(disks[machine] ?? {})).some((entry) => entry.nonce === nonce);
}
