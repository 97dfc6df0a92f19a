/** The steps of one run, with what can go wrong at each. */
import { decide } from "./decide.ts";
import type { Design } from "./design.ts";
import type { Entry, Flight, Marker, Row, Run, Stack, Thing, World } from "./world.ts";
import { birthOf, byNonce, close, copy, holders, isOf, name, rowsOf, thing, Violation } from "./world.ts";

export type Moves = [label: string, world: World, violation?: Violation][];

export interface Options {
    acts: string[];
    machines: number[];
    /** No faults: what undisturbed runs do. */
    calm?: boolean;
    /** What was sent may be accepted after every wait. */
    beyondBound?: boolean;
}

interface Step {
    world: World;
    run: Run;
    stack: Stack;
}

/** Collects what may happen next; each change is made to a copy. */
export class Choices {
    readonly moves: Moves = [];
    readonly #world: World;
    readonly #calm: boolean | undefined;

    constructor(world: World, calm: boolean | undefined) {
        this.#world = world;
        this.#calm = calm;
    }

    go(label: string, change: (step: Step) => void): void {
        const world = copy(this.#world);
        const run = world.run as Run;
        try {
            change({ world, run, stack: world.stacks[run?.stack ?? 0] as Stack });
            this.moves.push([label, world]);
        } catch (error) {
            if (!(error instanceof Violation)) throw error;
            this.moves.push([label, world, error]);
        }
    }

    fault(label: string, change: (step: Step) => void): void {
        if (this.#calm || this.#world.left.faults === 0) return;
        this.go(`FAULT ${label}`, (step) => {
            step.world.left.faults--;
            step.run.clean = false;
            change(step);
        });
    }

    kills(when: string): void {
        this.fault(`kill of engine and provider ${when}`, ({ world }) => die(world));
        this.fault(`kill of the provider ${when}`, ({ world }) => dieAlone(world));
    }
}

function forgetProcess(world: World): void {
    for (const entry of world.journals.flat()) entry.repeats = false;
}

/** The engine ends in order: a create's own operation goes. */
function finish(world: World, failed: boolean): void {
    const run = world.run as Run;
    const stack = world.stacks[run.stack] as Stack;
    forgetProcess(world);
    if (stack.birth === 0) stack.birth = ++world.births;
    if (failed && run.operation) ended(stack, run);
    world.run = null;
}

function ended(stack: Stack, { attempt }: Run): void {
    stack.operations = stack.operations.filter((one) => one !== attempt);
}

/** The provider is gone, and the engine ends in order. */
function dieAlone(world: World): void {
    const nonce = world.run?.nonce;
    for (const one of [...world.things, ...world.flights.map((each) => each.thing)])
        if (one.nonce === nonce) one.alone = true;
    finish(world, true);
}

/** The engine is gone: what was not written is not there. */
function die(world: World): void {
    const run = world.run as Run;
    forgetProcess(world);
    if (run.before) Object.assign(world.stacks[run.stack] as Stack, run.before);
    world.run = null;
}

export function begin(world: World, index: number, machine: number, how: How): void {
    const stack = world.stacks[index] as Stack;
    world.left.runs--;
    stack.refused = [];
    // With PULUMI_SKIP_CHECKPOINTS nothing is written before the end: a first run has no birth, and no create an operation.
    const { row, olds, operations, birth } = copy(stack);
    const before = how.skip ? { row, olds, operations, birth } : null;
    if (!how.skip && stack.birth === 0) stack.birth = ++world.births;
    const creates = !row || row.marker.source !== stack.source || how.replace === true;
    if (row && !how.replace) close(world, machine, (entry) => isOf(entry, row));
    world.run = {
        ...{ stack: index, machine, at: creates ? "begin" : "delete", how, birth: stack.birth },
        ...{ lost: how.unreadable ? null : unsettled(stack), settled: how.unreadable ? [] : settledIn(stack) },
        operation: creates && !how.skip,
        attempt: creates ? 100 + world.next++ : 0,
        ...{ nonce: 0, id: 0, tries: 0, waited: false, clean: true, before },
    };
    if (world.run.operation) stack.operations.push(world.run.attempt);
}

/** The attempts that never ended, and that no recorded create has taken care of. */
function unsettled(stack: Stack): number[] {
    const settled = settledIn(stack);
    return stack.operations.filter((one) => !settled.includes(one));
}

/** The others: the next record names them again. */
function settledIn(stack: Stack): number[] {
    const settled = rowsOf(stack).flatMap((row) => row.settled);
    return stack.operations.filter((one) => settled.includes(one));
}

type How = Run["how"];

export function steps(design: Design, world: World, options: Options): Moves {
    const choices = new Choices(world, options.calm);
    const run = world.run as Run;
    const room: Record<Run["at"], () => void> = {
        begin: () => opens(choices),
        look: () => looks(design, choices, world),
        wait: () =>
            choices.moves.push(...waits(world, options, ({ run }) => Object.assign(run, { waited: true, at: "look" }))),
        post: () => posts(choices),
        unsure: () => unsure(choices, world, options),
        put: () => puts(choices, world),
        answer: () => answers(choices),
        told: () => records(choices),
        delete: () => ends(choices, world),
    };
    if (run.at === "wait") choices.kills("while it waits");
    room[run.at]();
    if (!options.calm) environment(choices, world);
    return choices.moves;
}

export function environment(choices: Choices, world: World): void {
    for (const [index, { put, thing: one }] of world.flights.entries())
        choices.go(`#${one.id} is ${put ? "changed" : "accepted"} late`, ({ world }) =>
            land(world, world.flights.splice(index, 1)[0]),
        );
    for (const { id, hidden } of world.things)
        if (hidden)
            choices.go(`the list shows #${id}`, ({ world }) =>
                Object.assign(thing(world, id) as Thing, { hidden: false }),
            );
}

function land(world: World, flight: Flight | undefined): void {
    if (!flight) return;
    const { nonce, attempt, lineage } = flight.thing;
    if (!flight.put) world.things.push(flight.thing);
    else Object.assign(thing(world, flight.thing.id) ?? {}, { nonce, attempt, lineage, late: true });
}

/** Time passes: what was sent is accepted now or never, and every list shows everything. */
function waits(world: World, options: Options, then: (step: Step) => void): Moves {
    return Array.from({ length: 1 << world.flights.length }, (_, mask) => {
        const after = copy(world);
        for (const one of after.things) one.hidden = false;
        const late = after.flights.filter((_, index) => (mask >> index) & 1);
        after.flights = options.beyondBound ? after.flights.filter((one) => !late.includes(one)) : [];
        for (const flight of late) land(after, flight);
        const run = after.run as Run;
        then({ world: after, run, stack: after.stacks[run.stack] as Stack });
        return [["waits", ...late.map((one) => `#${one.thing.id} arrives late`)].join(", "), after];
    });
}

const own = ({ world, run }: Step): Entry =>
    world.journals[run.machine]?.find((one) => one.nonce === run.nonce) as Entry;
const markerOf = (run: Run, stack: Stack): Marker => ({
    ...{ nonce: run.nonce, attempt: run.attempt, lineage: birthOf(run) },
    source: stack.source,
});

/** The entry is written first of all. */
function opens(choices: Choices): void {
    choices.kills("before the entry is written");
    choices.go("writes its entry", ({ world, run, stack }) => {
        run.nonce = 100 + world.next++;
        const entry = {
            urn: stack.urn,
            told: false,
            sent: false,
            id: 0,
            adopts: 0,
            repeats: false,
            credentials: world.credentials,
        };
        world.journals[run.machine]?.push({ ...markerOf(run, stack), ...entry });
        run.at = "look";
    });
}

function looks(design: Design, choices: Choices, world: World): void {
    const { act, row, target, closes, names } = decide(world);
    choices.kills("before anything is sent");
    choices.go(`${row}: ${act}${target ? ` #${target.id}` : ""}${names.length ? ` (${names})` : ""}`, (step) => {
        const { run, stack } = step;
        const closed = (entry: Entry) => closes.includes(entry.nonce);
        close(step.world, run.machine, closed);
        if (act !== "wait") name(step.world, ...names);
        if (act === "post" || act === "wait") run.at = act;
        if (act === "post") run.settled = [...run.settled, ...(run.lost ?? [])];
        if (act === "delete") removes(step, target as Thing, row);
        if (act === "adopt") adopts(design, step, target as Thing, row);
        if (act !== "refuse") return;
        if (names.length === 0) throw new Violation("L a refusal that names nothing");
        name(step.world, ...names);
        stack.refused = names.filter((one) => one < 100);
        if (stack.refused.length === 0) stack.refused = [0];
        close(step.world, run.machine, (one) => one.nonce === run.nonce);
        finish(step.world, true);
    });
}

function removes(step: Step, target: Thing, row: string): void {
    mustBeOwn(step, target, "deletes", row);
    step.world.things = step.world.things.filter((one) => one.id !== target.id);
    close(step.world, step.run.machine, (entry) => entry.nonce === target.nonce);
}

/** The adopted object gets the marker of this create by a PUT, or keeps its own with its entry. */
function adopts(design: Design, step: Step, target: Thing, row: string): void {
    const { world, run, stack } = step;
    mustBeOwn(step, target, "adopts", row);
    run.id = target.id;
    const journal = world.journals[run.machine] ?? [];
    const its = journal.filter((one) => one.nonce === target.nonce || one.id === target.id);
    // Others may still be accepted.
    const known = [target, ...its].map(({ attempt }) => attempt);
    run.settled = [...run.settled, ...(run.lost ?? []).filter((one) => known.includes(one))];
    const entry = journal.find((one) => one.nonce === target.nonce);
    const remark = design.remarksAll || !entry || entry.told;
    if (remark) {
        Object.assign(own(step), {
            ...markerOf(run, stack),
            sent: true,
            id: design.notesFirst ? target.id : 0,
            adopts: design.notesFirst ? target.nonce : 0,
        });
        run.at = "put";
        return;
    }
    close(world, run.machine, (one) => one.nonce === run.nonce);
    run.nonce = target.nonce;
    own(step).id = target.id;
    run.at = "answer";
}

/** What may be adopted, or deleted without having been handed over by the engine. */
function mustBeOwn({ world, stack }: Step, target: Thing, what: string, row: string): void {
    const others = holders(world, target.id).filter((one) => one !== stack);
    const why =
        target.own !== stack.uid
            ? "another stack's"
            : target.released
              ? `released${target.late ? ", under the marker of a late PUT" : ""}`
              : others.length
                ? "recorded elsewhere"
                : "";
    if (why) throw new Violation(`S1 ${row} ${what} an object that is ${why}`);
    if (holders(world, target.id).length)
        throw new Violation(`S1 ${row} ${what} an object that is recorded in this state`);
}

function posts(choices: Choices): void {
    const send = (fate: string) => (step: Step) => {
        const { world, run, stack } = step;
        // A second POST sends the same marker: it is the same create.
        const sent: Thing = {
            ...markerOf(run, stack),
            id: world.next++,
            own: stack.uid,
            released: false,
            alone: false,
            hidden: fate === "hidden",
            late: false,
        };
        own(step).sent = true;
        if (fate === "accepted" || fate === "hidden") world.things.push(sent);
        if (fate === "late") world.flights.push({ thing: sent, put: false });
        Object.assign(run, { id: sent.id, tries: run.tries + 1 });
    };
    const then = (fate: string, next: (step: Step) => void) => (step: Step) => {
        send(fate)(step);
        next(step);
    };
    const answered = ({ run }: Step) => Object.assign(run, { at: "answer" });
    choices.go("POST is accepted", then("accepted", answered));
    choices.fault("POST is answered, the list hides it", then("hidden", answered));
    for (const fate of ["accepted", "hidden", "late", "lost"]) {
        choices.fault(
            `POST ${fate}, no answer`,
            then(fate, ({ run }) => Object.assign(run, { at: "unsure" })),
        );
        choices.fault(
            `POST ${fate}, kill of engine and provider`,
            then(fate, ({ world }) => die(world)),
        );
        choices.fault(
            `POST ${fate}, kill of the provider`,
            then(fate, ({ world }) => dieAlone(world)),
        );
    }
}

/** The driver looks for the marker of its own POST. */
function unsure(choices: Choices, world: World, options: Options): void {
    choices.kills("while it is unsure");
    choices.fault("the create fails, and the engine repeats it", (step) => {
        own(step).repeats = true;
        Object.assign(step.run, { at: "begin", nonce: 0, tries: 0, waited: false });
    });
    const settle = (last: boolean) => (step: Step) => {
        const found = step.world.things.find((one) => one.nonce === step.run.nonce && !one.hidden);
        if (found) Object.assign(step.run, { at: "answer", id: found.id });
        else if (last && step.run.tries < 2) step.run.at = "post";
        else if (last) finish(step.world, true);
    };
    if (world.things.some((one) => one.nonce === world.run?.nonce && !one.hidden))
        choices.go("finds its own marker", settle(false));
    else choices.moves.push(...waits(world, options, settle(true)));
}

function puts(choices: Choices, world: World): void {
    const { nonce, source } = markerOf(world.run as Run, world.stacks[world.run?.stack ?? 0] as Stack);
    const marked = (step: Step): Thing => ({
        ...(thing(step.world, step.run.id) as Thing),
        ...markerOf(step.run, step.stack),
        nonce,
        source,
        late: false,
    });
    const change = (step: Step) => {
        const old = thing(step.world, step.run.id) as Thing;
        const before = old.nonce;
        Object.assign(old, marked(step), { hidden: old.hidden });
        own(step).id = old.id;
        close(
            step.world,
            step.run.machine,
            (one) => one.nonce === before || (one.id === old.id && one.nonce !== step.run.nonce),
        );
        step.run.at = "answer";
    };
    choices.kills("before the PUT");
    choices.fault("PUT is late, kill of engine and provider", (step) => {
        step.world.flights.push({ thing: marked(step), put: true });
        die(step.world);
    });
    choices.fault("PUT is done, kill of engine and provider", (step) => {
        Object.assign(thing(step.world, step.run.id) as Thing, marked(step));
        die(step.world);
    });
    choices.go(`PUT writes the new marker of #${(world.run as Run).id}`, change);
}

const tell = (step: Step) => Object.assign(own(step) ?? {}, { told: true });

function record({ world, run, stack }: Step): void {
    if (stack.row) stack.olds.push(stack.row);
    const { nonce, attempt, lineage, source } = byNonce(world, run.nonce) ?? markerOf(run, stack);
    stack.row = { id: run.id, marker: { nonce, attempt, lineage, source }, settled: run.settled };
    if (run.operation) ended(stack, run);
    run.operation = false;
}

function answers(choices: Choices): void {
    choices.go("the id is written down", (step) => {
        own(step).id = step.run.id;
        tell(step);
        step.run.at = "told";
    });
    choices.fault("kill of engine and provider, with the id written down", (step) => {
        own(step).id = step.run.id;
        die(step.world);
    });
    choices.kills("with the id known");
    choices.fault("Ctrl-C: the state records the object, the run ends", (step) => {
        own(step).id = step.run.id;
        tell(step);
        record(step);
        finish(step.world, false);
    });
}

function records(choices: Choices): void {
    choices.fault("told, the checkpoint is not written", ({ world }) => die(world));
    choices.fault("told, the provider dies before the engine hears it", ({ world }) => dieAlone(world));
    choices.go("the state records the object", (step) => {
        record(step);
        step.run.at = "delete";
    });
}

/** What the engine hands over to be deleted; and the end of the run. */
function ends(choices: Choices, world: World): void {
    const run = world.run as Run;
    const [old] = (world.stacks[run.stack] as Stack).olds;
    if (!old) {
        choices.go("the run ends", (step) => {
            finish(step.world, false);
            nameOpen(step);
            if (step.run.clean) onlyOne(step);
        });
        return;
    }
    choices.fault("kill of engine and provider before the old object is deleted", ({ world }) => die(world));
    choices.go(`the engine deletes #${old.id}`, ({ world, run, stack }) => {
        stack.olds.shift();
        if (holders(world, old.id).length) throw new Violation("S1 a recorded object is deleted");
        world.things = world.things.filter((one) => one.id !== old.id);
        close(world, run.machine, (entry) => isOf(entry, old));
    });
}

/** Open entries that no create of the run took up are named at the end of an up. */
function nameOpen({ world, run, stack }: Step): void {
    const mine = (world.journals[run.machine] ?? []).filter(
        (entry) => entry.urn === stack.urn || (run.nonce && birthOf(run) && entry.lineage === birthOf(run)),
    );
    for (const entry of mine) if (!entry.told && entry.sent) name(world, entry.nonce, entry.id || entry.nonce);
}

/** After an undisturbed run: a second object is a violation, whose name says who still knows the object. */
function onlyOne({ world, run, stack }: Step): void {
    for (const one of [...world.things, ...world.flights.filter((each) => !each.put).map((each) => each.thing)]) {
        if (one.own !== stack.uid || one.released || holders(world, one.id).length) continue;
        if (world.named.includes(one.id) || world.named.includes(one.nonce)) continue;
        const knows = (machine: number) => world.journals[machine]?.some((entry) => entry.nonce === one.nonce);
        const known =
            one.lineage && one.lineage === stack.birth
                ? "orphans lists by its lineage"
                : knows(run.machine)
                  ? "the journal of this machine has"
                  : knows(1 - run.machine)
                    ? "only the journal of another machine has"
                    : "nobody knows";
        const how = run.how.unreadable ? ", state unreadable" : run.how.skip ? ", no checkpoints" : "";
        throw new Violation(
            `S2 a second object${one.alone ? ", whose provider died alone," : ""} that ${known}${run.nonce ? "" : " (a run without creates)"}${how}`,
        );
    }
}

export const rowIds = (stack: Stack): number[] => rowsOf(stack).map((row: Row) => row.id);
