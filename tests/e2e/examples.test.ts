/** The examples, as their readers run them. The quickstart runs by its demo, as `npm run demo` does. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runsFaster } from "../examples/exampleStack.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("The quickstart", () => {
    const run = promisify(execFile);
    const faster = () => runsFaster({ ...process.env } as Record<string, string>);
    const demo = async (...args: string[]) =>
        (await run(process.execPath, ["tools/demo.ts", ...args], { cwd: repository, env: await faster() })).stdout;
    /** What the demo says to type, in a shell of its own. */
    const typed = async (command: string) => {
        const line = `cd .demo && . ./env && ${command.replaceAll("pulumi up", "pulumi up --yes --skip-preview")}`;
        return (await run("bash", ["-c", `${line} 2>&1 || true`], { cwd: repository, env: await faster() })).stdout;
    };

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
            const [title = "", , wrong = ""] = [...tries.matchAll(/^[^=].+?: +(.+)$/gm)].map(([, it]) => it);
            // The title is changed with the source.
            assert.match(
                await typed(title.replace("pulumi up", wrong)),
                /it is a web page, not an MP4, MOV or M4V file/,
            );
            // The service that is there already serves the destroy.
            assert.match(await demo("destroy"), /deleted/);
        } finally {
            // npx leaves its program behind when it alone is ended.
            if (emulator.pid !== undefined) process.kill(-emulator.pid, "SIGTERM");
        }
        assert.ok(!existsSync(join(repository, ".demo")));
    });
});
