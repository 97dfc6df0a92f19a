/** Where a process spent its time, by the profile that `node --cpu-prof` wrote when it ended. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

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
    // A folder of the provider's own.
    return name ?? /([^/]+\/[^/]+)\/[^/]+$/.exec(where)?.[1] ?? where;
}

/** The file of a function. A bundle is made of many. */
function moduleOf({ url, lineNumber, columnNumber }: Profile["nodes"][number]["callFrame"]): string {
    if (!url.startsWith("file:") && !url.startsWith("/")) return url;
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    if (!/videograph.*index\.js$/.test(path)) return path;
    const { source, modules } = partsOf(path);
    const at = source.getPositionOfLineAndCharacter(lineNumber, columnNumber);
    return modules.find(({ end }) => at < end)?.name ?? path;
}

interface Parts {
    source: ts.SourceFile;
    /** In their order. esbuild puts the functions of a module before its call of `__esm`. */
    modules: { name: string; end: number }[];
}

const bundles = new Map<string, Parts>();

/** esbuild writes `__commonJS({ "path"() {…} })` and `__esm({ "path"() {…} })`. */
function partsOf(path: string): Parts {
    const known = bundles.get(path);
    if (known !== undefined) return known;
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
    const modules: Parts["modules"] = [];
    const visit = (node: ts.Node): void => {
        const isModule = ts.isCallExpression(node) && /^__(commonJS|esm)$/.test(node.expression.getText(source));
        if (!isModule) return void ts.forEachChild(node, visit);
        const [parts] = node.arguments;
        const [part] = parts && ts.isObjectLiteralExpression(parts) ? parts.properties : [];
        if (part?.name && ts.isStringLiteral(part.name)) modules.push({ name: part.name.text, end: node.end });
    };
    for (const statement of source.statements) if (ts.isVariableStatement(statement)) visit(statement);
    const parts = { source, modules };
    bundles.set(path, parts);
    return parts;
}
