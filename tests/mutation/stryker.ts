/** One run of Stryker: every change of an area's code, and whether a test failed. */
import { globSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { Stryker } from "@stryker-mutator/core";

export interface Run {
    /** Globs, or places such as `provider/src/a.ts:1:0-2:7`. */
    mutate: readonly string[];
    tests: readonly string[];
    concurrency: number;
}

export interface Change {
    original: string;
    replacement: string;
    /** Its place as Stryker's `mutate` names it. */
    place: string;
    isNoticed: boolean;
}

export async function changesOf({ mutate, tests, concurrency }: Run): Promise<Change[]> {
    const stryker = new Stryker({
        mutate: [...mutate],
        plugins: ["mochaRunner", "ignoreMessages", "reporter"].map((name) => `./tests/mutation/${name}.ts`),
        ignorers: ["messages"],
        testRunner: "mocha",
        mochaTests: { testFiles: tests },
        // Nothing checks the types of changed code: esbuild only removes them.
        buildCommand:
            "esbuild provider/src/**/*.ts --outbase=provider/src --outdir=provider/dist --format=cjs --platform=node " +
            "--target=es2023 --log-level=warning",
        disableTypeChecks: false,
        coverageAnalysis: "perTest",
        concurrency,
        reporters: ["progress-append-only", "unnoticed", "html"],
        htmlReporter: { fileName: ".tmp/mutation/report.html" },
        tempDirName: ".tmp/mutation/sandbox",
        ignorePatterns: [".tmp", "docs", "bench", "examples", "plugin", "provider/plugin", "tests/e2e"],
        // A busy machine is no endless loop.
        timeoutFactor: 3,
        warnings: { unknownOptions: false },
    } as never);
    // People may edit while it runs.
    const files = mutate.flatMap((glob) => globSync(glob.replace(/:[\d:-]+$/, "")));
    const sources = new Map(files.map((file) => [resolve(file), readFileSync(file, "utf8")]));
    const results = await stryker.runMutationTest();
    return results.flatMap(({ status, fileName, location: { start, end }, replacement = "" }) => {
        if (status === "Ignored") return [];
        const lines = (sources.get(fileName) ?? "").split("\n");
        const code = lines.slice(start.line - 1, end.line);
        code.push(code.pop()?.slice(0, end.column - 1) ?? "");
        code[0] = (code[0] ?? "").slice(start.column - 1);
        const file = relative("provider/src", fileName);
        return {
            original: oneLine(code.join("\n")),
            replacement: oneLine(replacement),
            place: `provider/src/${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`,
            isNoticed: status !== "Survived" && status !== "NoCoverage",
        };
    });
}

/** Code without its indentation and line breaks. */
function oneLine(code: string): string {
    return code.replace(/\s+/g, " ").trim();
}
