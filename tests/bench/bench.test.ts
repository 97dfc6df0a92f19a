/** The benchmark runs and fills its table. What it measures is not judged here: that depends on the machine. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { cheaper } from "../support/testStack.ts";

const main = join(import.meta.dirname, "..", "..", "bench", "main.ts");

async function bench(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
    return stdout;
}

/** The cells of a Markdown table by the labels of their rows. */
function cellsOf(text: string): Map<string, string[]> {
    const lines = text.split("\n").filter((line) => line.startsWith("| "));
    return new Map(
        lines.map((line) => {
            const [, label = "", ...cells] = line.split("|").map((cell) => cell.trim());
            return [label, cells.slice(0, -1)];
        }),
    );
}

describe("the benchmark", () => {
    it("fills every row of its table, for ours and for the bare client", async () => {
        // Nobody reads these numbers: the runs may cost as little as other tests' do.
        const { folder } = await obtainPulumiCli();
        const env = await cheaper({ PATH: [folder, process.env.PATH].join(delimiter) });
        const output = await bench(
            ...["--n", "1", "--processing", "0.05"],
            ...["--variants", "content,bare-journal"],
            ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
        );
        const cells = cellsOf(output);
        assert.deepEqual(cells.get("N = 1"), ["content", "bare-journal"]);
        const rows = [...cells].slice(2);
        assert.equal(rows.length, 19);
        for (const [label, [content = "", bare = ""]] of rows) {
            // Only Linux tells what other processes cost.
            if (/^CPU|^peak/.test(label) && process.platform !== "linux") continue;
            if (/^CPU.*÷/.test(label)) assert.match(bare, /^1$/, label);
            assert.match(content, /^-?\d+(\.\d+)?$/, label);
        }
        assert.deepEqual(cells.get("requests per content: no-op preview and up"), ["0", ""]);
    });
});
