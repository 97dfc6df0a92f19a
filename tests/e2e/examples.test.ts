/** The examples, as their readers run them. The quickstart runs by its demo, as `npm run demo` does. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ContentSnapshot } from "videograph-emulator";
import { runsFaster } from "../examples/exampleStack.ts";
import { PulumiRun } from "../support/pulumiRun.ts";
import { waitFor } from "../support/waitFor.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("The quickstart", () => {
    const run = promisify(execFile);
    const faster = () => runsFaster({ ...process.env } as Record<string, string>);
    const demo = async (...args: string[]) =>
        (await run(process.execPath, ["tools/demo.ts", ...args], { cwd: repository, env: await faster() })).stdout;
    /** What the demo says to type, in a shell of its own. */
    const start = async (command: string) => {
        const line = `cd .demo && . ./env && ${command.replaceAll(/pulumi (up|refresh)/g, "$& --yes --skip-preview")}`;
        return new PulumiRun("bash", ["-c", line], repository, await faster());
    };
    const typed = async (command: string) => (await (await start(command)).result).output;

    it("deploys by `npm run demo`, changes nothing the second time, and is destroyed by `npm run demo:destroy`", async () => {
        const shown = await demo();
        assert.match(shown, /3 created/);
        assert.match(shown, /master\.m3u8 plays \(200/);
        assert.match(shown, /3 unchanged/);
        assert.match(shown, /streamKey\s*: \[secret\]/);
        // What it says at its end is what the README quotes, but for the port, and for the end itself: there is no terminal here.
        const [, tries = ""] = /(== That was the demo[\s\S]*?\n)\n/.exec(shown) ?? [];
        const { port } = new URL(/http:\/\/127\.0\.0\.1:\d+/.exec(tries)?.[0] ?? "");
        const readme = await readFile(join(repository, "README.md"), "utf8");
        assert.ok(readme.includes(tries.replaceAll(port, "41233")), tries);
        const [, options = ""] = /^npx videograph-emulator (.*)$/m.exec(shown) ?? [];
        const emulator = spawn("npx", ["videograph-emulator", ...options.split(" ")], {
            cwd: repository,
            detached: true,
        });
        try {
            await once(emulator.stdout, "data");
            const commands = new Map(
                [...tries.matchAll(/^([^=].+?): +(.+)$/gm)].map(([, name, command]) => [name, command]),
            );
            const command = (name: string) => commands.get(name) ?? assert.fail(`The demo has no "${name}"`);
            const control = async (path: string, init?: RequestInit) =>
                (await fetch(`http://127.0.0.1:${port}/_emulator/${path}`, init)).json();
            const contents = (): Promise<ContentSnapshot[]> => control("contents");

            // What the button of the page sends.
            const [{ contentId = "" } = {}] = await contents();
            const rename = JSON.stringify({ title: "Renamed on the page" });
            const headers = { "content-type": "application/json" };
            await control(`contents/${contentId}`, { method: "PATCH", headers, body: rename });
            const drift = /Then: (.+)$/.exec(command("Drift"))?.[1] ?? "";
            assert.match(await typed(drift), /~ title *: "Trailer" => "Renamed on the page"/);
            // Several tries are one run here. The title is changed with the source.
            const [change, wrong] = [command("Change the title"), command("Break it, and see the reason")];
            const failed = await typed(change.replace("pulumi up", wrong));
            assert.match(failed, /it is a web page, not an MP4, MOV or M4V file/);
            const [library, mend] = [command("300 videos, one resource"), command("Mend it")];
            await typed(library.replace("pulumi up", mend));
            assert.equal((await contents()).length, 301);

            const reviewed = await typed(command("What a new source would do"));
            assert.match(reviewed, /1 replaced[\s\S]*replaced +Content trailer[\s\S]*This URL ends: http/);
            const page = await readFile(join(repository, ".demo", "review.html"), "utf8");
            assert.match(page, /<h2>Replaced/);

            const [one, kill] = [command("Change one of them"), command("Replace the source, and kill it")];
            const killed = await start(one.replace("pulumi up", kill));
            await waitFor("the new video", async () => (await contents()).length === 302);
            killed.interrupt();
            await waitFor("the first Ctrl-C", () => killed.output.includes("^C received"));
            killed.interrupt();
            await killed.result;
            const [before] = (await contents()).filter(({ status }) => status === "Preparing");
            const goOn = await typed(command("Go on, with one video"));
            assert.match(goOn, /was found again\. \[VG3005\]/);
            const all = await contents();
            const titles = all.map(({ title }) => title);
            assert.deepEqual(
                [all.length, new Set(titles).size, titles.includes("Episode 42, uncut")],
                [301, 301, true],
            );
            assert.equal(all.find(({ title }) => title === "My trailer")?.contentId, before?.contentId, killed.output);
            // The service that is there already serves the destroy.
            assert.match(await demo("destroy"), /deleted/);
        } finally {
            // npx leaves its program behind when it alone is ended.
            if (emulator.pid !== undefined) process.kill(-emulator.pid, "SIGTERM");
        }
        assert.ok(!existsSync(join(repository, ".demo")));
    });
});
