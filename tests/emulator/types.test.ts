// The package's types bring in nothing but themselves and Node's own. tests/package/install.test.ts compiles them in a user's project.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repository } from "../docs/markdown.ts";

const dist = join(repository, "emulator", "dist");

/** Each file of declarations that a program which imports `entry` loads, with the packages it imports. */
async function importsOf(entry: string, seen = new Map<string, string[]>()): Promise<Map<string, string[]>> {
    if (seen.has(entry)) return seen;
    const text = await readFile(join(dist, entry), "utf8");
    const targets = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, target]) => target ?? "");
    seen.set(
        entry,
        targets.filter((target) => !target.startsWith(".")),
    );
    for (const target of targets) {
        if (target.startsWith(".")) await importsOf(join(dirname(entry), `${target}.d.ts`), seen);
    }
    return seen;
}

describe("emulator: types", () => {
    it("import no dependency, whose types would have to compile in the user's project", async () => {
        for (const entry of ["index.d.ts", "core.d.ts"]) {
            const packages = [...(await importsOf(entry)).values()].flat();
            assert.deepEqual(
                packages.filter((name) => !name.startsWith("node:")),
                [],
            );
        }
    });
});
