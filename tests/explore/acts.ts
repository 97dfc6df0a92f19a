/** Between runs: what the user does to the stack, in the program or in the state. */
import { copy, idOf, idsOf, key, markerOf, newStack, type Row, type Stack, type World } from "./world.ts";

type Act = (world: World, stack: Stack) => void;

/** Also that of an unconfirmed row, which nobody knows. */
function objectsOf(world: World, row: Row): string[] {
    const nonces = idsOf(row).flatMap((id) => /^unconfirmed-(.*)$/.exec(id)?.[1] ?? []);
    const found = world.objects.filter((object) => nonces.includes(markerOf(object).slice(-12))).map(idOf);
    return [...idsOf(row), ...found];
}

const all: Record<string, { when(world: World): boolean; act: Act }> = {
    source: {
        when: () => true,
        act: (_, stack) => {
            for (const name of Object.keys(stack.program))
                stack.program[name] = stack.program[name] === "a" ? "b" : "a";
        },
    },
    release: {
        when: ({ stacks: [stack] }) => stack?.rows.length !== 0,
        act: (world, stack) => {
            for (const id of stack.rows.flatMap((row) => objectsOf(world, row))) world.owners[id] = null;
            stack.rows = [];
        },
    },
    move: {
        when: ({ stacks }) => stacks.length === 1 && stacks[0]?.rows.length !== 0,
        act: (world, stack) => {
            const program = Object.fromEntries(stack.rows.map((row) => [key(row), stack.program[key(row)] ?? "a"]));
            const other = {
                ...newStack(1, "dev", program),
                project: "other",
                birth: "2026-01-01T00:00:00.5Z",
                rows: stack.rows,
            };
            for (const id of stack.rows.flatMap((row) => objectsOf(world, row))) world.owners[id] = 1;
            world.stacks.push({ ...other, rows: stack.rows.map(copy) });
            stack.rows = [];
        },
    },
    rename: {
        when: ({ stacks: [stack] }) => stack?.stack === "dev",
        act: (_, stack) => {
            stack.stack = "renamed";
        },
    },
    namesake: {
        when: ({ stacks }) => stacks.length === 1,
        act: (world, stack) => {
            world.stacks.push(newStack(1, "dev", { ...stack.program }));
        },
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
        act: (world, stack) => {
            world.backup = copy(stack);
        },
    },
    restore: {
        when: ({ backup }) => backup !== null,
        act: (world, stack) => {
            const { rows, olds, operations, birth } = world.backup as Stack;
            const isThere = (row: Row) =>
                idsOf(row).every(
                    (id) => id.startsWith("unconfirmed-") || world.objects.some((one) => idOf(one) === id),
                );
            const kept = [...rows, ...olds].flatMap((row) => objectsOf(world, row));
            for (const id of [...stack.rows, ...stack.olds].flatMap((row) => objectsOf(world, row)))
                if (!kept.includes(id)) world.owners[id] = null;
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
        when: () => true,
        act: (_, stack) => {
            stack.token = stack.token === "token" ? "other" : "token";
        },
    },
    protect: {
        when: ({ stacks: [stack] }) => stack?.protect === false,
        act: (_, stack) => {
            stack.protect = true;
        },
    },
};

export function acts(world: World, may: string[]): [string, World][] {
    if (world.left.acts === 0) return [];
    return Object.entries(all).flatMap(([name, { when, act }]): [string, World][] => {
        if (!may.includes(name) || !when(world)) return [];
        const after = copy(world);
        after.left.acts--;
        act(after, after.stacks[0] as Stack);
        return [[`user: ${name}`, after]];
    });
}
