/** Where a process spent its time, by the profile that `node --cpu-prof` wrote when it ended. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

interface Profile {
    nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number } }[];
    samples: number[];
    timeDeltas: number[];
}

/** Those with the most time of their own: seconds by name. */
export interface Shares {
    busy: number;
    functions: [name: string, seconds: number][];
    packages: [name: string, seconds: number][];
}

const shown = 10;

export function sharesOf(paths: readonly string[]): Shares {
    const functions = new Map<string, number>();
    const packages = new Map<string, number>();
    const add = (to: Map<string, number>, name: string, ms: number) => to.set(name, (to.get(name) ?? 0) + ms / 1e6);
    for (const path of paths) {
        const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, "utf8")) as Profile;
        const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
        for (const [index, id] of samples.entries()) {
            const frame = frames.get(id);
            if (frame === undefined || /^\((idle|root|program)\)$/.test(frame.functionName)) continue;
            const { functionName, url } = frame;
            const where = moduleOf(frame);
            const micros = timeDeltas[index] ?? 0;
            add(functions, `${functionName || "(anonymous)"} ${url === "" ? "" : basename(where)}`.trim(), micros);
            add(packages, packageOf(functionName, where), micros);
        }
    }
    const most = (all: Map<string, number>) => [...all].sort(([, a], [, b]) => b - a).slice(0, shown);
    const busy = [...packages.values()].reduce((sum, one) => sum + one, 0);
    return { busy, functions: most(functions), packages: most(packages) };
}

function packageOf(functionName: string, where: string): string {
    if (where === "") return functionName.startsWith("(") ? functionName : "native code";
    if (where.startsWith("node:")) return where;
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(where) ?? [];
    return name ?? /([^/]+\/[^/]+)$/.exec(where)?.[1] ?? where;
}

/** The file of a function. A bundle has the name of each file that it was made of where that begins. */
function moduleOf({ url, lineNumber, columnNumber }: Profile["nodes"][number]["callFrame"]): string {
    if (!url.startsWith("file:") && !url.startsWith("/")) return url;
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    if (!/videograph.*index\.js$/.test(path)) return path;
    const marks = marksOf(path);
    const isBefore = ([line = 0, column = 0]: number[]) =>
        line < lineNumber || (line === lineNumber && column <= columnNumber);
    return marks.findLast(({ at }) => isBefore(at))?.name ?? path;
}

const marks = new Map<string, { at: number[]; name: string }[]>();

function marksOf(path: string): { at: number[]; name: string }[] {
    let known = marks.get(path);
    if (known === undefined) {
        const lines = readFileSync(path, "utf8").split("\n");
        known = lines.flatMap((text, line) =>
            Array.from(text.matchAll(/"([\w@./-]+\.[cm]?[jt]s)"\(/g), ({ index, 1: name = "" }) => ({
                at: [line, index],
                name,
            })),
        );
        marks.set(path, known);
    }
    return known;
}
