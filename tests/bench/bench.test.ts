/** The benchmark runs and fills its table. What it measures is not judged here: that depends on the machine. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { cheaper } from "../support/environment.ts";

const main = join(import.meta.dirname, "..", "..", "bench", "main.ts");

describe("the benchmark", () => {
    it("fills every row of its table, for ours and for the bare client", async () => {
        // Nobody reads these numbers: the runs may cost as little as other tests' do.
        const { folder } = await obtainPulumiCli();
        const env = await cheaper({ PATH: [folder, process.env.PATH].join(delimiter) });
        const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
        const args = ["--n", "1", "--processing", "0.05", "--variants", "content,bare-journal", ...variables];
        const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
        const lines = stdout.split("\n").filter((line) => line.startsWith("| "));
        const [head, , ...rows] = lines.map((line) =>
            line
                .split("|")
                .slice(1, -1)
                .map((cell) => cell.trim()),
        );
        assert.deepEqual(head, ["N = 1", "content", "bare-journal"]);
        assert.equal(rows.length, 22);
        for (const [label = "", content = "", bare = ""] of rows) {
            // Only Linux tells what other processes cost.
            if (/^CPU|^peak/.test(label) && process.platform !== "linux") continue;
            if (/^CPU.*÷/.test(label)) assert.match(bare, /^1$/, label);
            assert.match(content, /^-?\d+(\.\d+)?$/, label);
        }
        const requests = "requests per content: no-op preview and up";
        assert.deepEqual(rows.find(([label]) => label === requests)?.slice(1), ["0", ""]);
    });
});
