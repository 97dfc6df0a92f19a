/** The tables: a row for each thing measured, a column for each variant. And what the project promises of its speed (C1 to C3). */
import type { Measurement } from "./measure.ts";
import type { Role } from "./project.ts";
import { median } from "./statistics.ts";
import { type VariantName, variants } from "./variants.ts";

/** Of each variant its runs; none when it was left out. */
export type Runs = { readonly [name in VariantName]?: readonly Measurement[] };
type Value = (measurement: Measurement) => number | undefined;
type Row = readonly [label: string, value: Value, show: (value: number) => string];

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const whole = (number: number) => (Math.round(number) || 0).toString();
const decimal = (number: number) => (Number.isInteger(number) ? number.toString() : number.toFixed(2));
const cpu = (role: Role | "emulator"): Row => [`CPU of first up: ${role}, s`, (run) => run.costs[role]?.cpu, decimal];

export const rows: readonly Row[] = [
    ["first up, s", ({ times }) => times.up, seconds],
    ["no-op preview, s", ({ times }) => times.preview, seconds],
    ["no-op up, s", ({ times }) => times.upAgain, seconds],
    ["refresh, s", ({ times }) => times.refresh, seconds],
    ["destroy, s", ({ times }) => times.destroy, seconds],
    ["requests per content: first up", ({ requests }) => requests.up, decimal],
    ["requests per content: no-op preview and up", ({ requests }) => requests.preview + requests.upAgain, decimal],
    ["requests per content: refresh", ({ requests }) => requests.refresh, decimal],
    ["requests per content: destroy", ({ requests }) => requests.destroy, decimal],
    ["Ready noticed after, median, ms", ({ noticed }) => noticed?.median, whole],
    ["Ready noticed after, p95, ms", ({ noticed }) => noticed?.p95, whole],
    ["Ready noticed after, max, ms", ({ noticed }) => noticed?.max, whole],
    ["up ended after last Ready, ms", ({ afterLastReady }) => afterLastReady, whole],
    ["state beyond inputs, bytes per content", ({ state }) => state.beyond, whole],
    ["state file, bytes per content", ({ state }) => state.file, whole],
    ["peak memory of provider, MB", ({ costs }) => costs.provider && costs.provider.memory / 1e6, whole],
    ...(["engine", "program", "provider", "emulator"] as const).map(cpu),
];

/** A Markdown table. */
export function table(title: string, runs: Runs): string {
    const columns = Object.entries(runs) as [VariantName, readonly Measurement[]][];
    const cells = rows.map(([label, value, show]) => [
        label,
        ...columns.map(([, measured]) => {
            const shown = median(measured.flatMap((run) => value(run) ?? []));
            return measured.length === 0 ? "skipped" : shown === undefined ? "" : show(shown);
        }),
    ]);
    const head = [title, ...columns.map(([name]) => variants[name].title)];
    const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
    return [head, rule, ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** What a variant is held against: so many times as long as the floor, and so much more state. */
const engine = { floor: "floor", up: 1.25, preview: 1.1, upAgain: 1.1, stateBytes: 1024 } as const;
/** A plugin with the same inputs and outputs and nothing behind them. */
const plugin = { floor: "floor-native", up: 1.15, preview: undefined, upAgain: 1.05, stateBytes: 300 } as const;
const bounds = [
    ["readiness", engine],
    ["content-parallel", engine],
    // By default only a few contents wait at a time, which no floor does.
    ["content", { ...engine, up: undefined, preview: undefined, upAgain: undefined }],
    ["native-readiness", plugin],
    ["native-content", { ...plugin, up: undefined, upAgain: undefined }],
] as const;

/** One line for each target that the measured variants speak of. */
export function judge(runs: Runs, [from, to]: readonly [from: number, to: number]): string[] {
    const figure = (name: VariantName, value: Value) => median(runs[name]?.flatMap((run) => value(run) ?? []) ?? []);
    const targets = bounds.flatMap(([name, { floor, stateBytes, ...shares }]) => {
        const { title } = variants[name];
        const times = (share: number | undefined, value: Value, moreMs = 0) => {
            const least = figure(floor, value);
            return share === undefined || least === undefined ? undefined : least * share + moreMs;
        };
        const beyond: Value = ({ state }) => state.beyond;
        const least = figure(floor, beyond);
        // A tenth of the processing time, at most a second; a quarter of a second where it is about that short.
        const lateMs = Math.min(Math.max((from + to) / 20, 250), 1000);
        const target = (what: string, value: Value, limit: number | undefined, unit: string) =>
            [`${title}: ${what}`, figure(name, value), limit, unit] as const;
        return [
            target(
                `first up (${shares.up} x ${floor} + processing)`,
                (r) => r.times.up,
                times(shares.up, (r) => r.times.up, to),
                "ms",
            ),
            target(
                `no-op preview (${shares.preview} x ${floor})`,
                (r) => r.times.preview,
                times(shares.preview, (r) => r.times.preview),
                "ms",
            ),
            target(
                `no-op up (${shares.upAgain} x ${floor})`,
                (r) => r.times.upAgain,
                times(shares.upAgain, (r) => r.times.upAgain),
                "ms",
            ),
            target("requests per content, create and wait", ({ requests }) => requests.up, 4, ""),
            target("Ready noticed, median", ({ noticed }) => noticed?.median, lateMs, "ms"),
            target(
                `state beyond inputs (with that of ${floor})`,
                beyond,
                least === undefined ? undefined : least + stateBytes,
                "bytes",
            ),
        ];
    });
    return targets.flatMap(([label, measured, limit, unit]) => {
        if (measured === undefined || limit === undefined) return [];
        const met = measured <= limit ? "met" : "NOT met";
        return [`${met.padEnd(7)}  ${label}: ${decimal(measured)} of at most ${decimal(limit)} ${unit}`.trimEnd()];
    });
}
