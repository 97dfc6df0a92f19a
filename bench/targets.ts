/** What the project promises of its speed (design: C1 to C3), held against what was measured. */
import type { Options } from "./options.ts";
import { type Column, figure } from "./table.ts";
import type { VariantName } from "./variants.ts";

export type Columns = { readonly [name in VariantName]?: Column };

interface Target {
    readonly label: string;
    readonly measured: number | undefined;
    readonly limit: number | undefined;
    readonly unit: string;
}

/** One line for each target that the measured variants speak of. */
export function judge(columns: Columns, { processing: [from, to] }: Pick<Options, "processing">): string[] {
    return [
        ...(["readiness", "content-parallel"] as const).flatMap((name) => targetsOf(name, columns, from, to)),
        ...nativeTargets(columns, from, to),
    ].flatMap(({ label, measured, limit, unit }) => {
        if (measured === undefined || limit === undefined) return [];
        const met = measured <= limit ? "met" : "NOT met";
        return [`${met.padEnd(7)}  ${label}: ${format(measured)} of at most ${format(limit)} ${unit}`.trimEnd()];
    });
}

function targetsOf(name: "readiness" | "content-parallel", columns: Columns, from: number, to: number): Target[] {
    const column = columns[name];
    const { floor } = columns;
    if (column === undefined || column.runs.length === 0) return [];
    const floorUp = floor && figure(floor, ({ times }) => times.up);
    const waiting = columns["floor-waiting"];
    const waitingUp = waiting && figure(waiting, ({ times }) => times.up);
    const floorPreview = floor && figure(floor, ({ times }) => times.preview);
    const floorAgain = floor && figure(floor, ({ times }) => times.upAgain);
    const times = (share: number, ms: number | undefined, more = 0) =>
        ms === undefined ? undefined : (ms * share + more) / 1000;
    const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
    const title = column.title;
    return [
        {
            label: `${title}: first up (1.25 x floor + ${to / 1000} s of processing)`,
            measured: inSeconds(figure(column, ({ times }) => times.up)),
            limit: times(1.25, floorUp, to),
            unit: "s",
        },
        {
            // What the engine itself makes of so many creates under way.
            label: `${title}: first up (1.25 x the floor that waits)`,
            measured: name === "content-parallel" ? inSeconds(figure(column, ({ times }) => times.up)) : undefined,
            limit: times(1.25, waitingUp),
            unit: "s",
        },
        {
            label: `${title}: no-op preview (1.1 x floor)`,
            measured: inSeconds(figure(column, ({ times }) => times.preview)),
            limit: times(1.1, floorPreview),
            unit: "s",
        },
        {
            label: `${title}: no-op up (1.1 x floor)`,
            measured: inSeconds(figure(column, ({ times }) => times.upAgain)),
            limit: times(1.1, floorAgain),
            unit: "s",
        },
        {
            label: `${title}: requests per content, create and wait`,
            measured: figure(column, ({ requests }) => requests.up),
            limit: 4,
            unit: "",
        },
        {
            label: `${title}: Ready noticed, median`,
            measured: figure(column, ({ shown }) => shown?.median),
            // A tenth of the processing time, at most a second; a quarter of a second where it is about that short.
            limit: Math.min(Math.max((from + to) / 20, 250), 1000),
            unit: "ms",
        },
        {
            // The floor has the outputs' copy of the inputs as well, and a provider.
            label: `${title}: state beyond inputs and the engine floor's`,
            measured: difference(
                figure(column, ({ state }) => state.beyond),
                floor && figure(floor, ({ state }) => state.beyond),
            ),
            limit: 1024,
            unit: "bytes",
        },
    ];
}

/** Of the plugin, beside a plugin with the same inputs and outputs and nothing behind them. */
function nativeTargets(columns: Columns, from: number, to: number): Target[] {
    const column = columns["native-readiness"];
    const floor = columns["floor-native"];
    if (column === undefined || column.runs.length === 0 || floor === undefined) return [];
    const seconds = (of: Column, name: "up" | "upAgain") => {
        const ms = figure(of, ({ times }) => times[name]);
        return ms === undefined ? undefined : ms / 1000;
    };
    const limit = (name: "up" | "upAgain", share: number, more = 0) => {
        const least = seconds(floor, name);
        return least === undefined ? undefined : least * share + more;
    };
    const { title } = column;
    return [
        {
            label: `${title}: first up (1.15 x the plugin's floor + ${to / 1000} s of processing)`,
            measured: seconds(column, "up"),
            limit: limit("up", 1.15, to / 1000),
            unit: "s",
        },
        {
            label: `${title}: no-op up (1.05 x the plugin's floor)`,
            measured: seconds(column, "upAgain"),
            limit: limit("upAgain", 1.05),
            unit: "s",
        },
        {
            label: `${title}: requests per content, create and wait`,
            measured: figure(column, ({ requests }) => requests.up),
            limit: 4,
            unit: "",
        },
        {
            label: `${title}: Ready noticed, median`,
            measured: figure(column, ({ shown }) => shown?.median),
            limit: Math.min(Math.max((from + to) / 20, 250), 1000),
            unit: "ms",
        },
        {
            label: `${title}: state beyond inputs and the plugin's floor's`,
            measured: difference(
                figure(column, ({ state }) => state.beyond),
                figure(floor, ({ state }) => state.beyond),
            ),
            limit: 300,
            unit: "bytes",
        },
    ];
}

function difference(value: number | undefined, less: number | undefined): number | undefined {
    return value === undefined || less === undefined ? undefined : value - less;
}

function format(value: number): string {
    return Number.isInteger(value) || value >= 100 ? Math.round(value).toString() : value.toFixed(2);
}
