/** A Node process that loads modules, and tells of the last one how long that took and which files it brought in. */
import diagnostics from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Times are in ms. */
export interface Load {
    readonly time: number;
    readonly cpu: number;
    /** By package, or folder of a package, the slowest first. */
    readonly parts: readonly Part[];
}

export interface Part {
    readonly name: string;
    readonly files: number;
    /** Of its own files, without what they load in turn. */
    readonly time: number;
}

/** As a Pulumi program resolves modules. */
const require = createRequire(join(import.meta.dirname, "..", "examples", "quickstart", "index.js"));
const modules = process.argv.slice(2);
const last = modules.pop() ?? "";
for (const name of modules) require(name);

const ownTime = new Map<string, number>();
const known = new Set(Object.keys(require.cache));
const cpuBefore = process.cpuUsage();
const begin = performance.now();
const stopClock = followRequires();
require(last);
stopClock();
const time = performance.now() - begin;
const { user, system } = process.cpuUsage(cpuBefore);

const parts = new Map<string, { files: number; time: number }>();
for (const file of Object.keys(require.cache).filter((file) => !known.has(file))) {
    const name = partOf(file);
    const part = parts.get(name) ?? { files: 0, time: 0 };
    parts.set(name, { files: part.files + 1, time: part.time + (ownTime.get(file) ?? 0) });
}
const load: Load = {
    time,
    cpu: (user + system) / 1000,
    parts: [...parts].map(([name, part]) => ({ name, ...part })).sort((a, b) => b.time - a.time),
};
process.stdout.write(JSON.stringify(load));

/** Books the time to the innermost module that is being loaded, until the returned function is called. */
function followRequires(): () => void {
    const loading: string[] = [];
    let since = performance.now();
    const book = () => {
        const now = performance.now();
        const current = loading.at(-1);
        if (current !== undefined) ownTime.set(current, (ownTime.get(current) ?? 0) + now - since);
        since = now;
    };
    const onStart = (message: unknown) => {
        book();
        const { id, parentFilename } = message as { id: string; parentFilename: string };
        loading.push(resolved(id, parentFilename));
    };
    const onEnd = () => {
        book();
        loading.pop();
    };
    const { start, end } = diagnostics.tracingChannel("module.require");
    start?.subscribe(onStart);
    end?.subscribe(onEnd);
    return () => {
        start?.unsubscribe(onStart);
        end?.unsubscribe(onEnd);
    };
}

function resolved(id: string, from: string): string {
    try {
        return createRequire(from).resolve(id);
    } catch {
        return id;
    }
}

/** "undici" of a file of undici; of a package with folders that matter, the folder: "zod/v4/locales". */
function partOf(file: string): string {
    const inPackage = /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)[/\\](.*)$/.exec(file);
    if (inPackage === null) return "pulumi-videograph";
    const [, name = "", path = ""] = inPackage;
    return name === "zod" && path.includes("locales") ? "zod, its locales" : name;
}
