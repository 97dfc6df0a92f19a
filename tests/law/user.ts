/** Between runs: what the user does. */
import type { Moves, Options } from "./run.ts";
import { begin, Choices, environment, rowIds } from "./run.ts";
import type { Run, Stack, Thing, World } from "./world.ts";
import { close, copy, holders, isOf, name, newStack, rowsOf, thing } from "./world.ts";

type Act = (label: string, change: (world: World, stack: Stack) => void) => void;

export function between(world: World, options: Options): Moves {
    const choices = new Choices(world, false);
    world.stacks.forEach((stack, index) => {
        const act: Act = (label, change) => {
            if (world.left.acts === 0) return;
            choices.go(`USER ${label} (stack ${stack.uid})`, ({ world }) => {
                world.left.acts--;
                change(world, world.stacks[index] as Stack);
            });
        };
        const may = (what: string, when = true) => options.acts.includes(what) && when;
        if (world.left.runs > 0)
            for (const machine of options.machines) ups(choices, world, stack, index, machine, may);
        edits(act, stack, may);
        orphan(act, world, stack, may);
        if (index === 0) moves(act, world, stack, may);
        if (may("destroy", rowsOf(stack).length + stack.operations.length > 0))
            for (const machine of options.machines)
                act(`destroys, machine ${machine}`, (world, stack) => destroy(world, stack, machine));
        if (may("rotate", index === 0)) act("rotates the credentials", (world) => world.credentials++);
    });
    environment(choices, world);
    return choices.moves;
}

type May = (what: string, when?: boolean) => boolean;

/** An own object that no state has, and that a refusal named. */
const orphanOf = (world: World, stack: Stack) =>
    stack.refused.find((id) => {
        const one = thing(world, id);
        return one?.own === stack.uid && !one.released && holders(world, id).length === 0;
    });

function ups(choices: Choices, world: World, stack: Stack, index: number, machine: number, may: May): void {
    const up = (label: string, how: Run["how"], act = false) => {
        if (act && world.left.acts === 0) return;
        choices.go(`${act ? "USER " : ""}up of stack ${stack.uid} on machine ${machine}${label}`, ({ world }) => {
            if (act) world.left.acts--;
            begin(world, index, machine, how);
        });
    };
    const found = orphanOf(world, stack);
    up("", {});
    if (stack.refused.length) up(", UNRECORDED=create", { unrecorded: "create" });
    if (found) up(`, UNRECORDED=${found}`, { unrecorded: found });
    if (may("replace", !!stack.row)) up(" --replace", { replace: true }, true);
    if (may("unreadable")) up(", state unreadable", { unreadable: true }, true);
    if (may("unreadable", may("replace", !!stack.row)))
        up(" --replace, state unreadable", { replace: true, unreadable: true }, true);
    if (may("skip")) up(", no checkpoints", { skip: true }, true);
}

function edits(act: Act, stack: Stack, may: May): void {
    if (may("source")) act("another source", (_, stack) => Object.assign(stack, { source: 3 - stack.source }));
    if (may("clear", stack.operations.length > 0))
        act("clears the pending operations", (_, stack) => Object.assign(stack, { operations: [] }));
    if (may("release", !!stack.row))
        act("releases the object, which stays declared", (world, stack) => {
            Object.assign(thing(world, stack.row?.id ?? 0) ?? {}, { released: true });
            stack.row = null;
        });
}

function orphan(act: Act, world: World, stack: Stack, may: May): void {
    const id = orphanOf(world, stack);
    if (!id) return;
    if (may("byHand")) act(`deletes #${id} by hand`, (world) => remove(world, [id]));
    if (stack.row) return;
    const take = (world: World, stack: Stack) => {
        const { nonce, attempt, lineage } = thing(world, id) as Thing;
        const marker = { nonce, attempt, lineage, source: stack.source };
        Object.assign(stack, { row: { id, marker, settled: [] }, refused: [] });
    };
    if (may("import")) act(`imports #${id} by pulumi import`, take);
    // An adoption does not read the state: its marker proves nothing.
    if (may("importId"))
        act(`adopts #${id} by importId`, (world, stack) => {
            Object.assign(thing(world, id) as Thing, { nonce: 100 + world.next++, attempt: 0, lineage: 0 });
            take(world, stack);
        });
}

function remove(world: World, ids: number[]): void {
    world.things = world.things.filter((one) => !ids.includes(one.id));
}

function destroy(world: World, stack: Stack, machine: number): void {
    for (const row of rowsOf(stack)) close(world, machine, (entry) => isOf(entry, row));
    remove(world, rowIds(stack));
    for (const entry of world.journals[machine] ?? [])
        if (!entry.told && entry.sent && entry.urn === stack.urn) name(world, entry.nonce, entry.id || entry.nonce);
    // The pending operations stay.
    Object.assign(stack, { row: null, olds: [], birth: 0, refused: [] });
}

function moves(act: Act, world: World, stack: Stack, may: May): void {
    const alone = world.stacks.length < 2;
    if (may("move", alone && !!stack.row))
        act("moves the resource to another project", (world, stack) => {
            const other = {
                ...newStack(1, "P"),
                row: stack.row,
                source: stack.row?.marker.source ?? 1,
                birth: ++world.births,
            };
            world.stacks.push(other);
            Object.assign(thing(world, stack.row?.id ?? 0) ?? {}, { own: 1 });
            stack.row = null;
        });
    if (may("rename", stack.urn === "A")) act("renames the stack", (_, stack) => Object.assign(stack, { urn: "R" }));
    // Of another name's stack, or of another backend's or a later one's of the same name.
    if (may("namesake", alone))
        act("makes another stack of the first name", (world) => world.stacks.push(newStack(1, "A")));
    if (may("restore", !world.backup))
        act("keeps a copy of the state", (world, stack) => Object.assign(world, { backup: copy(stack) }));
    if (may("restore", !!world.backup)) act("restores the copy of the state", restore);
}

function restore(world: World, stack: Stack): void {
    const { row, olds, operations, birth } = world.backup as Stack;
    const kept = [row, ...olds].map((one) => one?.id);
    for (const id of rowIds(stack)) if (!kept.includes(id)) Object.assign(thing(world, id) ?? {}, { released: true });
    Object.assign(stack, { row: row && thing(world, row.id) ? row : null, operations, birth, refused: [] });
    stack.olds = olds.filter((one) => thing(world, one.id));
    world.backup = null;
}
