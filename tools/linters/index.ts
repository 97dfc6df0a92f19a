/**
 * The two linters of GitHub workflows that the tests run: actionlint, built from its Go module, and zizmor, installed
 * by pip. Both are pinned by version and checksum and kept in the user's cache folder, so that the second run is quick.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../pulumiCli/inspect.ts";
import { withLock } from "../pulumiCli/lock.ts";
import { cacheFolder } from "../pulumiCli/pin.ts";

const run = promisify(execFile);
const installTimeoutMs = 180_000;
const goModule = join(import.meta.dirname, "..", "go", "actionlint");
const requirements = join(import.meta.dirname, "requirements.txt");

interface Linter {
    readonly name: string;
    /** The file that pins the version, and where the version is in it. */
    readonly pin: readonly [file: string, version: RegExp];
    /** Puts the program into `<folder>/bin`. */
    readonly install: (folder: string) => Promise<unknown>;
}

const actionlint: Linter = {
    name: "actionlint",
    pin: [join(goModule, "go.mod"), /github\.com\/rhysd\/actionlint v([\d.]+)/],
    install: (folder) => {
        const program = "github.com/rhysd/actionlint/cmd/actionlint";
        const args = ["build", "-mod=readonly", "-buildvcs=false", "-o", join(folder, "bin", "/"), program];
        return run(onPath("go"), args, { cwd: goModule, timeout: installTimeoutMs });
    },
};

const zizmor: Linter = {
    name: "zizmor",
    pin: [requirements, /^zizmor==([\d.]+)/m],
    install: (folder) => {
        // Only the wheel, which is the program itself: nothing of the package runs while it is installed.
        const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
        const source = ["--only-binary", ":all:", "--require-hashes", "--requirement", requirements];
        return run(onPath("python3", "python"), [...args, ...source, "--target", folder], {
            timeout: installTimeoutMs,
        });
    },
};

/** The path of actionlint's executable. Throws an error that says why it is unavailable. */
export const obtainActionlint = (): Promise<string> => obtain(actionlint);

/** The path of zizmor's executable. Throws an error that says why it is unavailable. */
export const obtainZizmor = (): Promise<string> => obtain(zizmor);

async function obtain({ name, pin: [file, pattern], install }: Linter): Promise<string> {
    const version = pattern.exec(await readFile(file, "utf8"))?.[1];
    if (version === undefined) throw new Error(`${file} does not pin ${name}`);
    const folder = join(cacheFolder(), `${name}-${version}-${process.platform}-${process.arch}`);
    const program = join(folder, "bin", process.platform === "win32" ? `${name}.exe` : name);
    if (existsSync(program)) return program;
    await mkdir(cacheFolder(), { recursive: true });
    return await withLock(`${folder}.lock`, async () => {
        if (existsSync(program)) return program;
        // Installed beside its place and renamed: what is in its place is complete.
        const fresh = await mkdtemp(`${folder}.new-`);
        try {
            await install(fresh);
            await rename(fresh, folder);
        } catch (error) {
            throw new Error(`${name} ${version} could not be installed: ${reason(error)}`);
        } finally {
            await rm(fresh, { recursive: true, force: true });
        }
        return program;
    });
}

function onPath(...names: string[]): string {
    const folders = (process.env.PATH ?? "").split(delimiter);
    const found = names.map((name) => findProgram(name, folders)).find((path) => path !== undefined);
    if (found === undefined) throw new Error(`there is no ${names.join(" or ")} on the PATH`);
    return found;
}

/** The last line a failed program wrote says why; before it come downloads and warnings. */
function reason(error: unknown): string {
    const written = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    return written.split("\n").at(-1) || (error instanceof Error ? error.message : String(error));
}
