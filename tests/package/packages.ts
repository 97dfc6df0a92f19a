/**
 * The two npm packages as `npm publish` would pack them, without a build of their own: tests run against today's dist/.
 * A pipeline sets TEST_TARBALLS to a folder of packages that are packed already: what it tests is what it publishes.
 */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const repository = join(import.meta.dirname, "..", "..");
export const packageFolders = ["provider", "emulator"] as const;
export type PackageFolder = (typeof packageFolders)[number];

interface Packed {
    /** The path of the .tgz file. */
    readonly tarball: string;
    /** What is in it, by path inside the package. */
    readonly files: readonly string[];
}

/** Registers the hooks that pack both packages; the result can be used in tests. */
export function usePacked(): Record<PackageFolder, Packed> {
    const packed = {} as Record<PackageFolder, Packed>;
    let folder: string | undefined;
    before("npm pack", async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-pack-"));
        const given = process.env.TEST_TARBALLS;
        const [provider, emulator] = await (given
            ? Promise.all(packageFolders.map((name) => packedIn(given, name)))
            : pack(folder, ...packageFolders));
        Object.assign(packed, { provider, emulator });
    });
    after(async () => {
        if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });
    return packed;
}

async function packedIn(folder: string, name: PackageFolder): Promise<Packed> {
    const beginning = { provider: "pulumi-videograph-", emulator: "videograph-emulator-" }[name];
    const [file, ...more] = readdirSync(folder).filter((file) => file.startsWith(beginning) && file.endsWith(".tgz"));
    if (file === undefined || more.length > 0) throw new Error(`${folder} should have one tarball of ${name}`);
    const { stdout } = await promisify(execFile)("tar", ["-tf", file], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
    const files = stdout.split("\n").filter((line) => line !== "");
    return { tarball: join(folder, file), files: files.map((path) => path.replace(/^package\//, "")) };
}

/** By one run of npm for all. */
export async function pack(destination: string, ...names: PackageFolder[]): Promise<Packed[]> {
    const { stdout } = await promisify(execFile)(
        "npm",
        ["pack", "--json", "--ignore-scripts", "--pack-destination", destination, ...names.map((name) => `./${name}`)],
        { cwd: repository, maxBuffer: 16 * 1024 * 1024 },
    );
    const packed = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
    return packed.map(({ filename, files }) => ({
        ...{ tarball: join(destination, filename), files: files.map(({ path }) => path) },
    }));
}
