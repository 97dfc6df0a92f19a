/**
 * `npm run mutation -- create`: which changes of the package no test notices. Stryker changes the code that keeps the promises in
 * every place, one at a time; then a unit test of the same folder has to fail. What none notices is printed, to be judged: a test holds a
 * promise, not the insides of a class.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Real sockets and their timeouts: nothing that waits for them tells one change from another. */
const slow = "transport";

process.chdir(join(import.meta.dirname, "..", ".."));
const areas = readdirSync("provider/src").filter((folder) => existsSync(`tests/unit/${folder}`));
const [area = "", file = "**/*.ts"] = process.argv.slice(2);
const folders = area.split(",");
const usage = `npm run mutation -- <folders, with commas, of: ${areas.join(", ")}> [file.ts | file.ts:1-20]`;
if (folders.some((folder) => !areas.includes(folder))) assert.fail(usage);
const anyOf = folders.length > 1 ? `{${folders}}` : area;
const configuration = {
    mutate: [`provider/src/${anyOf}/${file}`],
    // Texts are messages: they have tests of their own, and no code depends on them.
    mutator: { excludedMutations: ["StringLiteral"] },
    // Nothing checks the types of changed code: esbuild only removes them.
    buildCommand:
        "esbuild provider/src/**/*.ts --outbase=provider/src --outdir=provider/dist --format=cjs --platform=node " +
        "--target=es2023 --log-level=warning",
    disableTypeChecks: false,
    testRunner: "command",
    commandRunner: { command: `mocha --bail "tests/unit/${anyOf}/**/!(${slow}).test.ts"` },
    concurrency: 2,
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { reportTests: false, reportScoreTable: false },
    tempDirName: ".tmp/mutation",
    ignorePatterns: [".tmp", "docs", "bench", "examples", "plugin", "provider/plugin", "tests/e2e"],
    // A busy machine is no endless loop.
    timeoutFactor: 3,
};
mkdirSync(".tmp", { recursive: true });
const configurationFile = ".tmp/stryker.json";
writeFileSync(configurationFile, JSON.stringify(configuration));
// A fifth of all packages that `npm ci` would install are Stryker's, and few who run the tests run this: npx fetches it.
const stryker = ["--yes", "--package=@stryker-mutator/core@10.1.1", "stryker", "run", configurationFile];
process.exitCode = spawnSync("npx", stryker, { stdio: "inherit", shell: process.platform === "win32" }).status ?? 1;
