/** npm's and PyPI's registries on loopback: verdaccio and pypiserver, installed into a folder of the rehearsal. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const startTimeoutMs = 60_000;

export interface Registry {
    readonly url: string;
    stop(): Promise<void>;
}

/** Everything but the packages of this repository comes from the user's own registry. */
export async function startVerdaccio(folder: string): Promise<Registry> {
    mkdirSync(folder, { recursive: true });
    const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const own = { access: "$all", publish: "$all" };
    const config = {
        storage: join(folder, "storage"),
        uplinks: { upstream: { url: upstream } },
        packages: {
            "pulumi-videograph": own,
            "videograph-emulator": own,
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
    const port = await freePort();
    const program = join(folder, "node_modules", "verdaccio", "bin", "verdaccio");
    const args = [program, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`];
    return await started(
        spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }),
        `http://127.0.0.1:${port}/`,
    );
}

export async function startPypiserver(folder: string): Promise<Registry> {
    const packages = join(folder, "packages");
    mkdirSync(packages, { recursive: true });
    install("python3", ["-m", "venv", join(folder, "venv")]);
    install(join(folder, "venv", "bin", "pip"), ["install", "--quiet", "pypiserver==2.4.2", "setuptools==80.9.0"]);
    const port = await freePort();
    const args = ["run", "--interface", "127.0.0.1", "--port", String(port), "--passwords", ".", "--authenticate", "."];
    const program = join(folder, "venv", "bin", "pypi-server");
    const child = spawn(program, [...args, "--disable-fallback", packages], { stdio: ["ignore", "ignore", "ignore"] });
    return await started(child, `http://127.0.0.1:${port}/`);
}

function install(program: string, args: readonly string[]): void {
    execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    return typeof address === "object" && address !== null ? address.port : 0;
}

async function started(child: ChildProcess, url: string): Promise<Registry> {
    const until = Date.now() + startTimeoutMs;
    while (
        !(await fetch(url).then(
            ({ ok }) => ok,
            () => false,
        ))
    ) {
        if (child.exitCode !== null || Date.now() > until)
            throw new Error(`${child.spawnfile} does not answer at ${url}`);
        await sleep(200);
    }
    return {
        url,
        async stop() {
            if (child.exitCode !== null) return;
            child.kill();
            await once(child, "exit");
        },
    };
}
