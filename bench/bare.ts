/**
 * A client that does nothing else, in a process of its own: undici, 64 connections, JSON in and out. It creates as many contents, reads each and
 * deletes each. With a folder it first has each create on disk: one file, and one fsync for all that wait for it together.
 */
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

// The same undici as the provider's.
const { Agent, request } = createRequire(new URL("../provider/package.json", import.meta.url))(
    "undici",
) as typeof import("undici");
const { argsOf, count } = createRequire(import.meta.url)("./programs/videos.cjs") as {
    argsOf(number: number): { content: unknown; metadata: Record<string, string> } & Record<string, unknown>;
    count: number;
};
const [folder] = process.argv.slice(2);
const { VIDEOGRAPH_BASE_URL: baseUrl = "", VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: key } = process.env;
const connections = 64;
const dispatcher = new Agent({ connections, pipelining: 1 });
const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${key}`).toString("base64")}`,
    "content-type": "application/json",
};

const journal = folder === undefined ? undefined : await open(join(folder, "bare.jsonl"), "ax");
let lines: string[] = [];
let next: Promise<void> | undefined;
let last = Promise.resolve();

/** On disk, with all others that wait. */
function durable(line: object): Promise<void> {
    lines.push(JSON.stringify(line));
    next ??= last.then(async () => {
        const text = `${lines.join("\n")}\n`;
        [lines, last, next] = [[], next ?? last, undefined];
        await journal?.appendFile(text);
        await journal?.sync();
    });
    return next;
}

async function send(method: "POST" | "GET" | "DELETE", path: string, body?: object): Promise<{ contentId: string }> {
    const options = { method, headers, dispatcher, body: body === undefined ? null : JSON.stringify(body) };
    const { statusCode, body: answer } = await request(`${baseUrl}/video/services/api/v1/contents${path}`, options);
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${method} ${path}: HTTP ${statusCode} ${text}`);
    return text === "" ? { contentId: "" } : JSON.parse(text).data;
}

async function create(number: number): Promise<string> {
    const { metadata, playbackPolicy, ...args } = argsOf(number);
    const pairs = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    if (journal !== undefined) await durable({ number, marker: "m".repeat(100) });
    return (await send("POST", "", { ...args, playback_policy: playbackPolicy, metadata: pairs })).contentId;
}

/** Does it for all, so many at a time, and gives the seconds that passed and those of CPU. */
async function phase<T>(
    items: readonly T[],
    work: (item: T) => Promise<unknown>,
): Promise<{ time: number; cpu: number }> {
    const [begin, cpu] = [performance.now(), process.cpuUsage()];
    const left = items.values();
    await Promise.all(
        Array.from({ length: connections }, async () => {
            for (const item of left) await work(item);
        }),
    );
    const { user, system } = process.cpuUsage(cpu);
    return { time: (performance.now() - begin) / 1000, cpu: (user + system) / 1e6 };
}

const ids: string[] = [];
const created = await phase(
    Array.from({ length: count }, (_, number) => number),
    async (number) => ids.push(await create(number)),
);
const read = await phase(ids, (id) => send("GET", `/${id}`));
const deleted = await phase(ids, (id) => send("DELETE", `/${id}`));
await journal?.close();
await dispatcher.close();
console.log(JSON.stringify({ created, read, deleted, peak: process.resourceUsage().maxRSS * 1024 }));
