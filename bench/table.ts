/** The tables: a row for each thing measured, a column for each variant. */
import type { Measurement } from "./measure.ts";
import type { Role } from "./processes.ts";
import { median, type Summary } from "./statistics.ts";

export interface Column {
    readonly title: string;
    /** One per run; empty when it was left out. */
    readonly runs: readonly Measurement[];
}

type Value = (measurement: Measurement) => number | undefined;

interface Row {
    readonly label: string;
    readonly value: Value;
    readonly show: (value: number) => string;
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const milliseconds = (ms: number) => (Math.round(ms) || 0).toString();
const bytes = (number: number) => Math.round(number).toString();
const megabytes = (number: number) => Math.round(number / 1e6).toString();
const decimal = (number: number) => (Number.isInteger(number) ? number.toString() : number.toFixed(2));

function summaryRows(label: string, of: (measurement: Measurement) => Summary | undefined): Row[] {
    return (["median", "p95", "max"] as const).map((name) => ({
        label: `${label}, ${name}, ms`,
        value: (measurement) => of(measurement)?.[name],
        show: milliseconds,
    }));
}

function cpuRow(role: Role | "service", label: string): Row {
    return { label: `CPU of first up: ${label}, s`, value: ({ costs }) => costs[role]?.cpu, show: decimal };
}

export const rows: readonly Row[] = [
    { label: "first up, s", value: ({ times }) => times.up, show: seconds },
    { label: "no-op preview, s", value: ({ times }) => times.preview, show: seconds },
    { label: "no-op up, s", value: ({ times }) => times.upAgain, show: seconds },
    { label: "refresh, s", value: ({ times }) => times.refresh, show: seconds },
    { label: "destroy, s", value: ({ times }) => times.destroy, show: seconds },
    { label: "requests per content: first up", value: ({ requests }) => requests.up, show: decimal },
    {
        label: "requests per content: no-op preview and up",
        value: ({ requests }) => requests.preview + requests.upAgain,
        show: decimal,
    },
    { label: "requests per content: refresh", value: ({ requests }) => requests.refresh, show: decimal },
    { label: "requests per content: destroy", value: ({ requests }) => requests.destroy, show: decimal },
    ...summaryRows("Ready noticed after", ({ shown }) => shown),
    ...summaryRows("create ended after Ready", ({ told }) => told),
    { label: "up ended after last Ready, ms", value: ({ afterLastReady }) => afterLastReady, show: milliseconds },
    { label: "state beyond inputs, bytes per content", value: ({ state }) => state.beyond, show: bytes },
    { label: "state file, bytes per content", value: ({ state }) => state.file, show: bytes },
    { label: "peak memory of provider, MB", value: ({ costs }) => costs.provider?.memory, show: megabytes },
    cpuRow("engine", "engine"),
    cpuRow("program", "program"),
    cpuRow("provider", "provider"),
    cpuRow("service", "emulator"),
    { label: "in first up: program loaded at, s", value: ({ timeline }) => timeline.loaded, show: seconds },
    { label: "in first up: first request at, s", value: ({ timeline }) => timeline.firstRequest, show: seconds },
    { label: "in first up: last create at, s", value: ({ timeline }) => timeline.lastCreate, show: seconds },
    { label: "in first up: last Ready at, s", value: ({ timeline }) => timeline.lastReady, show: seconds },
];

/** The median over the runs; undefined where there is nothing to tell. */
export function figure(column: Column, value: Value): number | undefined {
    return median(column.runs.flatMap((run) => value(run) ?? []));
}

/** A Markdown table, which also reads well as it is. */
export function table(title: string, columns: readonly Column[]): string {
    const cells = rows.map(({ label, value, show }) => [
        label,
        ...columns.map((column) => {
            if (column.runs.length === 0) return "skipped";
            const shown = figure(column, value);
            return shown === undefined ? "" : show(shown);
        }),
    ]);
    return markdown([[title, ...columns.map((column) => column.title)], ...cells]);
}

function markdown([head = [], ...body]: readonly string[][]): string {
    const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)));
    const line = (row: readonly string[]) =>
        `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
    const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
    return [line(head), line(rule), ...body.map(line)].join("\n");
}
