/**
 * The CLI that runs the engine. The engine hands a provider its address, but neither its file nor its folder; so the CLI is the process that
 * listens at this address, whatever its file's name is (`.pulumi-wrapped` in nixpkgs).
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { promisify } from "node:util";
import { statFieldsOf } from "../evidence/processes";
import { findProject } from "./project";

export interface Cli {
    executable: string;
    /** Its working folder: a relative `file://` backend begins here, wherever Pulumi.yaml is. `undefined` where the system does not show it. */
    cwd: string | undefined;
}

/**
 * The CLI for commands of our own in a run whose engine has this port. Where the system does not show the engine's, it is most likely the one on the
 * PATH, and was started in the project's folder.
 */
export async function cliOfRun(port: string | undefined): Promise<Cli> {
    const { executable = "pulumi", cwd = findProject(process.cwd())?.folder } = (await engineCli(port)) ?? {};
    return { executable, cwd };
}

type Finder = (port: string) => Promise<Cli | undefined> | Cli | undefined;

/** The CLI that listens at the port of this machine; `undefined` where the system does not show it. */
export async function engineCli(port: string | undefined, platform = process.platform): Promise<Cli | undefined> {
    try {
        return port === undefined ? undefined : await finders[platform]?.(port);
    } catch {
        // A process of another user, or a system without the tool.
        return undefined;
    }
}

const finders: Partial<Record<NodeJS.Platform, Finder>> = { linux: byProc, darwin: byLsof, win32: byPowerShell };

/** The ancestor of this process that has one of the sockets. */
function byProc(port: string): Cli | undefined {
    const sockets = socketsAt(port);
    for (let pid = process.ppid; pid > 0; pid = Number(statFieldsOf(pid)[1]))
        if (filesOf(pid).some((file) => sockets.has(file))) {
            const executable = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
            return { executable, cwd: readlinkSync(`/proc/${pid}/cwd`) };
        }
    return undefined;
}

/** The sockets that listen at the port, as /proc/<pid>/fd shows them. */
function socketsAt(port: string): ReadonlySet<string> {
    const end = `:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`;
    const rows = ["tcp", "tcp6"].flatMap((table) =>
        attempt(() => readFileSync(`/proc/net/${table}`, "utf8").split("\n")),
    );
    const fields = rows.map((row) => row.trim().split(/\s+/));
    // 0A: it listens.
    const listening = fields.filter(([, local, , state]) => state === "0A" && local?.endsWith(end));
    return new Set(listening.map((row) => `socket:[${row[9]}]`));
}

/** The targets of the open files of a process. */
function filesOf(pid: number): string[] {
    const folder = `/proc/${pid}/fd`;
    return attempt(() => readdirSync(folder)).flatMap((name) => attempt(() => [readlinkSync(`${folder}/${name}`)]));
}

/** The list; an empty one where a file is not there or not ours. */
function attempt(read: () => string[]): string[] {
    try {
        return read();
    } catch {
        return [];
    }
}

const run = promisify(execFile);
/** For tools that answer in a second. */
const options = { timeout: 10_000, killSignal: "SIGKILL", windowsHide: true } as const;

/** By the tool of macOS: each field of its output is a line, with a letter for its kind. */
async function byLsof(port: string): Promise<Cli | undefined> {
    const path = { ...options, env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } };
    const listeners = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fp"], path);
    const pid = /^p(\d+)$/m.exec(listeners.stdout)?.[1];
    if (pid === undefined) return undefined;
    const files = (await run("lsof", ["-a", "-p", pid, "-d", "cwd,txt", "-Ffn"], path)).stdout;
    // The executable is the first of the mapped files.
    const [cwd, executable] = ["cwd", "txt"].map(
        (kind) => new RegExp(`^f${kind}\\n(?:[^fn].*\\n)*n(/.*)$`, "m").exec(files)?.[1],
    );
    return executable === undefined ? undefined : { executable, cwd };
}

/** Windows shows no working folder of another process. */
async function byPowerShell(port: string): Promise<Cli | undefined> {
    const listener = `Get-NetTCPConnection -State Listen -LocalPort ${Number(port)} | Select-Object -First 1 -ExpandProperty OwningProcess`;
    const script = `[Console]::OutputEncoding = [Text.Encoding]::UTF8; (Get-Process -Id (${listener})).Path`;
    const { stdout } = await run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script], options);
    return stdout.trim() === "" ? undefined : { executable: stdout.trim(), cwd: undefined };
}
