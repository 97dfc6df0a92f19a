/**
 * Builds the plugin as a single executable for the platform it runs on, and packs it as the CLI downloads it:
 *
 *     node tools/plugin/executable.ts <folder>   writes pulumi-resource-videograph-v<version>-<os>-<arch>.tar.gz
 *
 * The executable is a copy of this Node with the bundle inside (a single executable application); node.json pins the Node. The archive has the licences of
 * everything inside. The same sources give the same bytes. Build the plugin first.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { create } from "tar";
import manifest from "../../provider/package.json" with { type: "json" };
import { checkNode } from "./checkNode.ts";
import pinned from "./node.json" with { type: "json" };

const run = promisify(execFile);
const { version } = manifest;
const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin");
/** The mark in Node's file that says whether a bundle is inside. It is the same in every version. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");

export const name = process.platform === "win32" ? "pulumi-resource-videograph.exe" : "pulumi-resource-videograph";

if (import.meta.main) {
    const [destination = "."] = process.argv.slice(2);
    const folder = await mkdtemp(join(tmpdir(), "videograph-executable-"));
    try {
        await executable(folder);
        console.log(await pack(folder, resolve(destination)));
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** Writes the executable into a folder. */
export async function executable(workFolder: string): Promise<void> {
    await checkNode();
    const { platform } = process;
    const path = join(workFolder, name);
    const blob = join(workFolder, "blob");
    const config = join(workFolder, "config.json");
    await writeFile(config, JSON.stringify({ main: "index.js", output: blob, disableExperimentalSEAWarning: true }));
    // Node writes the path of `main` into the executable: with `cwd` it is `index.js`, the same on every machine.
    await run(process.execPath, ["--experimental-sea-config", config], { cwd: plugin });
    await copyFile(process.execPath, path);
    await chmod(path, 0o755);
    // The bundle makes Apple's signature of Node invalid, and macOS runs no file without a valid one: so it is removed, and made anew below.
    if (platform === "darwin") await run("codesign", ["--remove-signature", path]);
    const segment = platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
    await run(process.execPath, [postject, path, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment]);
    if (platform === "darwin") await run("codesign", ["--sign", "-", path]);
    const { stdout } = await run(path, ["--version"]);
    if (stdout.trim() !== version) throw new Error(`The executable says ${stdout.trim()}`);
}

/** Packs the executable in this folder, with its licences and its SBOM. Returns the path of the archive. */
export async function pack(workFolder: string, to: string): Promise<string> {
    // The CLI looks for the archive by these names.
    const os = process.platform.replace("win32", "windows");
    const arch = process.arch.replace("x64", "amd64");
    await mkdir(to, { recursive: true });
    const file = join(to, `pulumi-resource-videograph-v${version}-${os}-${arch}.tar.gz`);
    await copyFile(join(plugin, "..", "LICENSE"), join(workFolder, "LICENSE"));
    await copyFile(nodeLicense(), join(workFolder, "NODE-LICENSE"));
    await copyFile(join(plugin, "THIRD-PARTY-NOTICES"), join(workFolder, "THIRD-PARTY-NOTICES"));
    await writeFile(join(workFolder, "sbom.cdx.json"), await sbom());
    const names = ["LICENSE", "NODE-LICENSE", "THIRD-PARTY-NOTICES", name, "sbom.cdx.json"];
    // Without times and owners, the same files give the same bytes.
    await create({ file, cwd: workFolder, gzip: true, portable: true, mtime: new Date(0) }, names);
    return file;
}

/** Next to node.exe, above bin/node, or in the npm package of the platform. */
function nodeLicense(): string {
    const folder = dirname(process.execPath);
    const npm = join(folder, "..", "node_modules", `node-${process.platform}-${process.arch}`);
    const found = [folder, join(folder, ".."), npm].map((place) => join(place, "LICENSE")).find(existsSync);
    if (found === undefined) throw new Error(`There is no LICENSE of Node near ${process.execPath}`);
    return found;
}

/** That of the bundle, and Node. */
async function sbom(): Promise<string> {
    const bundle = JSON.parse(await readFile(join(plugin, "sbom.cdx.json"), "utf8")) as { components: object[] };
    const purl = `pkg:github/nodejs/node@v${pinned.version}`;
    const licenses = [{ license: { id: "MIT" } }];
    bundle.components.push({ type: "platform", name: "node", version: pinned.version, purl, licenses });
    return `${JSON.stringify(bundle, undefined, 4)}\n`;
}
