/** One create decides: a pure function of what it knows. */
import type { Design, Known, Verdict } from "./table.ts";
import type { Entry, Run, Stack, Thing, World } from "./world.ts";
import { birthOf, byNonce, entriesOf, rowsOf, thing } from "./world.ts";

interface Judged {
    row: string;
    verdict: Verdict;
    entry?: Entry;
    found?: Thing | undefined;
    /** What a refusal names. */
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

export function decide(design: Design, world: World): Decision {
    const run = world.run as Run;
    const stack = world.stacks[run.stack] as Stack;
    const judged = entriesOf(world, run, stack).map((entry) => judge(design, world, run, stack, entry));
    judged.push(judge(design, world, run, stack));
    return weigh(run, world, judged);
}

function judge(design: Design, world: World, run: Run, stack: Stack, entry?: Entry): Judged {
    const known = knowledge(design, world, run, stack, entry);
    const row = design.table.find((one) => one.when(known));
    if (!row) throw new Error("no row fits");
    const object = entry && byNonce(world, entry.nonce);
    const seen = object && (!object.hidden || entry?.id) ? object : undefined;
    const base: Judged = { row: row.name, verdict: row.then, names: [], ...(entry ? { entry } : {}), found: seen };
    if (design.foundRecorded && seen && !run.how.unreadable && rowsOf(stack).some((one) => one.id === seen.id))
        return { ...base, verdict: "close" };
    if (row.then === "refuse") return { ...base, names: [object?.id ?? entry?.id ?? 0, entry?.nonce ?? 0] };
    if (row.then === "search" && seen) return { ...base, verdict: "refuse", names: [seen.id] };
    return row.then === "lost" ? lost(design, world, run, stack, base) : base;
}

function knowledge(design: Design, world: World, run: Run, stack: Stack, entry?: Entry): Known {
    const mine = entriesOf(world, run, stack);
    const explains = (one: Entry) => one !== entry && !one.told && (one.sent || design.unsentExplains);
    const object = entry && byNonce(world, entry.nonce);
    const m = run.m ?? 0;
    return {
        entry: !entry ? "none" : entry.told ? "told" : "open",
        repeated: false,
        recorded: !run.how.unreadable && !!entry && rowsOf(stack).some((row) => isOf(entry, row)),
        sent: !!entry?.sent,
        ours: !!entry && !!entry.lineage && entry.lineage === birthOf(run),
        credentials: entry?.credentials === world.credentials,
        same: entry?.source === stack.source,
        exists: !!object || !!(entry?.id && thing(world, entry.id)),
        fits: !!object,
        unexplained: !!entry && m - mine.filter(explains).length > (entry.k ?? m),
        m: design.beyondRecorded && m <= greatest(run, stack) ? 0 : m,
    };
}

const isOf = (entry: Entry, row: { id: number; marker: { nonce: number } }) =>
    entry.nonce === row.marker.nonce || (entry.id !== 0 && entry.id === row.id);

/** The greatest k among the markers of the recorded rows of this state. */
const greatest = (run: Run, stack: Stack) =>
    Math.max(0, ...rowsOf(stack).map((row) => (row.marker.lineage === birthOf(run) ? (row.marker.k ?? 0) : 0)));

function lost(design: Design, world: World, run: Run, stack: Stack, base: Judged): Judged {
    const mine = entriesOf(world, run, stack);
    const open = mine.filter((entry) => !entry.told).length;
    const m = run.m ?? 0;
    const found = world.things.filter(
        (one) =>
            !one.hidden &&
            birthOf(run) !== 0 &&
            one.lineage === birthOf(run) &&
            (!design.counts || (one.k ?? m) < m) &&
            !rowsOf(stack).some((row) => row.id === one.id) &&
            !mine.some((entry) => entry.nonce === one.nonce),
    );
    const [first] = found;
    if (!first) {
        const waits = design.lostWait === "always" || (design.lostWait !== "never" && m > open);
        return { ...base, verdict: waits ? "search" : "post" };
    }
    const explained = design.lostExplained && m - open <= (first.k ?? m);
    const adopts = design.lostAdopts && !explained && found.length === 1 && first.source === stack.source;
    return adopts
        ? { ...base, verdict: "adopt", found: first }
        : { ...base, verdict: "refuse", names: found.map((one) => one.id) };
}

function weigh(run: Run, world: World, judged: Judged[]): Decision {
    const live = judged.filter((one) => one.verdict !== "close" && one.verdict !== "ignore");
    const adoptable = live.filter((one) => (one.verdict === "adopt" || one.verdict === "resume") && one.found);
    if (new Set(adoptable.map((one) => one.found?.id)).size > 1)
        for (const one of adoptable) Object.assign(one, { verdict: "refuse", names: [one.found?.id] });
    const doubts = live.filter((one) => one.verdict === "refuse");
    const names = [...new Set(doubts.flatMap((one) => one.names))].filter(Boolean);
    const done = (verdict: Verdict[]) => judged.filter((one) => one.entry && verdict.includes(one.verdict));
    const closed = (verdicts: Verdict[]) => done(verdicts).map((one) => one.entry?.nonce ?? 0);
    const row = (one: Judged | undefined) => one?.row ?? "post";
    const chosen = names.find((one) => one === run.how.unrecorded);
    const decision = { closes: closed(["close"]), names };
    if (chosen) return { act: "adopt", row: row(doubts[0]), target: thing(world, chosen), ...decision };
    if (doubts.length > 0 && run.how.unrecorded !== "create")
        return { act: "refuse", row: row(doubts[0]), ...decision };
    const supersedes = live.filter((one) => one.verdict === "supersede");
    if (supersedes.length > 0 && !run.waited) return { act: "wait", row: "supersede", ...decision };
    const superseded = supersedes.find((one) => one.found);
    if (superseded) return { act: "delete", row: superseded.row, target: superseded.found, ...decision };
    const [adopted] = live.filter((one) => (one.verdict === "adopt" || one.verdict === "resume") && one.found);
    if (adopted) return { act: "adopt", row: adopted.row, target: adopted.found, ...decision };
    const unsure = live.find((one) => ["resume", "search", "refuse"].includes(one.verdict));
    if (unsure && !run.waited) return { act: "wait", row: unsure.row, ...decision };
    return {
        act: "post",
        row: row(unsure ?? live[0]),
        closes: closed(["close", "resume", "supersede", "search", "refuse"]),
        names,
    };
}
