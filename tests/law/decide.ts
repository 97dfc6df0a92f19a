/** One create decides: a pure function of what it knows. */
import { type Act, type Row as LawRow, rowFor } from "../../provider/dist/create/law.js";
import type { Entry, Row, Run, Stack, Thing, World } from "./world.ts";
import { birthOf, byNonce, entriesOf, isOf, rowsOf, thing } from "./world.ts";

interface Finding {
    row: LawRow;
    act: Act | "look";
    entry?: Entry | undefined;
    found?: Thing | undefined;
    /** What a refusal names: objects, and the random parts of entries. */
    names: number[];
}

export interface Decision {
    act: "post" | "wait" | "delete" | "adopt" | "refuse";
    row: string;
    target?: Thing | undefined;
    /** The random parts of the entries that are closed with it. */
    closes: number[];
    names: number[];
}

interface Create {
    world: World;
    run: Run;
    stack: Stack;
    earlier: Entry[];
}

export function decide(world: World): Decision {
    const run = world.run as Run;
    const stack = world.stacks[run.stack] as Stack;
    const create: Create = { world, run, stack, earlier: entriesOf(world, run, stack) };
    return weigh(create, [...create.earlier.map((entry) => judge(create, entry)), judgeState(create)]);
}

function judge(create: Create, entry: Entry): Finding {
    const { world, run, stack } = create;
    const isRow = (test: (row: Row) => boolean) => !run.how.unreadable && rowsOf(stack).some(test);
    const bearer = byNonce(world, entry.nonce) ?? byNonce(world, entry.adopts);
    const object = bearer ?? (entry.told ? thing(world, entry.id) : undefined);
    // What is known by its id is read; all else is looked for in a list.
    const found = object && (!object.hidden || entry.id !== 0) ? object : undefined;
    const row = rowFor({
        ...{
            entry: entry.told ? "told" : "open",
            repeated: entry.repeats,
            sent: entry.sent,
            adopts: entry.adopts !== 0,
        },
        recorded: isRow((row) => isOf(entry, row)) || isRow((row) => row.id === found?.id),
        ours: entry.lineage !== 0 && entry.lineage === birthOf(run),
        reachable: entry.credentials === world.credentials,
        // What another machine has adopted bears another marker.
        same: entry.source === stack.source && object === bearer,
        exists: object !== undefined,
        unended: run.lost?.includes(entry.attempt) === true,
    });
    if (row.act === "refuse") return { row, act: row.act, entry, found, names: [object?.id ?? 0, entry.nonce] };
    if (row.act === "ask") return { row, act: found ? "refuse" : "look", entry, names: found ? [found.id] : [] };
    return { row, act: row.act, entry, found, names: [] };
}

/** Attempts that never ended, of which this machine has no entry. */
function judgeState(create: Create): Finding {
    const { world, run, stack, earlier } = create;
    const lost = (run.lost ?? []).filter((one) => !earlier.some(({ attempt }) => attempt === one));
    const row = rowFor({ entry: "none", unended: lost.length > 0 });
    if (row.act !== "findUnrecorded") return { row, act: row.act, names: [] };
    const objects = world.things.filter(
        (one) => !one.hidden && lost.includes(one.attempt) && !rowsOf(stack).some((each) => each.id === one.id),
    );
    const [found, second] = objects;
    if (!found) return { row, act: "look", names: [] };
    if (second || found.source !== stack.source) return { row, act: "refuse", names: objects.map((one) => one.id) };
    return { row, act: "adopt", found, names: [] };
}

function weigh({ world, run }: Create, all: Finding[]): Decision {
    const adoptable = all.filter(({ act, found }) => (act === "adopt" || act === "resume") && found);
    if (new Set(adoptable.map(({ found }) => found?.id)).size > 1)
        for (const one of adoptable) Object.assign(one, { act: "refuse", names: [one.found?.id] });
    const doubts = all.filter(({ act }) => act === "refuse");
    const names = [...new Set(doubts.flatMap((one) => one.names))].filter((one) => one !== 0);
    const nonces = (acts: Finding["act"][]) =>
        all.flatMap(({ act, entry }) => (entry && acts.includes(act) ? [entry.nonce] : []));
    const closes = nonces(["close"]);
    const decision = (
        act: Decision["act"],
        from: Finding | undefined,
        target?: Thing,
        more: number[] = [],
    ): Decision => ({
        ...{ act, row: from?.row.name ?? "post", target, closes: [...closes, ...more], names },
    });
    const chosen = names.find((one) => one === run.how.unrecorded);
    if (chosen) return decision("adopt", doubts[0], thing(world, chosen));
    if (doubts.length > 0 && run.how.unrecorded !== "create") {
        return { ...decision("refuse", doubts[0]), closes: [] };
    }
    const supersedes = all.filter(({ act }) => act === "supersede");
    if (supersedes.length > 0 && !run.waited) return { ...decision("wait", supersedes[0]), closes: [] };
    const superseded = supersedes.find(({ found }) => found);
    if (superseded) return decision("delete", superseded, superseded.found);
    // The user has said to leave alone what is in doubt.
    const [adopted] = doubts.length > 0 ? [] : adoptable;
    if (adopted) return decision("adopt", adopted, adopted.found);
    const unsure = all.find(({ act }) => act === "resume" || act === "look" || act === "refuse");
    if (unsure && !run.waited) return { ...decision("wait", unsure), closes: [] };
    return decision("post", unsure ?? all.at(-1), undefined, nonces(["resume", "supersede", "look", "refuse"]));
}
