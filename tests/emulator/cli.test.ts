// The emulator as a command: what it prints, what its options do, and what is said of wrong ones.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startEmulator } from "videograph-emulator";
import { parseCommandLine } from "../../emulator/dist/commandLine.js";
import { apiRoot, basic, minimal } from "./support.ts";

const program = fileURLToPath(new URL("../../emulator/bin/videograph-emulator.js", import.meta.url));

const run = (...args: string[]) => spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });

describe("emulator: command line", () => {
    const children: ReturnType<typeof run>[] = [];
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
    });
    afterEach(async () => {
        for (const child of children.splice(0)) child.kill();
        await rm(folder, { recursive: true, force: true });
    });

    /** Starts one on any port; gives its first line, the URL, and the rest as it comes. */
    async function start(...args: string[]) {
        const child = run("--port", "0", ...args);
        children.push(child);
        const lines: string[] = [];
        const reader = createInterface(child.stdout).on("line", (line) => lines.push(line));
        const ended = once(child, "exit").then(() => assert.fail("The emulator has ended"));
        ended.catch(() => undefined);
        while (!lines.some((line) => line.startsWith("A video"))) await Promise.race([once(reader, "line"), ended]);
        const url = lines[0] ?? "";
        const request = (method: string, path: string, id: string, body?: object) => {
            const headers = { authorization: basic({ id, secret: "s3cret" }), "content-type": "application/json" };
            return fetch(url + apiRoot + path, { method, headers, body: body ? JSON.stringify(body) : null });
        };
        // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; a wrong path fails the assertion
        const control = async (path: string): Promise<any> => (await fetch(`${url}/_emulator${path}`)).json();
        return { child, url, lines, request, control };
    }

    it("prints its URL on a line of its own, then how to point a provider at it, and does as it is told", async () => {
        const { url, lines, request, control } = await start(
            ...["--token", "mine:s3cret:4", "--token", "reader:s3cret:4:read", "--allow-host", "emulator"],
            ...["--no-fetch", "--processing-time", "1.5s", "--variant", "createCode=200,listMetadata=true"],
            ...["--variant", 'pendingStatuses=["Pending"]'],
            ...["--fault", '{"kind":"status","status":429,"path":"/livestreams"}'],
            ...["--fault", "kind=status,status=503,retryAfter=2,path=/contents,method=GET,times=1"],
        );
        assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.ok(lines.includes("Nothing is kept when it ends. To keep objects and sources: --state <file>"));
        const env = { VIDEOGRAPH_BASE_URL: url, VIDEOGRAPH_ACCESS_TOKEN_ID: "mine", VIDEOGRAPH_SECRET_KEY: "s3cret" };
        for (const [name, value] of Object.entries(env)) assert.ok(lines.includes(`export ${name}='${value}'`), name);
        assert.equal((await request("POST", "/contents", "reader", minimal)).status, 403);
        assert.equal((await request("POST", "/contents", "mine", minimal)).status, 200);
        const busy = await request("GET", "/contents", "mine");
        assert.deepEqual([busy.status, busy.headers.get("retry-after")], [503, "2"]);
        assert.equal((await request("GET", "/livestreams", "mine")).status, 429);
        const [{ status, environmentId, processingMs }] = await control("/contents");
        assert.deepEqual([status, environmentId, processingMs], ["Pending", 4, 1500]);
        const byName = (host: string) =>
            new Promise((resolve, reject) => {
                const sent = get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode));
                sent.on("error", reject);
            });
        assert.deepEqual([await byName("emulator:80"), await byName("other")], [200, 403]);
        // A second one finds its port taken: one line says so, and what to do.
        const second = run("--port", new URL(url).port);
        const [output, error] = await Promise.all([text(second.stdout), text(second.stderr)]);
        assert.deepEqual([output, second.exitCode ?? (await once(second, "close"))[0]], ["", 1]);
        assert.match(error, /^[^\n]*Port \d+ of 127\.0\.0\.1 is in use \(EADDRINUSE\).* 0 takes any free one\n$/);
    });

    it("begins with the objects of a seed file, or with those of a state file, even of one that was killed", async () => {
        const [seed, state] = [join(folder, "videos.json"), join(folder, "state.jsonl")];
        const contents = [
            { title: "Trailer", tags: ["launch"] },
            { title: "Broken", status: "Failed", reason: "no video", environmentId: 2 },
        ];
        await writeFile(seed, JSON.stringify({ contents, livestreams: [{ title: "Stage", status: "Active" }] }));
        for (const signal of ["SIGKILL", "SIGINT"] as const) {
            const { child, lines: said, control } = await start("--seed", seed, "--state", state);
            assert.ok(said.includes(`Objects are kept in ${state}`) && !said.join().includes("Nothing is kept"));
            const shown = [...(await control("/contents")), ...(await control("/livestreams"))];
            const lines = shown.map(({ title, status, environmentId }) => `${title} ${status} ${environmentId}`);
            assert.deepEqual(lines, ["Trailer Ready 1", "Broken Failed 2", "Stage Active 1"]);
            const closed = once(child, "close");
            child.kill(signal);
            assert.deepEqual(await closed, signal === "SIGKILL" ? [null, signal] : [0, null]);
        }
        await writeFile(seed, JSON.stringify({ contents: [{ title: "Fine" }, { tittle: "Typo" }] }));
        const typo = /videos\.json cannot be used: contents\[1\]\.title: .*"tittle"/;
        assert.throws(() => parseCommandLine(["--seed", seed]), typo);
    });

    it("ends cleanly on SIGTERM, even with a request hanging", async () => {
        const { child, request, control } = await start("--token", "a:s3cret", "--fault", "kind=hang");
        const hanging = request("GET", "/contents", "a").catch((error: Error) => error.name);
        while ((await control("/requests")).length === 0);
        const closed = once(child, "close");
        child.kill("SIGTERM");
        assert.deepEqual(await closed, [0, null]);
        assert.equal(await hanging, "TypeError");
    });

    it("ends with one line where the folder of its state file is removed", async () => {
        const { child } = await start("--state", join(folder, ".demo", "state.jsonl"));
        const closed = once(child, "close");
        const error = text(child.stderr);
        await rm(join(folder, ".demo"), { recursive: true });
        assert.deepEqual(await closed, [1, null]);
        const stopped = /^videograph-emulator: stopped, because the state file \S+state\.jsonl was removed[^\n]*\n$/;
        assert.match(await error, stopped);
    });

    it("says once which web page it has refused, and how to allow it: a browser's console says only that it is CORS", async () => {
        const { child, url, lines } = await start("--allow-origin", "http://localhost:3000");
        const refused: string[] = [];
        const reader = createInterface(child.stderr).on("line", (line) => refused.push(line));
        const send = (origin: string, method: string, path = `${apiRoot}/contents`) =>
            fetch(url + path, { method, headers: { origin } });
        const told = (origin: string) =>
            `videograph-emulator: refused a web page of ${origin}, which its browser calls a CORS error. To allow it: --allow-origin ${origin}`;
        for (const origin of ["http://localhost:3000", "http://localhost:5173", "http://localhost:5173", "null"])
            for (const method of ["OPTIONS", "POST"]) await send(origin, method);
        // No option would allow these.
        const page = await send("http://localhost:8080", "GET", "/_emulator/contents");
        assert.doesNotMatch(await page.text(), /allow-origin/);
        for (const origin of ["http://a;touch", "\u009b31m", "http://a b"]) await send(origin, "GET");
        await send("http://localhost:9000", "GET");
        while (refused.length < 3) await once(reader, "line");
        assert.deepEqual(refused, ["http://localhost:5173", "null", "http://localhost:9000"].map(told));
        assert.ok(!lines.join().includes("5173"), "Its output is for scripts");
    });

    it("prints its version", async () => {
        const { version } = createRequire(import.meta.url)("videograph-emulator/package.json") as { version: string };
        assert.equal(await text(run("--version").stdout), `${version}\n`);
    });

    it("says what is wrong with its arguments, in one line without secrets", async () => {
        const mistakes: [string[], RegExp][] = [
            [["--port", "many"], /--port must be a number/],
            [["--token", "only-id-s3cret"], /--token must be/],
            [["--processing-time", "long"], /--processing-time must be a time/],
            [["--processing-time", "5"], /--processing-time needs a unit: 5ms, 5s or 5m, not "5"/],
            [["--seed", "nowhere.json"], /--seed nowhere\.json cannot be used: ENOENT/],
            [["--contract", "nowhere.json"], /--contract nowhere\.json cannot be used: ENOENT/],
            [["--fault", "kind=explode"], /Invalid fault: kind/],
            [["--fault", "{kind"], /not valid JSON/],
            [["--fault", "hang"], /name=value/],
            [["--variant", "createCode=204"], /Invalid variants: createCode/],
            [["--surprise"], /--surprise/],
        ];
        for (const [args, expected] of mistakes) {
            const started = async () => startEmulator(parseCommandLine(args).options);
            const isClear = ({ message }: Error) => expected.test(message) && !/s3cret|\n/.test(message);
            await assert.rejects(started, isClear, args.join(" "));
        }
        for (const [time, ms] of Object.entries({ 0: 0, "500ms": 500, "1m": 60_000 }))
            assert.equal(parseCommandLine(["--deleting-time", time]).options.deletingTimeMs, ms);
    });
});
