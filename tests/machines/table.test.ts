/**
 * Other people's machines as a table: what the machine lacks × what stands between it and the service. Each cell is a create by the real journal, on
 * a real disk, through the real client: it works, or is refused with its code, and then nothing was created. What needs an engine is in the
 * other files of this folder: see `ways`. docs/installation.md is this table for users.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Emulator, startEmulator } from "videograph-emulator";
import { systemClock } from "../../provider/dist/api/clock.js";
import { Journal } from "../../provider/dist/evidence/journal.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { systemProcesses } from "../../provider/dist/evidence/processes.js";
import { texts } from "../../provider/dist/messages/catalogue.js";
import { lifecycles } from "../../provider/dist/resources/index.js";
import { ResourceHost } from "../../provider/dist/session/resourceHost.js";
import { Session } from "../../provider/dist/session/session.js";
import { stateOf, urnOf } from "../support/machine.ts";

interface Lack {
    readonly what: string;
    /** The code of the refusal; none where the package does without. */
    readonly refused?: string;
    /** The calls of the journal that fail, always, and with which code. */
    readonly fails?: Readonly<Record<string, string>>;
    readonly processes?: typeof systemProcesses;
    /** The stack's own state cannot be read, as with a CLI of another name where `/proc` does not show it. */
    readonly noState?: boolean;
    /** It shows only when the marker is written, after the first requests. */
    readonly isLate?: boolean;
    /** Before the run. */
    readonly folder?: (path: string) => Promise<unknown>;
}

const lacks: Lack[] = [
    { what: "nothing" },
    { what: "the sync of a folder (CIFS, FUSE)", fails: { "sync folder": "EINVAL" } },
    { what: "the sync of a folder (WSL)", fails: { "sync folder": "EIO" } },
    { what: "the opening of a folder", fails: { "open folder": "EISDIR" } },
    { what: "/proc", processes: { self: { ...systemProcesses.self, started: "random" }, isAlive: () => false } },
    { what: "a CLI that can be asked for the state", noState: true },
    { what: "any sync", fails: { "sync folder": "ENOTSUP", "sync file": "ENOTSUP" }, isLate: true, refused: "VG3020" },
    { what: "room on the disk", fails: { write: "ENOSPC" }, refused: "VG3020" },
    { what: "room in the quota", fails: { mkdir: "EDQUOT" }, refused: "VG3020" },
    { what: "file handles", fails: { "open file": "EMFILE" }, refused: "VG3020" },
    { what: "a disk that can be written", fails: { mkdir: "EROFS" }, refused: "VG3020" },
    { what: "the right to write", fails: { "open file": "EACCES" }, refused: "VG3020" },
    {
        what: "a folder of its own",
        folder: (path) => fs.mkdir(path).then(() => fs.chmod(path, 0o777)),
        refused: "VG3020",
    },
    { what: "a folder in the folder's place", folder: (path) => fs.writeFile(path, ""), refused: "VG3020" },
];

interface Between {
    readonly what: string;
    readonly refused?: string;
    /** The base URL, where it is not the emulator's own. */
    readonly baseUrl?: () => string;
    readonly variables?: () => Record<string, string>;
    readonly trustsCertificate?: boolean;
}

const networks: Between[] = [
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

/** Ways of being started: each is a run of the real CLI, by the test whose title has these words. */
const ways: readonly (readonly [
    way: string,
    result: "works" | "refused" | "nobody can have it",
    file: string,
    title: string,
])[] = [
    ["CLI, `up`, second `up`, `destroy`, both faces", "works", "tests/e2e/standard.test.ts", "describe("],
    ["CLI by its path, under another name", "works", "tests/e2e/lawNoCli.test.ts", "whose CLI is not on the PATH"],
    ["Automation API, inline", "works", "tests/native/install.test.ts", "inline program of the Automation API"],
    [
        "Automation API, several runs and stacks in one process",
        "works",
        "tests/machines/oneProcess.test.ts",
        "Several runs and several stacks",
    ],
    [
        "Automation API, inline, in the root of a monorepo",
        "works",
        "tests/machines/started.test.ts",
        "in the root of a monorepo (E6)",
    ],
    [
        "Automation API, inline, `main` without the package",
        "refused",
        "tests/machines/started.test.ts",
        "in the root of a monorepo (E6)",
    ],
    [
        "bundle, CommonJS and ES module, package beside it",
        "works",
        "tests/machines/bundled.test.ts",
        "where the package is installed beside it",
    ],
    ["bundle, nothing beside it", "refused", "tests/machines/bundled.test.ts", "else says so in one sentence"],
    [
        "ES module and JavaScript, installed by pnpm",
        "works",
        "tests/package/install.test.ts",
        "installed by pnpm, run in JavaScript",
    ],
    ["TypeScript, installed by npm", "works", "tests/package/install.test.ts", "let the first page be followed"],
    [
        "component library alone has the package (pnpm)",
        "refused",
        "tests/machines/started.test.ts",
        "beside a component library alone",
    ],
    [
        "the same, hidden by NODE_PATH (commands of pnpm)",
        "refused",
        "tests/machines/started.test.ts",
        "also where NODE_PATH hides it",
    ],
    ["user without a name: commands", "works", "tests/unit/cli/orphans.test.ts", "(E7)"],
    ["an old Node", "refused", "tests/docs/troubleshooting.test.ts", "An old Node"],
    ["other backend, by `stack migrate`", "works", "tests/machines/backends.test.ts", "pulumi stack migrate"],
    // The engine asks for it first: `failed to get the home path`.
    ["neither HOME, PULUMI_HOME nor a name for the user", "nobody can have it", "", ""],
];

const gates = { plain: "", tls: "", ipv6: "", proxyPort: 0 };

describe("Other people's machines", () => {
    const servers: Server[] = [];
    let emulator: Emulator;
    let folder: string;
    let hasIpv6 = true;
    const { env } = process;

    /** Passes a request to the emulator. The first part of the path names a coding. */
    const gate = (incoming: IncomingMessage, outgoing: ServerResponse) => {
        const [, coding, path] = /^(?:\/(gzip|br))?(\/.*)$/.exec(incoming.url ?? "") ?? [];
        const { method, headers } = incoming;
        const upstream = request(
            `${emulator.url}${path}`,
            { method, headers: { ...headers, host: "" } },
            async (answer) => {
                const chunks: Buffer[] = [];
                for await (const chunk of answer) chunks.push(chunk);
                const body = Buffer.concat(chunks);
                const { "content-length": _, ...rest } = answer.headers;
                outgoing.writeHead(answer.statusCode ?? 500, {
                    ...rest,
                    ...(coding && { "content-encoding": coding }),
                });
                outgoing.end(coding === "gzip" ? gzipSync(body) : coding === "br" ? brotliCompressSync(body) : body);
            },
        );
        incoming.pipe(upstream);
    };
    const listen = async (server: Server, host = "127.0.0.1"): Promise<number> => {
        servers.push(server);
        await new Promise<void>((done, failed) => server.on("error", failed).listen(0, host, done));
        return (server.address() as AddressInfo).port;
    };

    before(async () => {
        emulator = await startEmulator({ fetchSources: false });
        const fixture = (name: string) =>
            fs.readFile(join(import.meta.dirname, "..", "unit", "api", "fixtures", name), "utf8");
        const [key, cert] = [await fixture("key.pem"), await fixture("cert.pem")];
        const tlsPort = await listen(createTlsServer({ key, cert }, gate));
        gates.plain = `http://127.0.0.1:${await listen(createServer(gate))}`;
        gates.tls = `https://127.0.0.1:${tlsPort}`;
        const v6 = await listen(createServer(gate), "::1").catch(() => undefined);
        hasIpv6 = v6 !== undefined;
        gates.ipv6 = `http://[::1]:${v6}`;
        const proxy = createServer().on("connect", (_, socket) => {
            const upstream = connect(tlsPort, "127.0.0.1", () => {
                socket.write("HTTP/1.1 200 OK\r\n\r\n");
                upstream.pipe(socket).pipe(upstream);
            });
            upstream.on("error", () => socket.destroy());
            socket.on("error", () => upstream.destroy());
        });
        gates.proxyPort = await listen(proxy);
        trusted = [...tls.getCACertificates("default"), cert];
    });
    let trusted: string[];
    const authorities = tls.getCACertificates("default");
    after(async () => {
        await emulator.close();
        for (const server of servers) server.close();
    });
    beforeEach(async () => {
        emulator.reset();
        folder = join(await fs.mkdtemp(join(tmpdir(), "videograph-machine-")), "journal");
    });
    afterEach(async () => {
        process.env = env;
        tls.setDefaultCACertificates(authorities);
        await fs.rm(join(folder, ".."), { recursive: true });
    });

    function filesThat(fails: Readonly<Record<string, string>> = {}): JournalFiles {
        const fail = async (call: string) => {
            const code = fails[call];
            if (code !== undefined) throw Object.assign(new Error(`${code}: said by the system`), { code });
        };
        const opened = async (path: string, flags: string | number, mode?: number) => {
            const what = path === folder ? "folder" : "file";
            // A file that is not there is not opened, and then created.
            if (flags === "ax" || what === "folder") await fail(`open ${what}`);
            const handle = await fs.open(path, flags, mode);
            const { appendFile, sync } = handle;
            return Object.assign(handle, {
                appendFile: (text: string) => fail("write").then(() => appendFile.call(handle, text)),
                sync: () => fail(`sync ${what}`).then(() => sync.call(handle)),
            });
        };
        const mkdir = (path: string, options: object) => fail("mkdir").then(() => fs.mkdir(path, options));
        return { ...fs, open: opened, mkdir } as unknown as JournalFiles;
    }

    /** One create by a provider process of its own. Waits between tries are short. */
    async function create(lack: Lack, between: Between): Promise<string> {
        const own = Object.entries(env).filter(([name]) => !/^(https?|no)_proxy$/i.test(name));
        process.env = { ...Object.fromEntries(own), ...between.variables?.() };
        if (between.trustsCertificate) tls.setDefaultCACertificates(trusted);
        await lack.folder?.(folder);
        const signal = new AbortController().signal;
        const clock = { ...systemClock, sleep: (ms: number, stop?: AbortSignal) => systemClock.sleep(ms / 200, stop) };
        const journal = new Journal({
            folder,
            files: filesThat(lack.fails),
            ...(lack.processes && { processes: lack.processes }),
        });
        const session = new Session({
            ...{ clock, random: Math.random, journal },
            ownState: () => ({
                skipsCheckpoints: false,
                of: async (urn, kind) => (lack.noState ? undefined : stateOf()(urn, kind)),
                holderOf: async () => undefined,
            }),
            variables: { ...emulator.env, ...(between.baseUrl && { VIDEOGRAPH_BASE_URL: between.baseUrl() }) },
            engine: { say: () => undefined, shown: async () => undefined, watch: () => undefined },
            lifetime: {
                ...{ signal, answerNow: signal, answersAreDiscarded: false },
                ...{ during: (body) => body(), start: () => undefined, cancel: () => undefined },
            },
        });
        session.configure({}, {});
        const host = new ResourceHost(session, lifecycles.Livestream);
        const inputs = { title: "Stage", region: "us-east-1", record: false, __attempt: "one" };
        return host.create({ urn: urnOf("stage", "Livestream"), timeouts: {}, inputs }).then(
            () => "works",
            (error: Error) => /\[(VG\d+)\]/.exec(error.message)?.[1] ?? error.message,
        );
    }

    const counts: Record<string, number> = {};
    const count = (result: string) => {
        counts[result] = (counts[result] ?? 0) + 1;
    };

    for (const between of networks)
        it(`between: ${between.what}; for each thing that the machine lacks`, async function () {
            if (between.what === "IPv6" && !hasIpv6) return this.skip();
            for (const lack of lacks) {
                // A wrong setting is found before the journal, and the journal is written before a request is sent.
                const network = between.refused === "VG5003" || lack.isLate;
                const [first, second] = network ? [between, lack] : [lack, between];
                const expected = first.refused ?? second.refused ?? "works";
                await fs.rm(folder, { recursive: true, force: true });
                emulator.reset();
                assert.equal(await create(lack, between), expected, `lacks ${lack.what}`);
                assert.equal(emulator.livestreams().length, expected === "works" ? 1 : 0, `lacks ${lack.what}`);
                count(expected === "works" ? "works" : `refused (${expected})`);
            }
        });

    it("ways of being started are run by the tests that they name", async () => {
        for (const [way, result, file, title] of ways) {
            count(`started: ${result}`);
            if (result === "nobody can have it") continue;
            const text = await fs.readFile(join(import.meta.dirname, "..", "..", file), "utf8");
            assert.ok(text.includes(title), `${way}: no "${title}" in ${file}`);
        }
        console.log(
            Object.entries(counts)
                .map(([result, cells]) => `      ${result}: ${cells}`)
                .join("\n"),
        );
    });

    it("are told of on the page for users, with codes that exist", async () => {
        const page = await fs.readFile(join(import.meta.dirname, "..", "..", "docs", "installation.md"), "utf8");
        const known = Object.values(texts).join(" ");
        const told = [...page.matchAll(/refused \(([^)]+)\)|\((VG\d+), (VG\d+)\)/g)].flatMap(
            (match) => match[0].match(/VG\d+/g) ?? [],
        );
        assert.ok(told.length >= 4, page);
        for (const code of told) assert.ok(known.includes(`[${code}]`) || code === "VG2010", code);
        const refused = [...lacks, ...networks].flatMap((one) => one.refused ?? []);
        for (const code of new Set(refused)) assert.ok(known.includes(`[${code}]`), code);
    });
});
