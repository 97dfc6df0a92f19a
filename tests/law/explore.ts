/** Every order of steps, faults and the user's acts within a bound, breadth first, with the shortest trace of each violation. */

import type { Design } from "./design.ts";
import type { Options } from "./run.ts";
import { begin, steps } from "./run.ts";
import { between } from "./user.ts";
import type { Run, World } from "./world.ts";
import { copy, fingerprint, newWorld, thing, Violation } from "./world.ts";

export interface Bound {
    runs: number;
    faults: number;
    acts: number;
    may: string[];
    machines?: number[];
    beyondBound?: boolean;
}

export interface Explored {
    states: number;
    seconds: number;
    /** The kinds of violation, each with how often it was met and its shortest trace. */
    violations: Map<string, { times: number; trace: string[] }>;
}

export function explore(design: Design, bound: Bound): Explored {
    const { may: acts, machines = [0, 1], beyondBound } = bound;
    const options: Options = { acts, machines, ...(beyondBound && { beyondBound }) };
    const started = performance.now();
    const found: Explored = { states: 0, seconds: 0, violations: new Map() };
    const parents = [-1];
    const labels = ["start"];
    const trace = (at: number): string[] => (at <= 0 ? [] : [...trace(parents[at] ?? 0), labels[at] ?? ""]);
    const tell = (violation: Violation, path: () => string[]) => note(found, violation.message, path);
    const calmSeen = new Set<string>();
    const first = newWorld({ runs: bound.runs, faults: bound.faults, acts: bound.acts });
    const seen = new Set([fingerprint(first)]);
    let front: [number, World][] = [[0, first]];
    while (front.length > 0) {
        const next: typeof front = [];
        for (const [at, world] of front) {
            if (!world.run)
                calm(design, world, options, calmSeen, (violation, path) =>
                    tell(violation, () => [...trace(at), ...path]),
                );
            for (const [label, after, violation] of world.run
                ? steps(design, world, options)
                : between(world, options)) {
                if (violation) tell(violation, () => [...trace(at), label]);
                const mark = fingerprint(after);
                if (seen.has(mark) || (violation && !violation.message.startsWith("S2"))) continue;
                seen.add(mark);
                next.push([parents.push(at) - 1, after]);
                labels.push(label);
            }
        }
        front = next;
    }
    return { ...found, states: seen.size, seconds: (performance.now() - started) / 1000 };
}

function note({ violations }: Explored, kind: string, path: () => string[]): void {
    const had = violations.get(kind);
    if (had) had.times++;
    else violations.set(kind, { times: 1, trace: path() });
}

type Tell = (violation: Violation, path: string[]) => void;

/** Liveness: from here, at most three undisturbed runs reach one object, or a refusal whose way out works. */
function calm(
    design: Design,
    from: World,
    options: Options,
    seen: Set<string>,
    tell: Tell,
    left = 3,
    path: string[] = [],
    decided = false,
): void {
    const base: World = { ...from, left: { runs: 9, faults: 0, acts: 0 }, backup: null };
    const mark = fingerprint([base, left, decided]);
    if (seen.has(mark)) return;
    seen.add(mark);
    from.stacks.forEach((before, index) => {
        if (decided && before.refused.length === 0) return;
        for (const machine of options.machines) {
            const world = copy(base);
            begin(world, index, machine, decided ? { unrecorded: "create" } : {});
            const start = [
                ...path,
                `calm up of stack ${before.uid} on machine ${machine}${decided ? ", UNRECORDED=create" : ""}`,
            ];
            for (const [trace, after] of ended(design, world, { ...options, calm: true }, start, tell)) {
                const stack = after.stacks[index];
                if (stack?.refused.length) {
                    if (decided) tell(new Violation("L refused again after the user's decision"), trace);
                    else calm(design, after, options, seen, tell, left, trace, true);
                } else if (!stack?.row || !thing(after, stack.row.id)) {
                    if (left > 1) calm(design, after, options, seen, tell, left - 1, trace);
                    else tell(new Violation("L no object after three undisturbed runs"), trace);
                }
            }
        }
    });
}

/** All ends of a run without faults. */
function ended(design: Design, world: World, options: Options, path: string[], tell: Tell): [string[], World][] {
    let front: [string[], World][] = [[path, world]];
    const ends: typeof front = [];
    for (let count = 0; front.length > 0; count++) {
        if (count > 60) throw new Error("a run without an end");
        front = front.flatMap(([trace, at]) =>
            steps(design, at, options).flatMap(([label, after, violation]): typeof front => {
                if (violation) tell(violation, [...trace, label]);
                if (violation && !violation.message.startsWith("S2")) return [];
                if (after.run as Run | null) return [[[...trace, label], after]];
                ends.push([[...trace, label], after]);
                return [];
            }),
        );
    }
    return ends;
}
