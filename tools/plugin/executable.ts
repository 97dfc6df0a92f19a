/**
 * Builds the plugin as a single executable for the platform it runs on, and packs it as the CLI downloads it:
 *
 *     node tools/plugin/executable.ts <folder>   writes pulumi-resource-videograph-v<version>-<os>-<arch>.tar.gz
 *
 * A Node single executable application: the bundle inside a copy of this Node. Build the plugin first.
 */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin");
/** What Node looks for in its own file; the same in every version. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
const systems: Record<string, string> = { linux: "linux", darwin: "darwin", win32: "windows" };
const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };

const [destination = "."] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "videograph-executable-"));
try {
    console.log(await pack(await executable(folder), resolve(destination)));
} finally {
    await rm(folder, { recursive: true, force: true });
}

async function executable(workFolder: string): Promise<string> {
    const { platform } = process;
    const name = platform === "win32" ? "pulumi-resource-videograph.exe" : "pulumi-resource-videograph";
    const path = join(workFolder, name);
    const blob = join(workFolder, "blob");
    const config = join(workFolder, "config.json");
    await writeFile(
        config,
        JSON.stringify({ main: join(plugin, "index.js"), output: blob, disableExperimentalSEAWarning: true }),
    );
    await run(process.execPath, ["--experimental-sea-config", config]);
    await copyFile(process.execPath, path);
    await chmod(path, 0o755);
    // A signature of the unchanged file would be wrong, and macOS refuses to run a file without any.
    if (platform === "darwin") await run("codesign", ["--remove-signature", path]);
    const segment = platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
    await run(process.execPath, [postject, path, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment]);
    if (platform === "darwin") await run("codesign", ["--sign", "-", path]);
    const { stdout } = await run(path, ["--version"]);
    if (stdout.trim() !== (await version())) throw new Error(`The executable says ${stdout.trim()}`);
    return path;
}

async function pack(path: string, to: string): Promise<string> {
    const os = systems[process.platform];
    const arch = architectures[process.arch];
    if (os === undefined || arch === undefined) {
        throw new Error(`Pulumi has no plugins for ${process.platform} on ${process.arch}`);
    }
    await mkdir(to, { recursive: true });
    const archive = join(to, `pulumi-resource-videograph-v${await version()}-${os}-${arch}.tar.gz`);
    const name = process.platform === "win32" ? "pulumi-resource-videograph.exe" : "pulumi-resource-videograph";
    await run("tar", ["-czf", archive, "-C", join(path, ".."), name]);
    return archive;
}

async function version(): Promise<string> {
    const { version } = JSON.parse(await readFile(join(plugin, "schema.json"), "utf8")) as { version: string };
    return version;
}
