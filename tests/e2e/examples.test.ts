/** The examples, as their readers run them. The quickstart runs by its demo, as `npm run demo` does. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "..", "..");

describe("The quickstart", () => {
    const demo = async (...args: string[]) =>
        (await promisify(execFile)(process.execPath, ["tools/demo.ts", ...args], { cwd: repository })).stdout;

    it("deploys by `npm run demo`, changes nothing the second time, and is destroyed by `npm run demo:destroy`", async () => {
        const shown = await demo();
        assert.match(shown, /3 created/);
        assert.match(shown, /master\.m3u8 plays \(200/);
        assert.match(shown, /3 unchanged/);
        assert.match(shown, /streamKey\s*: \[secret\]/);
        assert.ok(existsSync(join(repository, ".demo", "env")));
        assert.match(await demo("destroy"), /3 deleted/);
        assert.ok(!existsSync(join(repository, ".demo")));
    });
});
