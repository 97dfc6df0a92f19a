/** Every order of runs, faults at each step, and acts of the user within a bound, breadth first; worlds that no create can tell apart are one. */
import { Journal } from "../../provider/dist/evidence/journal.js";
import { memoryFiles } from "../support/memoryFiles.ts";
import { acts, otherToken } from "./acts.ts";
import { type Ran, up } from "./engine.ts";
import type { Fault, How } from "./provider.ts";
import { canonical, copy, idOf, isHeld, newWorld, type Stack, type Start, type World } from "./world.ts";

export interface Bound extends Start {
    runs: number;
    faults: number;
    acts: number;
    /** What the user may do. */
    may: string[];
    machines?: number[];
    /** Nothing strikes but this kill, what leaves a create in doubt, what strikes a POST, or the kill after it was accepted. */
    only?: Fault["kill"] | "doubt" | "sent" | "accepted";
    defect?: string;
}

interface Node {
    world: World;
    trace: string[];
}

/** Follows the bound to its end, or until such a violation shows. */
export async function explore(bound: Bound, until: (kind: string) => boolean = () => false) {
    const started = process.cpuUsage();
    const search = new Search(bound);
    await search.all(until);
    const { states, runs, violations } = search;
    const { user, system } = process.cpuUsage(started);
    return { states: states.size, runs, seconds: (user + system) / 1e6, violations };
}

type Left = World["left"];

class Search {
    /** The worlds that were met, each with the most that was left of the bound. */
    readonly states = new Map<string, Left[]>();
    /** The kinds of violation, each with how often it was met and its shortest trace. */
    readonly violations = new Map<string, { times: number; trace: string[] }>();
    runs = 0;
    readonly #bound: Bound;
    readonly #calm = new Set<string>();
    /** Runs without faults, from a world that is at hand. */
    readonly #plain = new WeakMap<World, Map<string, Ran>>();
    #next: (Node & { mark: string })[] = [];

    constructor(bound: Bound) {
        this.#bound = bound;
    }

    async all(until: (kind: string) => boolean): Promise<void> {
        const { runs, faults, acts: left } = this.#bound;
        this.#add({ world: newWorld(this.#bound, { runs, faults, acts: left }), trace: [] });
        while (this.#next.length > 0) {
            const front = this.#next;
            this.#next = [];
            for (const node of front) {
                if ([...this.violations.keys()].some(until)) return;
                // The same world with more left has all that follows from it.
                if (!this.states.get(node.mark)?.includes(node.world.left)) continue;
                await this.#undisturbed(node);
                await this.#runsOf(node);
                for (const [label, world] of acts(node.world, this.#bound.may))
                    this.#add({ world, trace: [...node.trace, label] });
            }
        }
    }

    #add(node: Node): void {
        const { left } = node.world;
        const mark = canonical(node.world);
        const known = this.states.get(mark) ?? [];
        if (known.some((one) => covers(one, left))) return;
        this.states.set(mark, [...known.filter((one) => !covers(left, one)), left]);
        this.#next.push({ ...node, mark });
    }

    async #runsOf({ world, trace }: Node): Promise<void> {
        if (world.left.runs === 0) return;
        for (const how of ways(world, this.#bound)) await this.#faulty({ world, trace }, how, 0);
    }

    /** The run, and the same with one more fault at each point from this one on. */
    async #faulty(node: Node, how: How, from: number): Promise<void> {
        const ran = await this.#run(node, how);
        if (node.world.left.faults <= Object.keys(how.faults).length) return;
        for (const [at, point] of ran.points.entries()) {
            if (at < from) continue;
            for (const fault of this.#faultsAt(point))
                await this.#faulty(node, { ...how, faults: { ...how.faults, [at]: fault } }, at + 1);
        }
    }

    #faultsAt(point: string): Fault[] {
        const { only, may } = this.#bound;
        if (point === "stack export") return may.includes("silence") ? [{ fate: "silent" }] : [];
        if (only === "sent") return point.startsWith("POST") ? faultsAt(point) : [];
        if (only === "accepted") return point.startsWith("POST") ? [{ fate: "accepted", kill: "both" }] : [];
        const isDoubt = (fault: Fault) => "blind" in fault || (point.startsWith("POST") && fault.kill !== undefined);
        if (only === undefined) return faultsAt(point);
        return faultsAt(point).filter((fault) => (only === "doubt" ? isDoubt(fault) : fault.kill === only));
    }

    async #run(node: Node, how: How): Promise<Ran> {
        const { word } = how;
        const ran = await this.#up(word === undefined ? node.world : asWord(node.world, how.stack, word), how);
        const after = { world: ran.world, trace: [...node.trace, label(how, ran)] };
        for (const kind of ran.violations) this.#tell(kind, after.trace);
        if (ran.isRefused) this.#tell("R refused", after.trace);
        this.#add(after);
        return ran;
    }

    async #up(world: World, how: How): Promise<Ran> {
        const plain = this.#plain.get(world) ?? new Map<string, Ran>();
        this.#plain.set(world, plain);
        const name = Object.keys(how.faults).length === 0 ? JSON.stringify(how) : undefined;
        const known = name && plain.get(name);
        if (known) return known;
        this.runs++;
        const ran = await up(world, how);
        // Only who answers a refusal asks what it was.
        if (!this.#bound.may.includes("word")) for (const stack of ran.world.stacks) stack.refusal = "";
        if (name) plain.set(name, ran);
        return ran;
    }

    #tell(kind: string, trace: string[]): void {
        const had = this.violations.get(kind);
        if (had) had.times++;
        else this.violations.set(kind, { times: 1, trace });
    }

    #noEnd(error: string, trace: string[]): void {
        this.#tell(`L no end: ${error.replace(/[0-9a-f-]{12,36}/g, "…").slice(0, 80)}`, trace);
    }

    /** Liveness: runs without faults reach one object each and an empty difference, or a refusal whose way out works. */
    async #undisturbed(node: Node, word: Word = {}, path: string[] = [], error = ""): Promise<void> {
        const mark = `${canonical(node.world, word.machine)} ${word.name}`;
        if (path.includes(mark) || path.length > 6) return this.#noEnd(error, node.trace);
        if (this.#calm.has(mark)) return;
        this.#calm.add(mark);
        for (const how of ways(node.world, { ...this.#bound, may: [] })) {
            if (word.unrecorded && (word.stack !== how.stack || word.machine !== how.machine)) continue;
            const answered = { ...how, ...word, word };
            const ran = await this.#up(node.world, answered);
            const trace = [...node.trace, `undisturbed ${label(answered, ran)}`];
            for (const kind of ran.violations) this.#tell(kind, trace);
            if (ran.isGood && ran.requests === 0) continue;
            // The program names an object that is gone, one object twice, or one that another stack has adopted.
            if (/importId: .* does not exist|VG2023|VG6010/.test(ran.error) || namesGone(ran.world)) continue;
            if (ran.isRefused) this.#tell("R refused", trace);
            if (ran.isRefused) await this.#again(ran.world, how, trace);
            const ways = await waysOut(ran, answered);
            if (ran.isRefused && ways.length === 0) this.#noEnd(ran.error, trace);
            for (const [after, next] of ways)
                await this.#undisturbed({ world: after, trace }, next, [...path, mark], ran.error);
        }
    }

    /** The user does nothing about a refusal: a later run must not do what it has kept the first one from. */
    async #again(world: World, how: How, trace: string[]): Promise<void> {
        const ran = await this.#up(world, how);
        const all = [...trace, `again ${label(how, ran)}`];
        for (const kind of ran.violations) this.#tell(kind, all);
    }
}

/** The program adopts what is not there any more. */
function namesGone({ stacks, objects }: World): boolean {
    const sources = stacks.flatMap(({ program }) => Object.values(program)).filter((one) => one.startsWith("import "));
    return sources.some((source) =>
        source.match(/[0-9a-f-]{36}/g)?.some((id) => !objects.some((one) => idOf(one) === id)),
    );
}

const covers = (one: Left, other: Left): boolean =>
    one.runs >= other.runs && one.faults >= other.faults && one.acts >= other.acts;

/** What the user does after a run without faults that has changed or refused something: each must lead to a quiet end. */
async function waysOut(ran: Ran, { stack, machine, word }: How): Promise<[World, Word][]> {
    const credentials = /VG3018|VG6101/.test(ran.error) ? await asCredentials(ran, stack) : [];
    const others = credentials.map((world): [World, Word] => [world, {}]);
    if (/VG6101/.test(ran.error)) return others;
    if (ran.isRefused) {
        const given = words(ran, word).filter((one) => !isTaken(ran.world, stack, one));
        const answers = given.map((one): [World, Word] => [asWord(ran.world, stack, one), { ...one, stack, machine }]);
        return [...others, ...answers];
    }
    if (ran.error === "protected") {
        // What the refresh has asked about, the user names for it.
        const [, id] = /VIDEOGRAPH_UNRECORDED=(\S+) pulumi refresh/.exec(ran.said) ?? [];
        if (id === undefined) return [...others, [ran.world, { name: "refresh", refresh: true }]];
        const answer: Word = { name: "adopt", unrecorded: id, refresh: true, stack, machine };
        return [...others, [asWord(ran.world, stack, answer), answer]];
    }
    if (/Remove importId/.test(ran.error)) return [...others, [withoutImports(ran.world), {}]];
    return [...others, [ran.world, {}]];
}

/** What the user does after a refusal. */
export interface Word {
    /** Where the refusal was: on another machine the same create may know of another object, or of none. */
    stack?: number;
    machine?: number;
    name?: string;
    unrecorded?: string;
    leftAlone?: string[];
    /** The objects that a word for all of a resource adopts. */
    adopts?: string[];
    refresh?: boolean;
}

/** Every way out that a refusal names. A further refusal may follow the first answer, for other objects: the answers add up. */
function words({ error }: Pick<Ran, "error">, { name, unrecorded = "", leftAlone: before = [] }: Word = {}): Word[] {
    // A library has a refusal for each of its contents, and a word for all.
    const lists = [...error.matchAll(/VIDEOGRAPH_UNRECORDED=([^ ]+)/g)].map(([, ids = ""]) => ids);
    const wordOf = (form: RegExp) => {
        const meant = lists.filter((list) => form.test(list));
        return meant.find((list) => list.includes("all:")) ?? [...new Set(meant)].join();
    };
    const leave = wordOf(/^-/);
    const adopt = wordOf(/^(?!-|create)/);
    const leftAlone = error.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    if (unrecorded !== "") {
        const more = { create: "", leave, adopt }[name ?? ""] ?? "";
        const all = [...new Set(`${unrecorded},${more}`.split(",").filter(Boolean))].join();
        if (all === unrecorded) return [];
        return [{ name: name ?? "", unrecorded: all, leftAlone: [...before, ...leftAlone] }];
    }
    const create: Word = { name: "create", unrecorded: "create", leftAlone };
    const adopting: Word = { name: "adopt", unrecorded: adopt, adopts: leftAlone };
    if (leave === "") return [adopt === "" ? create : adopting];
    if (adopt === "") return [create];
    return [create, { name: "leave", unrecorded: leave, leftAlone }, adopting];
}

/** The user knows the object that the search could not show. */
function named(world: World, { refusal }: Stack): Word[] {
    const id = world.objects.map(idOf).find((one) => !isHeld(world, one));
    return id === undefined || !refusal.includes("VG3024") ? [] : [{ name: "adopt", unrecorded: id }];
}

/** What another stack has, the user releases there first. */
function isTaken({ stacks }: World, index: number, word: Word): boolean {
    const others = stacks.filter((_, at) => at !== index);
    return adoptedBy(word).some((id) => isHeld({ stacks: others }, id));
}

/** An object that the user names for a stack is that stack's. */
function asWord(world: World, index: number, word: Word): World {
    const after = copy(world);
    const { uid = null } = after.stacks[index] ?? {};
    for (const id of adoptedBy(word)) after.owners[id] = uid;
    return after;
}

function adoptedBy({ name, unrecorded = "", adopts = [] }: Word): string[] {
    if (name !== "adopt") return [];
    return unrecorded.includes("all:") ? adopts : unrecorded.split(",");
}

/** After a refusal for the credentials: the other ones, and where an entry is named, what `forget` leaves. */
async function asCredentials({ world, error }: Ran, index: number): Promise<World[]> {
    const [, nonces] = /forget ([0-9a-f ]+)/.exec(error) ?? [];
    const [other, forgotten] = [copy(world), copy(world)];
    const stack = other.stacks[index] as Stack;
    stack.token = otherToken(stack);
    for (const disk of forgotten.disks) {
        const files = new Map(Object.entries(disk));
        const processes = { self: { pid: -1, host: "" }, isAlive: () => false };
        const journal = new Journal({ folder: "/journal", files: memoryFiles(files), processes });
        const entries = (await journal.entries()).filter(({ nonce }) => nonces?.includes(nonce));
        await journal.forget(entries.map(({ nonce }) => nonce));
        for (const path of Object.keys(disk)) delete disk[path];
        Object.assign(disk, Object.fromEntries(files));
    }
    // What was recorded since with the credentials in use stands against the other ones.
    const isPossible = /VG6101/.test(error) || !stack.rows.some(({ id }) => !id.startsWith("unconfirmed-"));
    return [...(isPossible ? [other] : []), ...(nonces === undefined ? [] : [forgotten])];
}

/** The user declares the source again. */
function withoutImports(world: World): World {
    for (const { program } of world.stacks)
        for (const [name, source] of Object.entries(program)) if (source.startsWith("import ")) program[name] = "a";
    return world;
}

/** How the next run may be started. */
function ways(world: World, { machines: all = [0, 1], may, defect }: Bound): How[] {
    // As long as nothing is on their disks, they are alike.
    const machines = world.disks.some((disk) => Object.keys(disk).length > 0) ? all : all.slice(0, 1);
    return world.stacks.flatMap((stack, index) =>
        machines.flatMap((machine): How[] => {
            const how: How = { stack: index, machine, faults: {}, defect };
            const more: How[] = [how];
            if (may.includes("replace") && stack.rows.length > 0) more.push({ ...how, replace: true });
            if (may.includes("refresh") && stack.rows.length > 0) more.push({ ...how, refresh: true });
            if (may.includes("blind")) more.push({ ...how, blind: true });
            if (may.includes("destroy run") && stack.rows.length > 0) more.push({ ...how, destroy: true });
            if (may.includes("unreadable")) more.push({ ...how, unreadable: true });
            if (may.includes("skip")) more.push({ ...how, skip: true });
            if (may.includes("word") && stack.refusal.includes("VIDEOGRAPH_UNRECORDED"))
                for (const word of [...words({ error: stack.refusal }), ...named(world, stack)])
                    more.push(...[...more].filter((one) => !one.unrecorded).map((one) => ({ ...one, ...word, word })));
            return more;
        }),
    );
}

function faultsAt(point: string): Fault[] {
    const kills: Fault[] = [
        { fate: "none", kill: "both" },
        { fate: "none", kill: "provider" },
    ];
    if (point.startsWith("GET")) return [];
    if (point.startsWith("the engine")) return kills.slice(0, 1);
    const interrupts = (["once", "twice"] as const).map((kill): Fault => ({ fate: "none", kill }));
    if (point.startsWith("journal")) return [...kills, ...interrupts];
    if (!point.startsWith("POST")) return [...kills, { fate: "accepted", kill: "both" }];
    const fates = ["accepted", "hidden", "late"] as const;
    return [
        ...kills,
        { fate: "lost" },
        ...(["lost", "accepted"] as const).flatMap((fate): Fault[] => [
            { fate, kill: "once" },
            { fate, blind: true },
        ]),
        ...fates.flatMap((fate): Fault[] => [{ fate }, { fate, kill: "both" }, { fate, kill: "provider" }]),
    ];
}

function label(
    { stack, machine, faults, replace, refresh, destroy, blind, unreadable, skip, word }: How,
    { points, error, isGood }: Ran,
): string {
    const flags = [
        ...[destroy && "destroy", replace && "--replace", refresh && "--refresh", blind && "searches fail", word?.name],
        ...[unreadable && "state unreadable", skip && "no checkpoints"],
    ].filter(Boolean);
    const what = Object.entries(faults).map(([at, fault]) => {
        const parts = [fault.fate, "blind" in fault && "lists unreadable", fault.kill && `kill ${fault.kill}`];
        return `${points[Number(at)]}: ${parts.filter(Boolean).join(", ")}`;
    });
    const end = isGood ? "ends well" : error.slice(0, 160);
    return `up of stack ${stack} on machine ${machine} ${flags.join(" ")} {${what.join("; ")}} ${end}`;
}
