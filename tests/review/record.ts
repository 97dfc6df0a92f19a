/**
 * Records the plans of these tests: each a real `pulumi preview --json` against the emulator. Run it once by hand after the form of plans
 * has changed: `node tests/review/record.ts`, or with the names of some.
 */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Emulator, startEmulator } from "videograph-emulator";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import type { Face } from "../support/projectFolder.ts";
import { TestStack } from "../support/testStack.ts";

/** A stack between two programs. */
interface Scene {
    readonly face?: Face;
    /** The program that is applied; none where nothing was applied. */
    readonly before?: string;
    readonly after: string;
    /** What happens between the two. */
    between?(stack: TestStack, emulator: Emulator): Promise<void>;
}

const source = (file: string) => `[{ url: "https://media.example.com/${file}" }]`;
const content = (name: string, title: string, more = "", options = "") =>
    `new videograph.Content("${name}", { title: "${title}", content: ${source(`${name}.mp4`)}, ${more} }, { ${options} });\n`;

const library = (name: string, entries: string, more = "") =>
    `new videograph.ContentLibrary("${name}", { contents: { ${entries} }, ${more} });\n`;
const entry = (key: string, title: string, more = "") =>
    `${key}: { title: "${title}", content: ${source(`${key}.mp4`)}, ${more} },`;

const episodes = (title: (number: number) => string, count: number, first = 0) =>
    Array.from({ length: count }, (_, index) =>
        entry(`ep${String(first + index).padStart(4, "0")}`, title(first + index)),
    ).join("");
const season = (number: number) => `Episode ${number}`;

const other = `
class Counter extends pulumi.dynamic.Resource {
    constructor(name, size) {
        const diff = async () => ({ changes: true });
        const create = async (inputs) => ({ id: "1", outs: inputs });
        super({ create, diff, update: async (id, olds, news) => ({ outs: news }) }, name, { size });
    }
}
class Site extends pulumi.ComponentResource {
    constructor(name) {
        super("site:index:Site", name);
    }
}
`;

const mixedBefore =
    content("harbour", "Welcome to the harbour", `tags: ["launch", "quay"], metadata: { season: "2", crew: "A" }`) +
    content("tides", "How the tides work") +
    content("storm", "The storm of 1953", `playbackPolicy: ["signed"]`) +
    content("lock", "The old lock") +
    content("kept", "The ferry", "", "retainOnDelete: true") +
    content("brief", "A brief view", "", "deleteBeforeReplace: true") +
    content("saved", "The first ship", "", "retainOnDelete: true") +
    `new videograph.Livestream("live", { title: "Live from the quay", region: "us-east-1" });
new videograph.Livestream("night", { title: "The quay at night", region: "us-east-1", dvrDurationInMins: 30 });
` +
    library("archive", entry("mole", "The mole") + entry("keg", "The keg") + entry("old", "Old times"));

const secrets = (sign: number, end: string) =>
    content("harbour", `A harbour${end}`, 'sourceVersion: "1"').replace(
        "harbour.mp4",
        `harbour.mp4?signature=${sign}`,
    ) + content("tides", "Tides").replace("tides.mp4", `tides.mp4?signature=${sign}`);
const signedEntry = (key: string, title: string, sign: number) =>
    entry(key, title).replace(`${key}.mp4`, `${key}.mp4?signature=${sign}`);

const maskedBefore =
    secrets(1, "") +
    library(
        "archive",
        signedEntry("mole", "The mole", 1) + signedEntry("pier", "The pier", 1) + entry("crane", "A crane"),
    ) +
    library("cellar", entry("keg", "The keg") + entry("cask", "The cask")) +
    `new native.ContentLibrary("vault", { contents: pulumi.secret({ ${entry("gold", "Gold")} ${entry("silver", "Silver")} }) });
new videograph.Livestream("live", { title: pulumi.secret("Live at a secret place"), region: "us-east-1" });\n`;
const maskedAfter =
    secrets(2, "!") +
    library(
        "archive",
        signedEntry("mole", "The mole!", 2) + signedEntry("pier", "The pier", 1) + signedEntry("quay", "The quay", 1),
    ) +
    library("cellar", entry("keg", "The keg!")) +
    `new native.ContentLibrary("vault", { contents: pulumi.secret({ ${entry("gold", "Gold").replace("gold.mp4", "gold-v2.mp4")} }) });
new videograph.Livestream("live", { title: pulumi.secret("Live at a secret place"), region: "us-west-1" });\n`;

const scenes: Readonly<Record<string, Scene>> = {
    nothing: { before: content("harbour", "Welcome"), after: content("harbour", "Welcome") },
    first: {
        after:
            `const film = ${content("film", "The harbour in a minute", `playbackPolicy: ["signed"]`)}` +
            content("quay", "The quay", "waitForReady: false") +
            `new videograph.Clip("clip", { contentId: film.contentId, startTime: 2, endTime: 14.5, title: "Highlights" });
new videograph.Livestream("live", { title: "Live from the quay", region: "us-east-1", record: true });
new videograph.ContentReadiness("ready", { contentIds: [film.contentId] });
` +
            library("archive", entry("mole", "The mole") + entry("keg", "The keg")),
    },
    mixed: {
        before: mixedBefore,
        after:
            content("harbour", "The harbour", `tags: ["launch", "pier"], metadata: { season: "3", crew: "A" }`) +
            content("tides", "How the tides work").replace("tides.mp4", "tides-v2.mp4") +
            content("storm", "The storm of 1953", `playbackPolicy: ["public"], waitForReady: false`) +
            content("new", "A new day") +
            content("brief", "A brief view", "mp4Support: true", "deleteBeforeReplace: true") +
            content("saved", "The first ship", "mp4Support: true", "retainOnDelete: true") +
            `new videograph.Content("taken", { importId: "@taken@", title: "From the old site" });
new videograph.Livestream("live", { title: "Live from the quay", region: "us-west-1" });
new videograph.Livestream("night", { title: "The quay at night", region: "us-east-1", dvrDurationInMins: 60 });
` +
            library(
                "archive",
                entry("mole", "The long mole") +
                    entry("keg", "The keg").replace("keg.mp4", "keg-v2.mp4") +
                    entry("fresh", "Fresh fish"),
            ),
    },
    failed: {
        before: content("harbour", "Welcome"),
        after: content("harbour", "") + content("tides", "Tides", `subtitel: "x"`),
    },
    withoutState: { before: content("tides", "Tides") + content("quay", "The quay"), after: "", between: forgetState },
    library1000: {
        face: "native",
        before: library("series", episodes(season, 1000)),
        after: library(
            "series",
            episodes((number) => `Part ${number}`, 10) +
                episodes(season, 980, 10).replaceAll(/(ep00[1]\d)\.mp4/g, "$1-v2.mp4") +
                episodes(season, 10, 1000),
            "maxDeletes: 20",
        ),
    },
    native: { face: "native", before: mixedBefore, after: "" },
    bothFaces: {
        before:
            content("film", "The film") +
            `new native.Content("short", { title: "The short", content: ${source("short.mp4")} });\n`,
        after:
            content("film", "The long film") +
            `new native.Content("short", { title: "The short", content: ${source("short-v2.mp4")} });\n`,
    },
    masked: { before: maskedBefore, after: maskedAfter },
    hidden: { before: maskedBefore, after: maskedAfter, between: hideSecrets },
    otherPackages: {
        before: `${other + content("film", "The film")}new Counter("visits", 1); new Counter("old", 1); new Site("page");\n`,
        after: `${other + content("film", "The film!")}new Counter("visits", 2); new Counter("new", 1); new Site("page");\n`,
    },
};

/** Another machine, whose backend is empty. */
async function forgetState(stack: TestStack): Promise<void> {
    await stack.editState(() => []);
    await stack.program((scenes.withoutState?.before ?? "").replace("Tides", "Tides!"));
}

/** As the GitOps example leaves the state for previews. */
async function hideSecrets(stack: TestStack): Promise<void> {
    const filter = join(import.meta.dirname, "..", "..", "examples", "gitops", ".github", "without-secrets.jq");
    const { stdout } = await stack.start("stack", "export", "--show-secrets").result;
    const copy = spawnSync("jq", ["--from-file", filter], { input: stdout, maxBuffer: 2 ** 28 }).stdout;
    await writeFile(join(stack.folder, "hidden.json"), copy);
    await stack.run("stack", "import", "--file", "hidden.json");
}

async function record(name: string, { face, before, after, between }: Scene): Promise<void> {
    await using emulator = await closing();
    const cli = await obtainPulumiCli();
    const stack = await TestStack.create({ cli, face, env: emulator.env, secrets: () => [] });
    try {
        if (before !== undefined) {
            await stack.program(before);
            await stack.up();
        }
        const { contentId } = emulator.addContent({ title: "On the old site" });
        const last = after || (face === "native" ? scenes.mixed?.after : before);
        await stack.program((last ?? "").replace("@taken@", contentId));
        await between?.(stack, emulator);
        // Native types have no importId.
        const program = await readFile(join(stack.folder, "index.js"), "utf8");
        if (face === "native") await stack.write("index.js", program.replace(/^new .*importId.*\n/m, ""));
        const { stdout } = await stack.start("preview", "--json").result;
        // Where each line of the program is would name folders of this machine.
        const cleaned = (text: string) =>
            JSON.parse(
                text.replaceAll(emulator.url, "https://play.example.com").replaceAll(stack.folder, "/channel"),
                (key, value) => (/^(sourcePosition|stackTrace)$/.test(key) ? undefined : value),
            );
        const text = JSON.stringify(cleaned(stdout), undefined, 1);
        await writeFile(join(import.meta.dirname, "plans", `${name}.json`), `${text}\n`);
        // The same plan in the other forms, once.
        if (name === "mixed") await recordEvents(stack, cleaned);
        console.log(`${name}: ${text.length} characters`);
    } finally {
        await stack.dispose();
    }
}

async function recordEvents(stack: TestStack, cleaned: (text: string) => unknown): Promise<void> {
    const write = (file: string, text: string) => {
        const lines = text.trim().split("\n");
        const log = lines.map((line) => `${JSON.stringify(cleaned(line))}\n`).join("");
        return writeFile(join(import.meta.dirname, "plans", file), log);
    };
    stack.env.PULUMI_DEBUG_COMMANDS = "true";
    const log = join(stack.folder, "events");
    await stack.start("preview", "--event-log", log).result;
    await write("mixed.events.txt", await readFile(log, "utf8"));
    stack.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW = "true";
    const { stdout } = await stack.start("preview", "--json").result;
    await write("mixed.stream.txt", stdout);
}

async function closing() {
    const emulator = await startEmulator({ fetchSources: false, processingTimeMs: 10, deletingTimeMs: 10 });
    return Object.assign(emulator, { [Symbol.asyncDispose]: () => emulator.close() });
}

const wanted = process.argv.slice(2);
for (const [name, scene] of Object.entries(scenes))
    if (wanted.length === 0 || wanted.includes(name)) await record(name, scene);
process.exit();
