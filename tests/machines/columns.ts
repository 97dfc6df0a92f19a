/**
 * The columns of the table of other people's machines: ways of being started, what the machine lacks, and what stands between it and the service.
 * A cell is one of each. Who does the work in it says how it is run; a way that changes nothing in its cells says why.
 */
import * as fs from "node:fs/promises";
import { systemProcesses } from "../../provider/dist/evidence/processes.js";

/** Who does the work: each is another process of a user's, with the client of its own bundle. */
export type Doer = "dynamic process" | "plugin" | "program" | "command";

export interface Lack {
    readonly what: string;
    /** The code of the refusal; none where the package does without. */
    readonly refused?: string;
    /** Why nobody has such a machine. */
    readonly nobody?: string;
    /** The calls of the journal that fail, always, and with which code. */
    readonly fails?: Readonly<Record<string, string>>;
    readonly processes?: typeof systemProcesses;
    /** The stack's own state cannot be read, as with a CLI of another name where `/proc` does not show it. */
    readonly noState?: boolean;
    /** There is no HOME, and the journal is in Pulumi's own. */
    readonly noHome?: boolean;
    /** It shows only when the marker is written, after the first requests. */
    readonly isLate?: boolean;
    /** Before the run. */
    readonly folder?: (path: string) => Promise<unknown>;
}

const noProc = { processes: { self: { ...systemProcesses.self, started: "random" }, isAlive: () => false } };

export const lacks: readonly Lack[] = [
    { what: "nothing" },
    { what: "HOME, where PULUMI_HOME is set", noHome: true },
    // `failed to get the home path`.
    {
        what: "HOME, PULUMI_HOME and a name for the user",
        nobody: "The engine asks for its home before anything of ours.",
    },
    { what: "the sync of a folder (CIFS, FUSE)", fails: { "sync folder": "EINVAL" } },
    { what: "the sync of a folder (WSL)", fails: { "sync folder": "EIO" } },
    { what: "the opening of a folder", fails: { "open folder": "EISDIR" } },
    { what: "/proc", ...noProc },
    { what: "a CLI that can be asked for the state", noState: true },
    { what: "both of them", ...noProc, noState: true },
    { what: "any sync", fails: { "sync folder": "ENOTSUP", "sync file": "ENOTSUP" }, isLate: true, refused: "VG3020" },
    { what: "room on the disk", fails: { write: "ENOSPC" }, refused: "VG3020" },
    { what: "room in the quota", fails: { mkdir: "EDQUOT" }, refused: "VG3020" },
    { what: "file handles", fails: { "open file": "EMFILE" }, refused: "VG3020" },
    { what: "a disk that can be written", fails: { mkdir: "EROFS" }, refused: "VG3020" },
    { what: "the right to write", fails: { "open file": "EACCES" }, refused: "VG3020" },
    {
        what: "a folder of its own",
        folder: (path) => fs.mkdir(path, { recursive: true }).then(() => fs.chmod(path, 0o777)),
        refused: "VG3020",
    },
    { what: "a folder in the folder's place", folder: (path) => fs.writeFile(path, ""), refused: "VG3020" },
];

/** Where the gates of the test listen. */
export const gates = { plain: "", tls: "", ipv6: "", proxyPort: 0 };

export interface Between {
    readonly what: string;
    readonly refused?: string;
    /** The base URL, where it is not the emulator's own. */
    readonly baseUrl?: () => string;
    readonly variables?: () => Record<string, string>;
    readonly trustsCertificate?: boolean;
}

export const networks: readonly Between[] = [
    { what: "nothing" },
    { what: "IPv6", baseUrl: () => gates.ipv6 },
    { what: "a gate that compresses (gzip)", baseUrl: () => `${gates.plain}/gzip` },
    { what: "a gate that compresses (br)", baseUrl: () => `${gates.plain}/br` },
    { what: "a certificate of the company", baseUrl: () => gates.tls, trustsCertificate: true },
    { what: "a proxy", ...proxied((port) => `http://127.0.0.1:${port}`) },
    { what: "a proxy without a scheme", ...proxied((port) => `127.0.0.1:${port}`) },
    { what: "a certificate that is not trusted", baseUrl: () => gates.tls, refused: "VG5001" },
    { what: "an address that is no proxy's", ...proxied(() => "ftp://proxy"), refused: "VG5003" },
];

function proxied(address: (port: number) => string): Omit<Between, "what"> {
    const variables = () => ({ HTTPS_PROXY: address(gates.proxyPort) });
    return { baseUrl: () => "https://videograph.test", variables, trustsCertificate: true };
}

/** Why what a machine lacks is nothing to those that make no object. */
export const withoutJournal: Readonly<Partial<Record<Doer, string>>> = {
    program: "A lookup opens no journal, asks for no state and writes no file.",
    command:
        "A command that reads the account opens no journal; what the others do to it, unit/evidence/journalFaults fails call by call.",
};

export interface Way {
    readonly way: string;
    /** Where it is refused, the code says it for every cell: the run ends before a journal is opened or a request sent. */
    readonly refused?: string;
    /** Who does the work in its cells. */
    readonly by: readonly Doer[];
    /** Why what the machine lacks and what stands between is the same in it as for its doers alone. */
    readonly because: string;
    /** What it lacks in place of something that the machine lacks. */
    readonly instead?: Readonly<Record<string, string>>;
    /** The test that runs it with the real CLI, where nothing is lacking, and words of its title. */
    readonly test: readonly [file: string, title: string];
}

const providers = ["dynamic process", "plugin"] as const;
const refusedFirst = "No provider is started that could open a journal or send a request.";

export const ways: readonly Way[] = [
    {
        way: "CLI, `up`, second `up`, `destroy`, both faces",
        by: [...providers, "program"],
        because: "The engine starts each of these processes, and gives it its own variables and nothing else.",
        test: ["tests/e2e/standard.test.ts", "describe("],
    },
    {
        way: "CLI by its path, under another name",
        by: [...providers, "program"],
        because: "The providers are the same; without /proc nothing tells them which file the CLI is.",
        instead: { "/proc": "both of them" },
        test: ["tests/e2e/lawNoCli.test.ts", "whose CLI is not on the PATH"],
    },
    {
        way: "Automation API, inline",
        by: [...providers, "program"],
        because:
            "The providers are processes of the engine; lookups are made by the user's process, with its variables.",
        test: ["tests/native/install.test.ts", "inline program of the Automation API"],
    },
    {
        way: "Automation API, several runs and stacks in one process",
        by: [...providers, "program"],
        because: "Each run has an engine and providers of its own, and each a client of its own for lookups.",
        test: ["tests/machines/oneProcess.test.ts", "Several runs and several stacks"],
    },
    {
        way: "Automation API, inline, in the root of a monorepo",
        by: ["dynamic process"],
        because: "The root decides where the package is loaded from, and nothing after that.",
        test: ["tests/machines/started.test.ts", "in the root of a monorepo (E6)"],
    },
    {
        way: "Automation API, inline, `main` without the package",
        refused: "VG2010",
        by: [],
        because: refusedFirst,
        test: ["tests/machines/started.test.ts", "in the root of a monorepo (E6)"],
    },
    {
        way: "bundle, CommonJS and ES module, package beside it",
        by: [...providers, "program"],
        because:
            "The providers are the files of the package beside it; lookups are the package's own bundle inside the user's.",
        test: ["tests/machines/bundled.test.ts", "where the package is installed beside it"],
    },
    {
        way: "bundle of the dynamic types, nothing beside it",
        refused: "VG2010",
        by: [],
        because: refusedFirst,
        test: ["tests/machines/bundled.test.ts", "else says so in one sentence"],
    },
    {
        way: "bundle of the native types, nothing beside it",
        refused: "VG8009",
        by: [],
        because: refusedFirst,
        test: ["tests/machines/bundled.test.ts", "else says so in one sentence"],
    },
    {
        way: "ES module and JavaScript, installed by pnpm",
        by: ["dynamic process", "program"],
        because: "How files are laid out is over once the process has loaded its one file.",
        test: ["tests/package/install.test.ts", "installed by pnpm, run in JavaScript"],
    },
    {
        way: "TypeScript, installed by npm",
        by: ["dynamic process", "program"],
        because: "The compiler is in the program's process, and adds nothing to the client.",
        test: ["tests/package/install.test.ts", "let the first page be followed"],
    },
    {
        way: "component library alone has the package (pnpm)",
        refused: "VG2010",
        by: [],
        because: refusedFirst,
        test: ["tests/machines/started.test.ts", "beside a component library alone"],
    },
    {
        way: "the same, hidden by NODE_PATH (commands of pnpm)",
        refused: "VG2010",
        by: [],
        because: refusedFirst,
        test: ["tests/machines/started.test.ts", "also where NODE_PATH hides it"],
    },
    {
        way: "an old Node",
        refused: "VG2011",
        by: [],
        because: refusedFirst,
        test: ["tests/docs/troubleshooting.test.ts", "An old Node"],
    },
    {
        way: "other backend, by `stack migrate`",
        by: [...providers],
        because: "Where the state is kept is the engine's affair: a provider reads it by the CLI, wherever it is.",
        test: ["tests/machines/backends.test.ts", "pulumi stack migrate"],
    },
    {
        way: "commands, by npx, also of a user without a name (E7)",
        by: ["command"],
        because: "A command is one process, and looks for the user's name only where there is no HOME.",
        test: ["tests/unit/cli/orphans.test.ts", "(E7)"],
    },
];
