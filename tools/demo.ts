/**
 * The quickstart against the emulator, with nothing to sign up for.
 *
 *     node tools/demo.ts            deploys it, shows that a second `up` changes nothing, and serves the page to look at
 *     node tools/demo.ts destroy    deletes what the first one made, from the same state
 *
 * Everything is kept in .demo/ in the repository; only the Pulumi CLI itself is kept elsewhere.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultToken, type Emulator, startEmulator } from "videograph-emulator";
import { isolatedEnvironment, pulumiVariables, shellExports } from "./pulumiCli/environment.ts";
import { anyPulumiCli } from "./pulumiCli/index.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, ".demo");
const stack = "demo";
const stacks = { backend: join(folder, "state"), home: join(folder, "pulumi"), passphrase: "demo" };
const emulatorState = join(folder, "emulator.json");
const portFile = join(folder, "emulator.port");
/** Long enough to see its progress, and to press Ctrl-C twice. */
const slowSource = { name: "sample2.mp4", processingMs: 8000 };

/** A program's second file: many videos in one resource. */
const library = `// Every video of videos.json, as one resource.
import { readFileSync } from "node:fs";
import { ContentLibrary } from "pulumi-videograph";

new ContentLibrary("library", {
    defaults: { playbackPolicy: ["public"] },
    contents: JSON.parse(readFileSync("videos.json", "utf8")),
});
`;

// Ctrl-C reaches the CLI as well: what it started is finished, and what is open here is closed after it.
process.on("SIGINT", () => {});

const [command = "up"] = process.argv.slice(2);
try {
    if (command === "up") await up();
    else if (command === "destroy") await destroy();
    else throw new Error(`Unknown command ${command}: use "destroy" or nothing`);
} catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
}

async function up(): Promise<void> {
    const cli = await anyPulumiCli();
    // A demo starts over; everything of an earlier one was in this folder.
    await rm(folder, { recursive: true, force: true });
    for (const path of [stacks.backend, stacks.home]) await mkdir(path, { recursive: true });
    // A copy, to be changed.
    for (const name of ["Pulumi.yaml", "index.ts", "tsconfig.json"]) {
        await copyFile(join(root, "examples", "quickstart", name), join(folder, name));
    }

    const emulator = await startEmulator({
        stateFile: emulatorState,
        processingTimeMs: ({ content: [source] }) =>
            source?.url.endsWith(slowSource.name) ? slowSource.processingMs : 1000,
    });
    try {
        // A check of the program's types would take most of the time of an `up`.
        const own = { ...emulator.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
        const env = { ...isolatedEnvironment(cli, stacks), ...own };
        await writeFile(portFile, new URL(emulator.url).port);
        await writeFile(join(folder, "env"), shellExports({ ...pulumiVariables(cli, stacks), ...own }));
        await writeFile(join(folder, "library.ts"), library);
        await writeFile(join(folder, "videos.json"), libraryOf(emulator.sampleUrl()));
        await pulumi(env, "stack", "init", stack);
        await pulumi(env, "config", "set", "sourceUrl", emulator.sampleUrl());

        say("The first `pulumi up`: it ends when the video is playable");
        await pulumi(env, "up", "--yes", "--skip-preview");
        await checkPlayback(env);

        say("The second `pulumi up`: there is nothing to do");
        emulator.clearRequests();
        await pulumi(env, "up", "--yes", "--skip-preview", "--expect-no-changes");
        reportRequests(emulator);
        await showPage(emulator);
    } finally {
        await emulator.close();
    }
}

/** Until Ctrl-C or `demo:destroy`. Where nobody could press Ctrl-C, it says how to start the page again. */
async function showPage({ url }: Emulator): Promise<void> {
    const { port } = new URL(url);
    const isWatched = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
    say("That was the demo. Things to try, in a second terminal, after: cd .demo && . ./env");
    const tries = [
        ["Change the title", `sed -i.bak 's/"Trailer"/"My trailer"/' index.ts && pulumi up`],
        ["Break it, and see the reason", `pulumi up --config sourceUrl=${url}/`],
        ["Mend it", `pulumi up --config sourceUrl=${url}/sample.mp4`],
        ["Drift", "on the page, unfold the video and rename it. Then: pulumi refresh --diff"],
        ["Undo the drift", "pulumi up"],
        ["300 videos, one resource", `echo 'import "./library";' >> index.ts && pulumi up`],
        ["Change one of them", "sed -i.bak 's/Episode 42/Episode 42, uncut/' videos.json && pulumi up"],
        [
            "What a new source would do",
            `npx pulumi-videograph review --html review.html -- --config sourceUrl=${url}/${slowSource.name}`,
        ],
        ["Replace the source, and kill it", `pulumi up --config sourceUrl=${url}/${slowSource.name}`],
        ["", "Press Ctrl-C twice while the page shows its progress"],
        ["Go on, with one video", "pulumi up"],
        ["", "Its warning asks for a check by hand: you need not"],
        ["Delete everything", "cd .. && npm run demo:destroy"],
    ] as const;
    const width = Math.max(...tries.map(([name]) => name.length)) + 1;
    for (const [name, command] of tries) console.log(`${(name && `${name}:`).padEnd(width)} ${command}`);
    console.log();
    if (!isWatched) {
        console.log(
            "There is no terminal, so `pulumi up` needs --yes, and the service ends here. Start it again, and look at its page:",
        );
        console.log(`npx videograph-emulator --state .demo/emulator.json --port ${port}`);
        return;
    }
    console.log(`The page, until Ctrl-C: ${url}`);
    // What `demo:destroy` deletes.
    const deleted = watch(portFile);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), once(deleted, "change")]);
    deleted.close();
    console.log("\nThe service has ended, and its page with it.");
}

function libraryOf(url: string): string {
    const entry = (_: unknown, index: number) => [
        `ep-${index + 1}`,
        { title: `Episode ${index + 1}`, content: [{ url }] },
    ];
    return `${JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, entry)), undefined, 4)}\n`;
}

async function destroy(): Promise<void> {
    if (!existsSync(portFile)) throw new Error("There is no demo to destroy: `npm run demo` makes one.");
    const cli = await anyPulumiCli();
    // At the same address as before: the state says where its objects live.
    const port = Number(await readFile(portFile, "utf8"));
    const url = `http://127.0.0.1:${port}`;
    const isServing = await fetch(`${url}/_emulator/health`).catch(() => undefined);
    const emulator = isServing ? undefined : await startEmulator({ stateFile: emulatorState, port });
    const { id, secret } = defaultToken;
    const service = { VIDEOGRAPH_BASE_URL: url, VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: secret };
    try {
        await pulumi(
            { ...isolatedEnvironment(cli, stacks), ...service },
            "destroy",
            "--yes",
            "--skip-preview",
            "--remove",
        );
    } finally {
        await emulator?.close();
    }
    await rm(folder, { recursive: true, force: true });
    say("Everything is deleted, .demo/ included");
}

/** Runs the CLI on the demo's project, on this terminal. */
async function pulumi(env: Record<string, string>, ...args: string[]): Promise<void> {
    const child = spawn("pulumi", args, { cwd: folder, env, stdio: "inherit" });
    const [code, signal] = await once(child, "close");
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${signal ?? `code ${code}`}.`);
}

async function checkPlayback(env: Record<string, string>): Promise<void> {
    const url = execFileSync("pulumi", ["stack", "output", "playbackUrl"], {
        cwd: folder,
        env,
        encoding: "utf8",
    }).trim();
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answers ${response.status}: the video does not play.`);
    say(`${url} plays (${response.status}, ${response.headers.get("content-type")})`);
}

function reportRequests(emulator: Emulator): void {
    const requests = emulator.requests.map(({ method, path }) => `${method} ${path}`);
    const others = requests.filter((request) => !request.endsWith("/signing-keys"));
    if (others.length > 0)
        throw new Error(`The second up sent ${others.join(", ")}: it should send nothing of its own.`);
    say(`The service saw nothing of it but the program's own lookup of the signing keys (${requests.length} request)`);
}

function say(text: string): void {
    console.log(`\n== ${text}`);
}
