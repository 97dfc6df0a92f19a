/** Builds the Pulumi CLI from its official Go modules, at the versions and checksums pinned in tools/go/. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { findProgram } from "./inspect.ts";
import { pinnedVersion } from "./pin.ts";

export interface GoProgram {
    /** The folder of its go.mod, below tools/go. */
    readonly module: string;
    readonly package: string;
    readonly version: string;
}

const programs: readonly GoProgram[] = [
    { module: "cli", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version: `v${pinnedVersion}` },
    {
        module: "languageHost",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        version: "v3.68.0",
    },
];

/** Builds the CLI and its Node language host, as pinned in tools/go, into `<root>/bin`: about five minutes on two cores the first time. */
export async function buildCli(root: string, say: (line: string) => void): Promise<void> {
    const go = findProgram("go", (process.env.PATH ?? "").split(delimiter));
    if (go === undefined) throw new Error("there is no Go toolchain on the PATH (1.25.11 or newer is needed)");
    const bin = join(root, "bin");
    await mkdir(bin, { recursive: true });
    say("Building the Pulumi CLI from its Go modules: about 5 minutes on two cores, once per machine");
    const started = Date.now();
    const progress = setInterval(() => say(`  still building, ${elapsed(started)}`), 30_000);
    try {
        for (const program of programs) await goBuild(go, program, bin);
    } finally {
        clearInterval(progress);
    }
    await addDynamicProvider(bin);
    say(`Built the Pulumi CLI in ${elapsed(started)}`);
}

export async function goBuild(go: string, program: GoProgram, bin: string): Promise<void> {
    const version = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${program.version}`;
    const child = spawn(
        go,
        ["build", "-mod=readonly", "-buildvcs=false", "-ldflags", `-s -w ${version}`, "-o", `${bin}/`, program.package],
        { cwd: join(import.meta.dirname, "..", "go", program.module), stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
        });
    }
    const [code] = await once(child, "close");
    if (code === 0) return;
    const said = output.split("\n").filter((line) => line !== "" && !line.startsWith("go: downloading "));
    throw new Error(`go build of ${program.package} failed: ${said.slice(-5).join("; ")}`);
}

/**
 * The launcher of dynamic providers, which the official distribution has beside its binary. The engine warns where it
 * finds it elsewhere. A copy: it looks up the SDK from the program's folder, not from its own.
 */
async function addDynamicProvider(bin: string): Promise<void> {
    const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
    await copyFile(join(sdk, "pulumi-resource-pulumi-nodejs"), join(bin, "pulumi-resource-pulumi-nodejs"));
}

function elapsed(since: number): string {
    const seconds = Math.round((Date.now() - since) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
