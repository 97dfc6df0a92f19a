/**
 * Other people's machines as a table: ways of being started × what the machine lacks × what stands between it and the service (columns.ts). Each cell has an
 * answer: it works, is refused with its code, or nobody can have it. Who does the work in a cell does it here, on a real disk, through the real client: a
 * create by either face, a lookup by the file that programs load, a command by its process. The ways themselves are run with the real CLI by the
 * tests that they name. docs/installation.md is this table for users.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createRequire } from "node:module";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Emulator, startEmulator } from "videograph-emulator";
import { systemClock } from "../../provider/dist/api/clock.js";
import { Journal, journalFolder } from "../../provider/dist/evidence/journal.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { texts } from "../../provider/dist/messages/catalogue.js";
import type * as RunLookup from "../../provider/dist/program/runLookup.js";
import { Session } from "../../provider/dist/session/session.js";
import { resolveSettings } from "../../provider/dist/session/settings.js";
import { DynamicFace, NativeFace } from "../explore/faces.ts";
import { stateOf, urnOf } from "../support/machine.ts";
import { type Between, type Doer, gates, type Lack, lacks, networks, ways, withoutJournal } from "./columns.ts";

const load = createRequire(import.meta.url);
/** The file that programs load for a lookup. */
const lookupFile = load.resolve("../../provider/dist/program/runLookup.js");

const repository = join(import.meta.dirname, "..", "..");
const fixtures = join(repository, "tests", "unit", "api", "fixtures");
const command = join(repository, "provider", "bin", "pulumi-videograph.js");

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
        const fixture = (name: string) => fs.readFile(join(fixtures, name), "utf8");
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

    const codeIn = (text: string) => /\[(VG\d+)\]/.exec(text)?.[1] ?? text;
    const variablesFor = ({ baseUrl }: Between) => ({
        ...emulator.env,
        ...(baseUrl && { VIDEOGRAPH_BASE_URL: baseUrl() }),
    });

    /** A livestream by the named face, in a session of its own. Waits between tries are short. */
    async function create(face: "dynamic process" | "plugin", lack: Lack, between: Between): Promise<void> {
        await lack.folder?.(folder);
        const signal = new AbortController().signal;
        const clock = { ...systemClock, sleep: (ms: number, stop?: AbortSignal) => systemClock.sleep(ms / 200, stop) };
        const journal = new Journal({
            folder: lack.noHome ? journalFolder({ PULUMI_HOME: join(folder, "..") }) : folder,
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
            variables: variablesFor(between),
            engine: { say: () => undefined, shown: async () => undefined, watch: () => undefined },
            lifetime: {
                ...{ signal, answerNow: signal, answersAreDiscarded: false },
                ...{ during: (body) => body(), start: () => undefined, cancel: () => undefined },
            },
        });
        session.configure({}, {});
        const host = face === "plugin" ? new NativeFace(session, "Livestream") : new DynamicFace(session, "Livestream");
        const dynamic = urnOf("stage", "Livestream");
        const urn =
            face === "plugin" ? dynamic.replace("pulumi-nodejs:dynamic/videograph:", "videograph:index:") : dynamic;
        const news = { title: "Stage", region: "us-east-1", record: false };
        const { inputs, failures } = await host.check(urn, {}, face === "plugin" ? news : { ...news, __urn: urn });
        if (failures.length > 0) throw new Error(failures.join());
        await host.create(urn, { ...inputs, __attempt: "one" });
        assert.equal(emulator.livestreams().length, 1);
    }

    /** What one doer answers, in an environment of its own. */
    async function answerOf(doer: Doer, lack: Lack, between: Between): Promise<string> {
        const own = Object.entries(env).filter(([name]) => !/^(https?|no)_proxy$/i.test(name));
        process.env = { ...Object.fromEntries(own), ...between.variables?.() };
        if (lack.noHome) delete process.env.HOME;
        try {
            if (doer === "program") {
                const settings = resolveSettings({}, {}, variablesFor(between));
                // A program of its own.
                delete load.cache[lookupFile];
                const { runLookup } = load(lookupFile) as typeof RunLookup;
                await runLookup("getContents", {}, async () => settings);
            } else if (doer === "command") {
                const trust = between.trustsCertificate ? { NODE_EXTRA_CA_CERTS: join(fixtures, "cert.pem") } : {};
                // What it says of the service; no CLI is asked.
                const own = { ...process.env, ...variablesFor(between), ...trust, PATH: "" };
                const options = { cwd: join(folder, ".."), env: own };
                const run = promisify(execFile)(process.execPath, [command, "doctor", "--json"], options);
                const { stdout } = await run.catch((error: { stdout: string }) => error);
                const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; text: string }[] };
                // A client that cannot be made is the finding "Connection"; then nothing can be said of the contents.
                const found = checks.find(({ check }) => ["Connection", "Contents"].includes(check));
                if (found === undefined) assert.fail(stdout);
                if (found.status !== "ok") throw new Error(found.text);
            } else await create(doer, lack, between);
            return "works";
        } catch (error) {
            assert.deepEqual(emulator.livestreams(), []);
            return codeIn((error as Error).message);
        } finally {
            process.env = env;
        }
    }

    /** What each doer has answered where this lacks, and that is between. */
    const answers = new Map<string, string>();
    const cell = (doer: Doer, lack: string, between: string) =>
        `${doer}, lacks ${doer in withoutJournal ? "nothing" : lack}, between: ${between}`;

    for (const between of networks)
        for (const doer of ["dynamic process", "plugin", "program", "command"] as const)
            it(`${doer}, between: ${between.what}; for each thing that the machine lacks`, async function () {
                if (between.what === "IPv6" && !hasIpv6) return this.skip();
                if (between.trustsCertificate) tls.setDefaultCACertificates(trusted);
                for (const lack of lacks) {
                    const name = cell(doer, lack.what, between.what);
                    if (lack.nobody !== undefined || answers.has(name)) continue;
                    // A wrong setting is found before the journal, and the journal is written before a request is sent.
                    const network = between.refused === "VG5003" || lack.isLate;
                    const [first, second] = network ? [between, lack] : [lack, between];
                    const expected = first.refused ?? second.refused ?? "works";
                    await fs.rm(folder, { recursive: true, force: true });
                    emulator.reset();
                    answers.set(name, await answerOf(doer, lack, between));
                    assert.equal(answers.get(name), expected, name);
                }
            });

    it("every cell of a way, a lack and what is between has an answer, and every way a test with the real CLI", async () => {
        // A cell counts for each answer in it: a lookup works where a create is refused.
        const counts = new Map<string, number>();
        for (const { way, refused, by, instead = {}, because, test } of ways) {
            const text = await fs.readFile(join(repository, test[0]), "utf8");
            assert.ok(text.includes(test[1]), `${way}: no "${test[1]}" in ${test[0]}`);
            assert.match(because, /\.$/, way);
            for (const lack of lacks)
                for (const between of networks) {
                    if (between.what === "IPv6" && !hasIpv6) continue;
                    const asked = by.map((doer) => cell(doer, instead[lack.what] ?? lack.what, between.what));
                    const answered = asked.map((name) => answers.get(name));
                    // Without HOME and a name there is no run that could be refused.
                    const found = lack.nobody
                        ? ["nobody can have it"]
                        : refused
                          ? [`refused (${refused})`]
                          : answered.map((one) => (one === undefined || one === "works" ? one : `refused (${one})`));
                    for (const one of new Set(found)) {
                        assert.ok(one !== undefined, `${way}, lacks ${lack.what}, between: ${between.what}: not run`);
                        counts.set(one, (counts.get(one) ?? 0) + 1);
                    }
                    assert.ok(found.length > 0, way);
                }
        }
        console.log(
            `      ${ways.length} ways × ${lacks.length} lacks × ${networks.length} between; ${answers.size} cells run`,
        );
        for (const [answer, cells] of counts) console.log(`      ${answer}: ${cells}`);
    });

    it("are told of on the page for users, with codes that exist", async () => {
        const page = await fs.readFile(join(repository, "docs", "installation.md"), "utf8");
        const known = Object.values(texts).join(" ");
        const told = [...page.matchAll(/refused \(([^)]+)\)|\((VG\d+), (VG\d+)\)/g)].flatMap(
            (match) => match[0].match(/VG\d+/g) ?? [],
        );
        assert.ok(told.length >= 4, page);
        for (const code of told) assert.ok(known.includes(`[${code}]`) || code === "VG2010", code);
        const refused = [...lacks, ...networks, ...ways].flatMap((one) => one.refused ?? []);
        for (const code of new Set(refused)) assert.ok(known.includes(`[${code}]`) || code === "VG2010", code);
        const ofWays = new Set(ways.flatMap(({ refused }) => refused ?? []));
        assert.deepEqual(
            [...ofWays].filter((code) => !told.includes(code)),
            [],
            "a way is refused, and the page does not say so",
        );
    });
});
