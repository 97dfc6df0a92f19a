/** npm's and PyPI's registries on loopback: verdaccio and pypiserver, installed into a folder of the rehearsal. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

interface Registry {
    readonly url: string;
    stop(): void;
}

/** Everything but the packages of this repository comes from the user's own registry. */
export async function startVerdaccio(folder: string): Promise<Registry> {
    mkdirSync(folder, { recursive: true });
    const own = { access: "$all", publish: "$all" };
    const config = {
        storage: join(folder, "storage"),
        uplinks: { upstream: { url: String(execFileSync("npm", ["config", "get", "registry"])).trim() } },
        packages: {
            ...{ "pulumi-videograph": own, "videograph-emulator": own },
            "**": { access: "$all", proxy: "upstream" },
        },
        max_body_size: "100mb",
        log: { type: "stdout", level: "warn" },
    };
    writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
    // A dependency of it asks for the dist-tag `cjs`, which mirrors of npm's registry do not have.
    const manifest = { private: true, dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    install("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"]);
    const program = join(folder, "node_modules", "verdaccio", "bin", "verdaccio");
    return await started((port) => [
        ...[process.execPath, program, "--config", join(folder, "config.yaml")],
        ...["--listen", `127.0.0.1:${port}`],
    ]);
}

export async function startPypiserver(folder: string): Promise<Registry> {
    const packages = join(folder, "packages");
    mkdirSync(packages, { recursive: true });
    install("python3", ["-m", "venv", join(folder, "venv")]);
    install(join(folder, "venv", "bin", "pip"), ["install", "--quiet", "pypiserver==2.4.2", "setuptools==80.9.0"]);
    return await started((port) => [
        ...[join(folder, "venv", "bin", "pypi-server"), "run", "--interface", "127.0.0.1", "--port", String(port)],
        ...["--passwords", ".", "--authenticate", ".", "--disable-fallback", packages],
    ]);
}

function install(program: string, args: readonly string[]): void {
    execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

async function started(commandAt: (port: number) => string[]): Promise<Registry> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as { port: number };
    probe.close();
    const [program = "", ...args] = commandAt(port);
    const child = spawn(program, args, { stdio: "ignore" });
    const url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; !(await answers(url)); tries++) {
        if (child.exitCode !== null || tries > 300) throw new Error(`${program} does not answer at ${url}`);
        await sleep(200);
    }
    return { url, stop: () => child.kill() };
}

function answers(url: string): Promise<boolean> {
    return fetch(url).then(
        ({ ok }) => ok,
        () => false,
    );
}
