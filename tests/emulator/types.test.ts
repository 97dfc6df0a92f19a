// The package's types in a user's project: they bring in nothing but themselves and Node's own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
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

    it("compile in a project as `pulumi new typescript` makes it, without skipLibCheck", async function () {
        this.timeout(60_000);
        const folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
        try {
            await mkdir(join(folder, "node_modules"));
            for (const name of ["videograph-emulator", "@types"]) {
                await symlink(join(repository, "node_modules", name), join(folder, "node_modules", name));
            }
            const compilerOptions = {
                ...{ strict: true, target: "es2020", module: "commonjs", moduleResolution: "node", noEmit: true },
                ...{ ignoreDeprecations: "6.0", types: ["node"] },
            };
            await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
            await writeFile(
                join(folder, "index.ts"),
                `import { startEmulator, type Fault, type Variants } from "videograph-emulator";
                const faults: Fault[] = [{ kind: "lateAcceptance", ms: 1, status: 504 }];
                const variants: Partial<Variants> = { createCode: 200, pastEnd: 404, listedAfterMs: [0, 9] };
                export const titles = startEmulator({ faults, variants, processingTimeMs: (create) => create.title.length })
                    .then((emulator) => emulator.contents().map(({ title }) => title));
                // @ts-expect-error: no such value
                export const wrong: Partial<Variants> = { createCode: 202 };`,
            );
            const tsc = join(repository, "node_modules", ".bin", "tsc");
            const { stdout } = await promisify(execFile)(tsc, ["-p", folder, "--pretty", "false"]).catch(
                (error) => error,
            );
            assert.equal(stdout, "");
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });
});
