/** The linter holds the direction of imports between the folders of provider/src (biome.json). */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const repository = join(import.meta.dirname, "..", "..", "..");
const biome = join(repository, "node_modules", ".bin", "biome");

/** What each folder may import of the others, beside messages/, which all may. */
const floors = ["definitions", "api", "evidence", "inputs", "wait", "operation", "create", "lifecycle"];
const allowed: Record<string, readonly string[]> = {
    messages: [],
    ...Object.fromEntries(floors.map((floor, index) => [floor, floors.slice(0, index)])),
    resources: floors,
    lookups: floors,
    session: floors,
    dynamic: ["session", "resources", ...floors],
    native: ["session", "resources", "lookups", ...floors],
    program: ["session", "resources", "lookups", ...floors],
};
const folders = Object.keys(allowed);

describe("The linter", () => {
    it("has a rule for every folder of the source", () => {
        const existing = readdirSync(join(repository, "provider", "src"), { withFileTypes: true });
        const names = existing.filter((entry) => entry.isDirectory()).map(({ name }) => name);
        assert.deepEqual(names.sort(), [...folders].sort());
    });

    it("refuses each import against the direction, and no other one", () => {
        const tries = folders.flatMap((from) =>
            folders
                .filter((to) => to !== from)
                .flatMap((to) => [
                    { file: `${from}/to-${to}.ts`, imported: `../${to}/x`, isAllowed: allows(from, to) },
                    { file: `${from}/to-${to}-index.ts`, imported: `../${to}`, isAllowed: allows(from, to) },
                ]),
        );
        assert.deepEqual(refused(tries), filesOf(tries.filter(({ isAllowed }) => !isAllowed)));
    });

    it("lets the classes of the native types import those of the dynamic ones, and nothing of the plugin's other half", () => {
        const tries = [
            { file: "native/index.ts", imported: "../index", isAllowed: true },
            { file: "native/program/a.ts", imported: "../../program/content", isAllowed: true },
            { file: "native/program/b.ts", imported: "@pulumi/pulumi", isAllowed: true },
            { file: "native/program/c.ts", imported: "../../dynamic/adapter", isAllowed: false },
        ];
        assert.deepEqual(refused(tries), filesOf(tries.filter(({ isAllowed }) => !isAllowed)));
    });
});

describe("The linter, for the commands", () => {
    it("lets them import the core, and nothing of what runs programs", () => {
        const core = ["session", "resources", ...floors, "messages"].map((to) => `#provider/${to}/x`);
        const others = ["dynamic", "native", "program", "lookups"].map((to) => `#provider/${to}/x`);
        const refusedOnes = [...others, "#provider/nodeVersion", "@pulumi/pulumi", "../../provider/src/api"];
        const tries = [...core, "node:child_process", "yaml", ...refusedOnes].map((imported, index) => ({
            file: `${String(index).padStart(2, "0")}.ts`,
            imported,
            isAllowed: !refusedOnes.includes(imported),
        }));
        assert.deepEqual(refused(tries, "cli/src"), filesOf(tries.filter(({ isAllowed }) => !isAllowed)));
    });
});

const allows = (from: string, to: string) => to === "messages" || (allowed[from]?.includes(to) ?? false);

const filesOf = (tries: readonly { file: string }[]) => tries.map(({ file }) => file).sort();

/** The files that the linter refuses because of an import, sorted. */
function refused(files: readonly { file: string; imported: string }[], root = "provider/src"): string[] {
    const folder = mkdtempSync(join(tmpdir(), "imports-"));
    try {
        for (const name of ["biome.json", ".gitignore"]) cpSync(join(repository, name), join(folder, name));
        for (const { file, imported } of files) {
            const path = join(folder, root, file);
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, `import "${imported}";\n`);
        }
        const args = ["lint", "--reporter=github", "--max-diagnostics=none", "."];
        const { stdout } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
        const found = stdout.matchAll(new RegExp(`title=lint/style/noRestrictedImports,file=.*?${root}/([^,]+)`, "g"));
        return [...new Set([...found].map(([, file = ""]) => file))].sort();
    } finally {
        rmSync(folder, { recursive: true });
    }
}
