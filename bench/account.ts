/**
 * `npm run bench:account`: the commands that read a whole account, `adopt` and `orphans`, with many contents: time, memory and
 * requests of a whole run, and of one that continues after half of it was done.
 */
import { spawn } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Emulator, startEmulator } from "videograph-emulator";
import { VideographApi } from "../provider/dist/api/client.js";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";

const repository = join(import.meta.dirname, "..");
const command = join(repository, "provider", "bin", "pulumi-videograph.js");

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "100000" },
        latency: { type: "string", default: "0" },
        help: { type: "boolean", short: "h", default: false },
    },
});

if (values.help) {
    console.log(`Runs pulumi-videograph adopt and orphans against the emulator. A tenth of the contents is in the stack's state, one
of a thousand is an orphan, and all others have no marker.

Usage: npm run bench:account -- [options]

  --n <number>     how many contents (default ${values.n})
  --latency <ms>   how much later every answer comes (default ${values.latency})
  --help           show this text`);
    process.exit();
}

interface Measured {
    readonly label: string;
    readonly code: number | null;
    /** Seconds. */
    readonly time: number;
    /** The most that was resident of the command itself, in MB. */
    readonly memory: number;
    readonly requests: number;
}

const count = Number(values.n);
const cli = await obtainPulumiCli();
const latency = Number(values.latency);
const emulator = await startEmulator({
    fetchSources: false,
    requestLogLimit: 10,
    faults: latency > 0 ? [{ kind: "latency", ms: latency }] : [],
});
let requests = 0;
const onRequest = new Set<() => void>([() => requests++]);
diagnostics.subscribe("http.server.request.start", () => {
    for (const note of onRequest) note();
});
const folder = await projectFolder();
const env = {
    ...isolatedEnvironment(cli, { backend: join(folder, "state"), home: join(folder, "home"), passphrase: "bench" }),
    ...emulator.env,
    HOME: join(folder, "home"),
};
try {
    console.log(
        `${cpus().length} cores, Node ${process.versions.node}; ${count} contents, answers ${latency} ms late\n`,
    );
    await fillStack(emulator);
    const rows: Measured[] = [];
    for (const args of [
        ["adopt", "--force"],
        ["orphans", "--min-age", "0s"],
    ]) {
        const whole = await measure(`\`${args[0]}\``, args);
        await measure("", args, whole.requests / 2);
        rows.push(whole, await measure(`\`${args[0]}\`, continued after half`, args));
    }
    console.log(table(rows));
} finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function projectFolder(): Promise<string> {
    const made = await realpath(await mkdtemp(join(tmpdir(), "videograph-bench-account-")));
    for (const name of ["state", "home"]) await mkdir(join(made, name));
    await symlink(join(repository, "node_modules"), join(made, "node_modules"));
    await writeFile(join(made, "Pulumi.yaml"), "name: bench\nruntime: nodejs\n");
    await writeFile(join(made, "package.json"), '{ "private": true }\n');
    return made;
}

/** Makes the account, and a stack whose state has a tenth of it. */
async function fillStack({ env: settings }: Emulator): Promise<void> {
    const { VIDEOGRAPH_BASE_URL: baseUrl = "", VIDEOGRAPH_ACCESS_TOKEN_ID: accessTokenId = "" } = settings;
    const { fingerprint } = new VideographApi({ baseUrl, accessTokenId, secretKey: "unused" });
    const providerUrn = "urn:pulumi:bench::bench::pulumi:providers:pulumi-nodejs::default";
    const resources: object[] = [
        { urn: providerUrn, custom: true, id: "provider", type: "pulumi:providers:pulumi-nodejs" },
    ];
    for (let number = 0; number < count; number++) {
        const isRecorded = number % 10 === 0;
        const hasMarker = isRecorded || number % 1000 === 1;
        const name = `episode-${number}`;
        const value = `pulumi:bench/bench/${name}:${number.toString(16).padStart(12, "0")}`;
        const { contentId } = emulator.addContent({
            title: `Episode ${number}`,
            description: "An episode of a series",
            tags: ["series", "benchmark"],
            metadata: [{ key: "season", value: "2" }, ...(hasMarker ? [{ key: "managed_by", value }] : [])],
        });
        if (!isRecorded) continue;
        const type = "pulumi-nodejs:dynamic/videograph:Content";
        resources.push({
            ...{ urn: `urn:pulumi:bench::bench::${type}::${name}`, custom: true, id: contentId, type },
            inputs: { title: `Episode ${number}` },
            outputs: { title: `Episode ${number}`, __meta: { v: 1, env: fingerprint, mark: value } },
            provider: `${providerUrn}::provider`,
        });
    }
    const manifest = { time: new Date().toISOString(), magic: "", version: "" };
    await writeFile(join(folder, "stack.json"), JSON.stringify({ version: 3, deployment: { manifest, resources } }));
    await run("pulumi", ["stack", "init", "bench"]);
    await run("pulumi", ["stack", "import", "--file", "stack.json"]);
}

/** One run of the command; with `limit`, it is killed after so many requests. */
async function measure(label: string, args: readonly string[], limit = Number.POSITIVE_INFINITY): Promise<Measured> {
    requests = 0;
    const file = join(folder, "memory");
    const note = `process.on("exit",()=>require("node:fs").writeFileSync(${JSON.stringify(file)},String(process.resourceUsage().maxRSS)))`;
    await writeFile(join(folder, "note.cjs"), note);
    const begin = performance.now();
    const child = spawn(process.execPath, ["--require", join(folder, "note.cjs"), command, ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "ignore", "ignore"],
    });
    const stop = () => {
        if (requests > limit) child.kill("SIGKILL");
    };
    onRequest.add(stop);
    const [code] = (await once(child, "close")) as [number | null];
    onRequest.delete(stop);
    const time = (performance.now() - begin) / 1000;
    if (limit === Number.POSITIVE_INFINITY && ![0, 3].includes(code ?? -1))
        throw new Error(`${args} ended with ${code}`);
    const memory = limit === Number.POSITIVE_INFINITY ? Number(await readFile(file, "utf8")) / 1000 : 0;
    return { label, code, time, memory, requests };
}

async function run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
}

function table(rows: readonly Measured[]): string {
    const head = ["", "time, s", "memory, MB", "requests"];
    const body = rows.map(({ label, time, memory, requests: sent }) => [
        label,
        time.toFixed(0),
        memory.toFixed(0),
        sent.toLocaleString("en-US"),
    ]);
    const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
    return [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
