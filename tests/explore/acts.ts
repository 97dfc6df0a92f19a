/** Between runs: what the user does to the stack, in the program or in the state. */
import { fingerprintOf } from "../../provider/dist/api/client.js";
import { recordedEntriesOf } from "../../provider/dist/evidence/library.js";
import { address } from "../support/session.ts";
import type { Row, Stack, World } from "./world.ts";
import { copy, idOf, idsOf, isEntry, isHeld, key, keys, markerOf, newStack, tokens, unmarkedIn } from "./world.ts";

type Act = (world: World, stack: Stack) => unknown;

/** Also that of an unconfirmed record, which nobody knows. */
function objectsOf(world: World, row: Row): string[] {
    const nonces = idsOf(row).flatMap((id) => /^unconfirmed-(.*)$/.exec(id)?.[1] ?? []);
    const found = world.objects.filter((object) => nonces.includes(markerOf(object).slice(-12))).map(idOf);
    return [...idsOf(row), ...found];
}

interface Possible {
    when?(world: World): boolean;
    act: Act;
}

/** By name; what comes before a colon is the name of a group. */
const all: Record<string, Possible> = {
    source: {
        act: (_, stack) => {
            for (const name of Object.keys(stack.program))
                stack.program[name] = stack.program[name] === "a" ? "b" : "a";
        },
    },
    /** Another title in the program: of the second entry, or of the content. */
    retitle: {
        act: (_, stack) => {
            const name = isLibrary(stack) ? "two" : "main";
            stack.titles = stack.titles[name] === undefined ? { [name]: `${name}, retitled` } : {};
        },
    },
    tag: {
        // Also in the program of the stack that has taken an object over.
        act: ({ stacks }) => {
            for (const one of stacks) one.tags = one.tags.length === 0 ? ["new"] : [];
        },
    },
    /** Somebody retitles what is there in the dashboard. */
    edit: {
        when: ({ objects, edited }) => objects.some((object) => !edited.includes(idOf(object))),
        act: (world) => {
            for (const object of world.objects.filter((one) => !world.edited.includes(idOf(one)))) {
                object.title = `edited ${object.title}`;
                world.edited.push(idOf(object));
                // The list of a library's update is read whatever the titles; the search for one content goes by them.
                const nonce = markerOf(object).slice(-12);
                if (!isEntry(object)) world.lost[nonce] = [world.lost[nonce], "retitled"].filter(Boolean).join(", ");
            }
        },
    },
    addKey: {
        when: ({ stacks: [stack] }) => stack?.keys.length !== keys.length,
        act: (_, stack) => stack.keys.push(keys.find((one) => !stack.keys.includes(one)) ?? ""),
    },
    dropKey: {
        when: ({ stacks: [stack] }) => (stack?.keys.length ?? 0) > 1,
        act: (_, stack) => stack.keys.pop(),
    },
    /** The nightly job. */
    night: {
        when: ({ processes }) => processes > 0,
        act: (world) => Object.assign(world, { now: world.now + 24 * hourMs }),
    },
    "clocks: the service's is behind": clock("service", -5),
    "clocks: the service's is ahead": clock("service", 5),
    "clocks: machine 0's is ahead": clock(0, 3),
    "clocks: machine 0's is behind": clock(0, -3),
    "clocks: machine 1's is ahead": clock(1, 3),
    "clocks: machine 1's is behind": clock(1, -3),
    /** From now on. */
    "silent: the state cannot be read on machine 0": silent(0),
    "silent: the state cannot be read on machine 1": silent(1),
    /** The program has the native types, with their alias; or the dynamic ones again, with an `importId` for each object. */
    face: {
        act: (world, stack) => {
            stack.face = stack.face === "native" ? "dynamic" : "native";
            // What the native types have made is declared again as it was.
            if (stack.face === "native")
                for (const row of stack.rows.filter(({ face }) => face === "native")) stack.program[key(row)] = "a";
            const left = stack.face === "native" ? [] : stack.rows.filter(({ face }) => face === "native");
            for (const row of left) {
                const ids = row.kind === "ContentLibrary" ? recordedEntriesOf(row.outputs) : [["", row.id]];
                const real = ids.filter(([, id = ""]) => isReal(id)).map(([name, id]) => (name ? `${name}=${id}` : id));
                loseEntries(world, "the other face");
                if (real.length > 0) stack.program[key(row)] = `import ${real.join()}`;
            }
        },
    },
    release: {
        when: ({ stacks: [stack] }) => stack?.rows.length !== 0,
        act: (world, stack) => {
            for (const id of stack.rows.flatMap((row) => objectsOf(world, row))) world.owners[id] = null;
            loseEntries(world, "a released library");
            stack.rows = [];
        },
    },
    move: {
        when: ({ stacks }) => stacks.length === 1 && stacks[0]?.rows.length !== 0,
        act: (world, stack) => {
            const program = Object.fromEntries(stack.rows.map((row) => [key(row), stack.program[key(row)] ?? "a"]));
            for (const id of stack.rows.flatMap((row) => objectsOf(world, row))) world.owners[id] = 1;
            const { rows } = stack;
            const birth = "2026-01-01T00:00:00.5Z";
            world.stacks.push({ ...newStack(1, "dev", program), project: "other", birth, rows });
            stack.rows = [];
        },
    },
    rename: {
        when: ({ stacks: [stack] }) => stack?.stack === "dev",
        act: (_, stack) => Object.assign(stack, { stack: "renamed" }),
    },
    namesake: {
        when: ({ stacks }) => stacks.length === 1,
        act: (world, stack) => world.stacks.push(newStack(1, "dev", { ...stack.program })),
    },
    /** On another machine: no entry is closed. */
    destroy: {
        when: ({ stacks: [stack] }) => stack?.rows.length !== 0,
        act: (world, stack) => {
            const ids = [...stack.rows, ...stack.olds].flatMap((row) => objectsOf(world, row));
            world.objects = world.objects.filter((object) => !ids.includes(idOf(object)));
            Object.assign(stack, { rows: [], olds: [], birth: null, refusal: "" });
        },
    },
    backup: {
        when: ({ backup }) => backup === null,
        act: (world, stack) => Object.assign(world, { backup: copy(stack) }),
    },
    restore: {
        when: ({ backup }) => backup !== null,
        act: (world, stack) => {
            const { rows, olds, operations, birth } = world.backup as Stack;
            const there = world.objects.map(idOf);
            const isGone = (id: string) => isReal(id) && !there.includes(id);
            // A library that lacks one of its objects is restored all the same.
            const isThere = (row: Row) => row.kind === "ContentLibrary" || !idsOf(row).some(isGone);
            world.edited.push(...[...rows, ...olds].flatMap(idsOf).filter(isGone));
            const kept = [...rows, ...olds].flatMap((row) => objectsOf(world, row));
            // The copy names a create of the resource, or has its library.
            const known = [...operations, ...rows.filter(isUnfinished)].map(({ name }) => name);
            const recorded = [...stack.rows, ...stack.olds].flatMap((row) => objectsOf(world, row));
            for (const object of world.objects) {
                const id = idOf(object);
                if (world.owners[id] !== stack.uid || kept.includes(id)) continue;
                if (recorded.includes(id)) world.owners[id] = null;
                const [, name = ""] = /^pulumi:[^/]*\/[^/]*\/(\w+)/.exec(markerOf(object)) ?? [];
                if (birth !== stack.birth || !known.includes(name))
                    world.lost[markerOf(object).slice(-12)] ||= "an older state";
                else if (recorded.includes(id)) world.forgotten.push(id);
            }
            if (stack.operations.length > operations.length) world.cleared = true;
            Object.assign(stack, { operations, birth, refusal: "" });
            Object.assign(stack, { rows: rows.filter(isThere), olds: olds.filter(isThere) });
            world.backup = null;
        },
    },
    clear: {
        when: ({ stacks: [stack] }) => stack?.operations.length !== 0,
        act: (world, stack) => {
            stack.operations = [];
            world.cleared = true;
        },
    },
    /** The variables hold the token of another environment, or the own one again. */
    rotate: {
        act: (_, stack) => Object.assign(stack, { token: otherToken(stack) }),
    },
    /** One more video. */
    add: {
        when: ({ stacks: [stack] }) => stack?.program["Content/more"] === undefined,
        act: (_, stack) => Object.assign(stack.program, { "Content/more": "a" }),
    },
    /** Somebody makes a content without a marker, such as the one of a create of this stack may have lost. */
    upload: {
        when: (world) => world.objects.length > 0 && unmarkedIn(world) === undefined,
        act: (world, stack) => {
            const id = "00000000-0000-4000-8000-000000000000";
            const [first] = copy(world.objects) as [World["objects"][number]];
            world.objects.push({ ...first, contentId: id, metadata: [] });
            world.owners[id] = stack.uid;
            world.said.push(id);
        },
    },
    /** The program takes over what no state has. Two contents take the same, and the user names it for the run as well. */
    importId: {
        when: canTake,
        act: (world, stack) => {
            const id = freeContent(world) ?? "";
            world.owners[id] = stack.uid;
            const names = Object.keys(stack.program);
            for (const name of names) stack.program[name] = `import ${id}`;
            if (names.length > 1) stack.adopts = id;
        },
    },
    /** `pulumi import`, which writes nothing to the service. */
    import: {
        when: (world) => canTake(world) && world.stacks[0]?.rows.length === 0,
        act: (world, stack) => {
            const id = freeContent(world) ?? "";
            world.owners[id] = stack.uid;
            const object = world.objects.find((one) => idOf(one) === id);
            const fingerprint = fingerprintOf(address, stack.token);
            const __meta = { v: 1, fingerprint, mark: object && markerOf(object), imported: true };
            const outputs = { title: object?.title, status: "Ready", __meta };
            stack.rows.push({
                face: stack.face,
                kind: "Content",
                name: "main",
                id,
                inputs: { title: object?.title },
                outputs,
            });
        },
    },
    /** Another stack takes the video over: its user names it. */
    handOver: {
        when: ({ stacks }) =>
            stacks.length === 1 && stacks[0]?.rows.some(({ id, kind }) => kind === "Content" && isReal(id)) === true,
        act: (world, stack) => {
            const { id = "" } = stack.rows.find((row) => row.kind === "Content" && isReal(row.id)) ?? {};
            world.owners[id] = 1;
            const other = newStack(1, "dev", { "Content/main": `import ${id}` });
            world.stacks.push({ ...other, project: "other", adopts: id });
        },
    },
    protect: {
        when: ({ stacks: [stack] }) => stack?.protect === false,
        act: (_, stack) => Object.assign(stack, { protect: true }),
    },
};

/** A new library has no record of what an update of the old one was about to make. */
function loseEntries(world: World, why: string): void {
    for (const object of world.objects.filter((one) => isEntry(one) && !isHeld(world, idOf(one)))) {
        const nonce = markerOf(object).slice(-12);
        world.lost[nonce] = [world.lost[nonce], why].filter(Boolean).join(", ");
    }
}

const hourMs = 3_600_000;

function clock(whose: "service" | number, hours: number): Possible {
    const of = ({ skew }: World) => (whose === "service" ? skew.service : skew.machines[whose]);
    return {
        // Before the first run: a clock that is set while a service works is another matter.
        when: (world) => of(world) === 0 && world.processes === 0,
        act: ({ skew }) => {
            if (whose === "service") skew.service = hours * hourMs;
            else skew.machines[whose] = hours * hourMs;
        },
    };
}

function silent(machine: number): Possible {
    return { when: (world) => !world.silent.includes(machine), act: (world) => world.silent.push(machine) };
}

const isLibrary = ({ program }: Stack): boolean =>
    Object.keys(program).some((name) => name.startsWith("ContentLibrary"));

const isUnfinished = ({ kind, id }: Row): boolean => kind === "ContentLibrary" || !isReal(id);

export const otherToken = ({ token }: Stack): string => tokens.find((one) => one !== token) ?? token;

const isReal = (id: string) => !id.startsWith("unconfirmed-");

/** The first content that no state has. */
function freeContent(world: World): string | undefined {
    return world.objects
        .filter((object) => "contentId" in object)
        .map(idOf)
        .find((id) => !isHeld(world, id));
}

/** The resource has no object yet. */
function canTake(world: World): boolean {
    return freeContent(world) !== undefined && !world.stacks[0]?.rows.some(({ id }) => isReal(id));
}

export function acts(world: World, may: string[]): [string, World][] {
    if (world.left.acts === 0) return [];
    return Object.entries(all).flatMap(([name, { when, act }]): [string, World][] => {
        if (!may.includes(name.split(":")[0] ?? "") || when?.(world) === false) return [];
        const after = copy(world);
        after.left.acts--;
        act(after, after.stacks[0] as Stack);
        return [[`user: ${name}`, after]];
    });
}
