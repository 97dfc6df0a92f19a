/**
 * The two linters of GitHub workflows that the tests run: actionlint, built from its Go module, and zizmor, installed
 * by pip. Both are pinned by version and checksum and kept in the user's cache folder.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../pulumiCli/pin.ts";

const run = promisify(execFile);
const timeout = 180_000;
const exe = process.platform === "win32" ? ".exe" : "";
const requirements = join(import.meta.dirname, "requirements.txt");

/** The path of actionlint's executable. Go itself knows whether there is anything to build. */
export async function obtainActionlint(): Promise<string> {
    const program = join(cacheFolder(), "linters", `actionlint${exe}`);
    const args = ["build", "-mod=readonly", "-buildvcs=false", "-o", program];
    const cwd = join(import.meta.dirname, "..", "go", "actionlint");
    await run("go", [...args, "github.com/rhysd/actionlint/cmd/actionlint"], { cwd, timeout });
    return program;
}

/** The path of zizmor's executable. Only its wheel is installed: nothing of the package runs meanwhile. */
export async function obtainZizmor(): Promise<string> {
    const pinned = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
    const folder = join(cacheFolder(), "linters", `zizmor-${pinned}`);
    const program = join(folder, "bin", `zizmor${exe}`);
    if (existsSync(program)) return program;
    const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", folder];
    const source = ["--only-binary", ":all:", "--require-hashes", "--requirement", requirements];
    await run(process.platform === "win32" ? "python" : "python3", [...args, ...source], { timeout });
    return program;
}
