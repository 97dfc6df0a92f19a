/** What the project promises of its speed (design: C1 to C3), held against what was measured. */
import type { Options } from "./options.ts";
import { type Column, figure } from "./table.ts";
import type { VariantName } from "./variants.ts";

type Columns = { readonly [name in VariantName]?: Column };

interface Target {
    readonly label: string;
    readonly measured: number | undefined;
    readonly limit: number | undefined;
    readonly unit: string;
}

/** What a variant is held against: so many times as long as the floor, and so much more state. */
interface Bound {
    readonly name: VariantName;
    readonly floor: VariantName;
    /** How a label names the floor's time, and the floor. */
    readonly floorTime: string;
    readonly floorName: string;
    readonly times: { readonly up?: number; readonly preview?: number; readonly upAgain?: number };
    readonly stateBytes: number;
}

const engineFloor = {
    floor: "floor",
    floorTime: "floor",
    floorName: "the engine floor",
    times: { up: 1.25, preview: 1.1, upAgain: 1.1 },
    stateBytes: 1024,
} as const;

/** A plugin with the same inputs and outputs and nothing behind them. */
const pluginFloor = {
    floor: "floor-native",
    floorTime: "the plugin's floor",
    floorName: "the plugin's floor",
    times: { up: 1.15, upAgain: 1.05 },
    stateBytes: 300,
} as const;

const bounds: readonly Bound[] = [
    { name: "readiness", ...engineFloor },
    { name: "content-parallel", ...engineFloor },
    // By default only a few contents wait at a time, which no floor does.
    { name: "content", ...engineFloor, times: {} },
    { name: "native-readiness", ...pluginFloor },
    { name: "native-content", ...pluginFloor, times: {} },
];

/** One line for each target that the measured variants speak of. */
export function judge(columns: Columns, { processing }: Pick<Options, "processing">): string[] {
    return bounds
        .flatMap((bound) => targetsOf(bound, columns, processing))
        .flatMap(({ label, measured, limit, unit }) => {
            if (measured === undefined || limit === undefined) return [];
            const met = measured <= limit ? "met" : "NOT met";
            return [`${met.padEnd(7)}  ${label}: ${format(measured)} of at most ${format(limit)} ${unit}`.trimEnd()];
        });
}

function targetsOf(bound: Bound, columns: Columns, [from, to]: Options["processing"]): Target[] {
    const { name, floorTime, floorName, times, stateBytes } = bound;
    const column = columns[name];
    const floor = columns[bound.floor];
    if (column === undefined || column.runs.length === 0) return [];
    const time = (
        what: string,
        of: "up" | "preview" | "upAgain",
        [least, called]: [Column | undefined, string] = [floor, floorTime],
        moreMs = 0,
    ): Target => {
        const leastMs = least && figure(least, (run) => run.times[of]);
        const share = times[of];
        const more = moreMs === 0 ? "" : ` + ${moreMs / 1000} s of processing`;
        return {
            label: `${column.title}: ${what} (${share} x ${called}${more})`,
            measured: seconds(figure(column, (run) => run.times[of])),
            limit: share === undefined || leastMs === undefined ? undefined : seconds(leastMs * share + moreMs),
            unit: "s",
        };
    };
    return [
        time("first up", "up", undefined, to),
        // What the engine itself makes of so many creates under way.
        ...(name === "content-parallel"
            ? [time("first up", "up", [columns["floor-waiting"], "the floor that waits"])]
            : []),
        time("no-op preview", "preview"),
        time("no-op up", "upAgain"),
        {
            label: `${column.title}: requests per content, create and wait`,
            measured: figure(column, ({ requests }) => requests.up),
            limit: 4,
            unit: "",
        },
        {
            label: `${column.title}: Ready noticed, median`,
            measured: figure(column, ({ shown }) => shown?.median),
            // A tenth of the processing time, at most a second; a quarter of a second where it is about that short.
            limit: Math.min(Math.max((from + to) / 20, 250), 1000),
            unit: "ms",
        },
        {
            // The floor has the outputs' copy of the inputs as well, and a provider.
            label: `${column.title}: state beyond inputs and ${floorName}'s`,
            measured: difference(
                figure(column, ({ state }) => state.beyond),
                floor && figure(floor, ({ state }) => state.beyond),
            ),
            limit: stateBytes,
            unit: "bytes",
        },
    ];
}

function seconds(ms: number | undefined): number | undefined {
    return ms === undefined ? undefined : ms / 1000;
}

function difference(value: number | undefined, less: number | undefined): number | undefined {
    return value === undefined || less === undefined ? undefined : value - less;
}

function format(value: number): string {
    return Number.isInteger(value) || value >= 100 ? Math.round(value).toString() : value.toFixed(2);
}
