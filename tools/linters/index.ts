/** The two linters of GitHub workflows that the tests run, both pinned by version and checksum. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { kept } from "../pulumiCli/cache.ts";
import { digestOf } from "../pulumiCli/languages.ts";

/** A command: Go builds actionlint itself, where it has not done so yet. */
export const actionlint = ["go", "-C", join(import.meta.dirname, "..", "go", "actionlint"), "tool", "actionlint"];

/** The path of zizmor's executable. Only its wheel is installed: none of the package's code runs meanwhile. */
export async function obtainZizmor(): Promise<string> {
    const requirements = join(import.meta.dirname, "requirements.txt");
    const folder = await kept(`zizmor-${digestOf(readFileSync(requirements))}`, async (target) => {
        const args = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--target",
            target,
        ];
        const source = ["--only-binary", ":all:", "--require-hashes", "--requirement", requirements];
        await promisify(execFile)(process.platform === "win32" ? "python" : "python3", [...args, ...source]);
    });
    return join(folder, "bin", process.platform === "win32" ? "zizmor.exe" : "zizmor");
}
