/** Python environments, each made once per machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { digestOf, kept } from "./cache.ts";
import { findProgram } from "./index.ts";

/** The folder of an environment's executables, with these packages; undefined without Python. From wheels only: no code of a package runs meanwhile. */
export async function pythonWith(...packages: string[]): Promise<string | undefined> {
    const python3 = findProgram("python3");
    if (python3 === undefined) return undefined;
    const bin = process.platform === "win32" ? "Scripts" : "bin";
    const venv = await kept(`python-${digestOf(packages.join())}`, async (folder) => {
        await promisify(execFile)(python3, ["-m", "venv", folder]);
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
        await promisify(execFile)(join(folder, bin, "python"), [...pip, ...packages]);
    });
    return join(venv, bin);
}
