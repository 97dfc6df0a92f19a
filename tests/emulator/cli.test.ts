import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { apiRoot, minimal } from "./support.ts";

const program = fileURLToPath(new URL("../../emulator/bin/videograph-emulator.js", import.meta.url));

function run(...args: string[]): ChildProcess {
    return spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs to its end. */
async function output(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = run(...args);
    const text = { stdout: "", stderr: "" };
    child.stdout?.on("data", (chunk) => {
        text.stdout += chunk;
    });
    child.stderr?.on("data", (chunk) => {
        text.stderr += chunk;
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, ...text };
}

describe("emulator: command line", () => {
    const children: ChildProcess[] = [];
    afterEach(() => {
        for (const child of children.splice(0)) child.kill();
    });

    /** Starts one on any port; gives its first line, the URL, and the rest as it comes. */
    async function start(...args: string[]) {
        const child = run("--port", "0", ...args);
        children.push(child);
        assert.ok(child.stdout);
        const lines: string[] = [];
        const reader = createInterface(child.stdout).on("line", (line) => lines.push(line));
        while (!lines.some((line) => line.startsWith("A video"))) await once(reader, "line");
        return { child, url: lines[0] ?? "", lines };
    }

    function request(url: string, method: string, path: string, token: string, body?: object): Promise<Response> {
        const headers: Record<string, string> = { authorization: `Basic ${Buffer.from(token).toString("base64")}` };
        if (body === undefined) return fetch(url + apiRoot + path, { method, headers });
        headers["content-type"] = "application/json";
        return fetch(url + apiRoot + path, { method, headers, body: JSON.stringify(body) });
    }

    it("prints its URL on a line of its own, then how to point a provider at it", async () => {
        const { url, lines } = await start("--token", "mine:secret:4");
        assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.ok(lines.includes(`export VIDEOGRAPH_BASE_URL='${url}'`));
        assert.ok(lines.includes("export VIDEOGRAPH_ACCESS_TOKEN_ID='mine'"));
        assert.ok(lines.includes("export VIDEOGRAPH_SECRET_KEY='secret'"));
        const keys = (await (await request(url, "GET", "/signing-keys", "mine:secret")).json()) as {
            data: { environmentId: number }[];
        };
        assert.equal(keys.data[0]?.environmentId, 4);
    });

    it("takes tokens, times, variants and faults", async () => {
        const { url } = await start(
            ...["--token", "a:one", "--token", "b:two:2", "--no-fetch", "--processing-time", "0"],
            ...["--variant", "createCode=200,listMetadata=true", "--variant", 'pendingStatuses=["Pending"]'],
            ...["--fault", "kind=status,status=503,retryAfter=2,path=/contents,method=GET,times=1"],
            ...["--fault", '{"kind":"status","status":429,"path":"/signing-keys"}'],
        );
        assert.equal((await request(url, "POST", "/contents", "a:one", minimal)).status, 200);
        const busy = await request(url, "GET", "/contents", "a:one");
        assert.deepEqual([busy.status, busy.headers.get("retry-after")], [503, "2"]);
        const list = async (token: string) =>
            ((await (await request(url, "GET", "/contents", token)).json()) as { data: { status: string }[] }).data;
        const [item] = await list("a:one");
        assert.equal(item?.status, "Ready");
        assert.deepEqual(await list("b:two"), []);
        assert.equal((await request(url, "GET", "/signing-keys", "a:one")).status, 429);
    });

    it("takes tokens of limited access, and further host names", async () => {
        const { url } = await start("--token", "a:b", "--token", "r:s:1:read", "--allow-host", "emulator");
        assert.equal((await request(url, "POST", "/contents", "r:s", minimal)).status, 403);
        assert.equal((await request(url, "GET", "/contents", "r:s")).status, 200);
        const status = (host: string) =>
            new Promise((resolve, reject) => {
                get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode)).on(
                    "error",
                    reject,
                );
            });
        assert.deepEqual([await status("emulator:80"), await status("other")], [200, 403]);
    });

    it("prints the OpenAPI document", async () => {
        const { code, stdout } = await output("--openapi", "--public-url", "https://video.test");
        assert.equal(code, 0);
        const { openapi, servers } = JSON.parse(stdout);
        assert.deepEqual([openapi, servers], ["3.1.0", [{ url: "https://video.test" }]]);
    });

    for (const [time, ms] of [
        ["0", 0],
        ["1.5s", 1500],
        ["1m", 60_000],
    ] as const) {
        it(`reads ${time} as ${ms} ms`, async () => {
            const { url } = await start("--token", "a:b", "--no-fetch", "--processing-time", time);
            await request(url, "POST", "/contents", "a:b", minimal);
            const contents = (await (await fetch(`${url}/_emulator/contents`)).json()) as { processingMs: number }[];
            assert.equal(contents[0]?.processingMs, ms);
        });
    }

    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        it(`ends cleanly on ${signal}, even with a request hanging`, async () => {
            const { child, url } = await start("--token", "a:b", "--fault", "kind=hang");
            const hanging = request(url, "GET", "/contents", "a:b").catch((error: Error) => error.name);
            await (async () => {
                for (;;) {
                    const logged = (await (await fetch(`${url}/_emulator/requests`)).json()) as unknown[];
                    if (logged.length > 0) return;
                }
            })();
            const closed = once(child, "close");
            child.kill(signal);
            assert.deepEqual(await closed, [0, null]);
            assert.equal(await hanging, "TypeError");
        });
    }

    it("begins with the objects of a seed file, or with those of a state file, even of one that was killed", async () => {
        const folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
        try {
            const [seed, state] = [join(folder, "videos.json"), join(folder, "state.jsonl")];
            const contents = [
                { title: "Trailer", tags: ["launch"] },
                { title: "Broken", status: "Failed", reason: "no video", environmentId: 2 },
            ];
            await writeFile(seed, JSON.stringify({ contents, livestreams: [{ title: "Stage", status: "Active" }] }));
            for (let starts = 0; starts < 2; starts++) {
                const { child, url } = await start("--seed", seed, "--state", state);
                const shown = async (kind: string) =>
                    ((await (await fetch(`${url}/_emulator/${kind}`)).json()) as Record<string, unknown>[]).map(
                        ({ title, status, environmentId }) => [title, status, environmentId],
                    );
                assert.deepEqual(await shown("contents"), [
                    ["Trailer", "Ready", 1],
                    ["Broken", "Failed", 2],
                ]);
                assert.deepEqual(await shown("livestreams"), [["Stage", "Active", 1]]);
                const closed = once(child, "close");
                child.kill("SIGKILL");
                await closed;
            }
            await writeFile(seed, JSON.stringify({ contents: [{ title: "Fine" }, { tittle: "Typo" }] }));
            const { code, stderr } = await output("--port", "0", "--seed", seed);
            assert.equal(code, 1);
            assert.match(stderr, /videos\.json cannot be used: contents\[1\]\.title: .*"tittle"/);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });

    it("prints its version", async () => {
        const { version } = createRequire(import.meta.url)("videograph-emulator/package.json") as { version: string };
        assert.deepEqual(await output("--version"), { code: 0, stdout: `${version}\n`, stderr: "" });
    });

    const mistakes: [string[], RegExp][] = [
        [["--port", "many"], /--port must be a number/],
        [["--token", "only-id-s3cret"], /--token must be/],
        [["--processing-time", "long"], /--processing-time must be a time/],
        [["--processing-time", "5"], /--processing-time needs a unit: 5ms, 5s or 5m, not "5"/],
        [["--max-state-bytes", "1GB"], /--max-state-bytes must be a number/],
        [["--seed", "nowhere.json"], /--seed nowhere\.json cannot be used: ENOENT/],
        [["--fault", "kind=explode"], /Invalid fault: kind/],
        [["--fault", "{kind"], /not valid JSON/],
        [["--fault", "hang"], /name=value/],
        [["--variant", "createCode=204"], /Invalid variants: createCode/],
        [["--surprise"], /--surprise/],
    ];
    for (const [args, expected] of mistakes) {
        it(`says what is wrong with ${args.join(" ")}`, async () => {
            const { code, stdout, stderr } = await output(...args);
            assert.deepEqual([code, stdout], [1, ""]);
            assert.match(stderr, expected);
            assert.ok(!stderr.includes("s3cret"));
            assert.equal(stderr.trim().split("\n").length, 1);
        });
    }

    it("says that a port is taken", async () => {
        const { url } = await start();
        const { code, stderr } = await output("--port", new URL(url).port);
        assert.equal(code, 1);
        assert.match(
            stderr,
            /Port \d+ of 127\.0\.0\.1 is in use \(EADDRINUSE\).* choose another port; 0 takes any free one/,
        );
    });
});
