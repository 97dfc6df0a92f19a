/**
 * Finds the CLI that runs the engine. The engine tells a provider its address, but neither the file of the CLI nor the CLI's working folder. So this
 * code looks for the process that listens at the address, whatever the name of its file (`.pulumi-wrapped` in nixpkgs).
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { promisify } from "node:util";
import { statFieldsOf } from "../evidence/processes";
import { findProject } from "./project";

export interface Cli {
    executable: string;
    /** The working folder, from which the CLI resolves a relative `file://` backend. `undefined` where the system does not show it. */
    cwd: string | undefined;
}

/**
 * The CLI that runs the engine at this port. Where the system does not show the engine's process: the CLI on the PATH, in the folder of Pulumi.yaml.
 * Nearly every run is started with that CLI, in that folder.
 */
export async function cliOfRun(port: string | undefined): Promise<Cli> {
    const { executable = "pulumi", cwd = findProject(process.cwd())?.folder } = (await engineCli(port)) ?? {};
    return { executable, cwd };
}

type Finder = (port: string) => Promise<Cli | undefined> | Cli | undefined;

/** The process that listens at the port of this machine; `undefined` where the system does not show it. */
export async function engineCli(port: string | undefined, platform = process.platform): Promise<Cli | undefined> {
    try {
        return port === undefined ? undefined : await finders[platform]?.(port);
    } catch {
        // The process belongs to another user, or the system lacks the tool.
        return undefined;
    }
}

const finders: Partial<Record<NodeJS.Platform, Finder>> = { linux: byProc, darwin: byLsof, win32: byPowerShell };

/** By /proc: the CLI is the ancestor of this process that has the listening socket open. */
function byProc(port: string): Cli | undefined {
    const sockets = socketsAt(port);
    for (let pid = process.ppid; pid > 0; pid = Number(statFieldsOf(pid)[1]))
        if (filesOf(pid).some((file) => sockets.has(file))) {
            const executable = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
            return { executable, cwd: readlinkSync(`/proc/${pid}/cwd`) };
        }
    return undefined;
}

/** The sockets that listen at the port, as the links in /proc/<pid>/fd name them: `socket:[12345]`. */
function socketsAt(port: string): ReadonlySet<string> {
    const end = `:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`;
    const rows = ["tcp", "tcp6"].flatMap((table) =>
        attempt(() => readFileSync(`/proc/net/${table}`, "utf8").split("\n")),
    );
    const fields = rows.map((row) => row.trim().split(/\s+/));
    // 0A is the state "listening".
    const listening = fields.filter(([, local, , state]) => state === "0A" && local?.endsWith(end));
    return new Set(listening.map((row) => `socket:[${row[9]}]`));
}

/** What the links in /proc/<pid>/fd point at: the open files and sockets of the process. */
function filesOf(pid: number): string[] {
    const folder = `/proc/${pid}/fd`;
    return attempt(() => readdirSync(folder)).flatMap((name) => attempt(() => [readlinkSync(`${folder}/${name}`)]));
}

/** What `read` returns; an empty list where /proc has no such file, or refuses to show it to this user. */
function attempt(read: () => string[]): string[] {
    try {
        return read();
    } catch {
        return [];
    }
}

const run = promisify(execFile);
/** A tool that hangs must not hold up a create. Usually `lsof` and PowerShell answer within a second. */
const options = { timeout: 10_000, killSignal: "SIGKILL", windowsHide: true } as const;

/** By `lsof`, as on macOS. With -F, `lsof` prints each field on its own line, after a letter that names the field. */
async function byLsof(port: string): Promise<Cli | undefined> {
    const path = { ...options, env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } };
    const listeners = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fp"], path);
    const pid = /^p(\d+)$/m.exec(listeners.stdout)?.[1];
    if (pid === undefined) return undefined;
    const files = (await run("lsof", ["-a", "-p", pid, "-d", "cwd,txt", "-Ffn"], path)).stdout;
    // `txt` lists the executable first, then the libraries that it has loaded.
    const [cwd, executable] = ["cwd", "txt"].map(
        (kind) => new RegExp(`^f${kind}\\n(?:[^fn].*\\n)*n(/.*)$`, "m").exec(files)?.[1],
    );
    return executable === undefined ? undefined : { executable, cwd };
}

/** By PowerShell. Windows does not tell a process the working folder of another process, so `cwd` is `undefined`. */
async function byPowerShell(port: string): Promise<Cli | undefined> {
    const listener = `Get-NetTCPConnection -State Listen -LocalPort ${Number(port)} | Select-Object -First 1 -ExpandProperty OwningProcess`;
    const script = `[Console]::OutputEncoding = [Text.Encoding]::UTF8; (Get-Process -Id (${listener})).Path`;
    const { stdout } = await run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script], options);
    return stdout.trim() === "" ? undefined : { executable: stdout.trim(), cwd: undefined };
}
