/** The journal on disk (S1): what a killed process leaves, another one finds. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseJson } from "../../../provider/dist/api/json.js";
import { Journal, journalFolder } from "../../../provider/dist/evidence/journal.js";
import type { JournalEntry, JournalFiles, Learned } from "../../../provider/dist/evidence/journalFile.js";
import { digestOfResource } from "../../../provider/dist/evidence/marker.js";
import { systemProcesses } from "../../../provider/dist/evidence/processes.js";
import { pulumiHome } from "../../../provider/dist/evidence/pulumiHome.js";
import { memoryFiles, openEntriesIn } from "../../support/memoryFiles.ts";

const urn = (name: string) => `urn:pulumi:dev::p::videograph:index:Content::${name}`;

const resourceDigest = digestOfResource(urn("n"), "Content");
const entry = (nonce: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
    ...{ kind: "Content", urn: urn("n"), resourceDigest, nonce, titleDigest: "t", inputsDigest: "s", fingerprint: "f" },
    startedAt: 1_000,
    writer: systemProcesses.self,
    ...more,
});
const nonces = ["0123456789aa", "0123456789ab", "0123456789ac"] as const;

describe("journal", () => {
    let folder: string;
    const open = ({ files = fs as JournalFiles, pid = process.pid, alive = [] as number[] } = {}) => {
        const isAlive = (writer: { pid: number }) => alive.includes(writer.pid);
        return new Journal({ folder, files, processes: { self: { pid, host: "here" }, isAlive } });
    };
    const openNonces = async () => (await open().entries()).map(({ nonce }) => nonce);
    const files = async () => (await fs.readdir(folder)).sort();

    beforeEach(async () => {
        folder = join(await fs.mkdtemp(join(tmpdir(), "videograph-journal-")), "journal");
    });
    afterEach(() => fs.rm(join(folder, ".."), { recursive: true }));

    it("S1: another process finds what was opened and learned, until it is closed", async () => {
        const first = open();
        const expected = entry(nonces[0], { marker: "m", birth: "b", id: "id-1", adoptedNonce: "" });
        await first.open(entry(nonces[0]));
        await first.note(expected.nonce, { marker: "m", birth: "b" });
        await first.note(expected.nonce, { id: "id-1" });
        await first.note(expected.nonce, { adoptedNonce: "" });
        assert.deepEqual(await open().entriesOf(resourceDigest), [expected]);
        await open().forget([expected.nonce]);
        assert.deepEqual(await files(), []);
        assert.deepEqual(await open().entries(), []);
    });

    it("a run has one file for all its creates, which goes with the last one; a repeated create is there again", async () => {
        const journal = open();
        await Promise.all(nonces.map((nonce) => journal.open(entry(nonce))));
        assert.equal((await files()).length, 1);
        await journal.close([nonces[0]]);
        assert.deepEqual(await openNonces(), nonces.slice(1));
        await Promise.all([journal.forget([nonces[1]]), journal.close([nonces[2]])]);
        assert.deepEqual(await files(), []);
        // The engine repeats the create.
        const repeated = `${nonces[0].slice(0, 8)}ffff`;
        await journal.open(entry(repeated));
        assert.deepEqual(await openNonces(), [nonces[0], nonces[2], repeated]);
    });

    it("S1: a file that is removed while its run is under way is written again, with all that is open", async () => {
        const journal = open();
        await Promise.all(nonces.map((nonce) => journal.open(entry(nonce))));
        for (const name of await files()) await fs.rm(join(folder, name));
        await journal.note(nonces[1], { marker: "m" });
        assert.deepEqual(await open().entries(), [
            entry(nonces[0]),
            entry(nonces[1], { marker: "m" }),
            entry(nonces[2]),
        ]);
    });

    it("S1: what another living process adds is seen, and its file stays; that of a process which has ended goes", async () => {
        const writer = { pid: 1, host: "here" };
        const [one, two] = [entry(nonces[0], { writer }), entry(nonces[1], { writer })];
        const alive = [writer.pid];
        const [first, second] = [open({ pid: 1 }), open({ pid: 2, alive })];
        await first.open(one);
        assert.deepEqual(await second.entriesOf(resourceDigest), [one]);
        await first.note(one.nonce, { id: "id-1" });
        assert.deepEqual(await second.entriesOf(resourceDigest), [{ ...one, id: "id-1" }]);
        await second.forget([one.nonce]);
        await first.open(two);
        assert.deepEqual(await open().entries(), [two]);
        const next = open({ pid: 3, alive });
        assert.deepEqual(await next.entriesOf(resourceDigest), [two]);
        alive.pop();
        await next.forget([two.nonce]);
        assert.deepEqual(await files(), []);
    });

    it("S1: a line that another living process is writing is read when all of it is there", async () => {
        const disk = new Map<string, string>();
        const of = (pid: number) => open({ files: memoryFiles(disk), pid, alive: [1] });
        const one = entry(nonces[0], { writer: { pid: 1, host: "here" } });
        await of(1).open(one);
        const [[path, text] = ["", ""]] = disk;
        const line = `${JSON.stringify({ nonce: nonces[0], id: "id-1" })}\n`;
        disk.set(path, text + line.slice(0, 30));
        const reader = of(2);
        assert.deepEqual(await reader.entriesOf(resourceDigest), [one]);
        disk.set(path, text + line);
        assert.deepEqual(await reader.entriesOf(resourceDigest), [{ ...one, id: "id-1" }]);
    });

    it("S1: two runs at once have files of their own, and each is read", async () => {
        const prod = urn("n").replace(":dev:", ":prod:");
        await Promise.all([
            open({ pid: 1 }).open(entry(nonces[0])),
            open({ pid: 2 }).open(entry(nonces[1], { urn: prod })),
        ]);
        assert.equal((await files()).length, 2);
        assert.equal((await open().entriesOf(resourceDigest)).length, 2);
    });

    it("S3, X12: only its user can read it; it is not used where every user can write, follows no link and waits for no pipe", async function () {
        if (process.platform === "win32") this.skip();
        await open().open(entry(nonces[0]));
        const [name = ""] = await files();
        const modes = await Promise.all([folder, join(folder, name)].map(async (path) => (await fs.stat(path)).mode));
        assert.deepEqual(
            modes.map((mode) => mode & 0o777),
            [0o700, 0o600],
        );
        await fs.chmod(folder, 0o777);
        await assert.rejects(open().entries(), /VG3020/);
        await assert.rejects(open().open(entry(nonces[1])), /VG3020/);
        await fs.chmod(folder, 0o700);
        const elsewhere = join(folder, "..", "elsewhere");
        await fs.rename(join(folder, name), elsewhere);
        await fs.symlink(elsewhere, join(folder, name));
        await assert.rejects(open().entries(), /VG3020/);
        await fs.rm(join(folder, name));
        await promisify(execFile)("mkfifo", [join(folder, name)]);
        assert.deepEqual(await open().entries(), []);
    });

    it("S1: a marker is on the disk before it is sent, and those that wait together share one fsync", async () => {
        const synced: string[] = [];
        const watched = {
            ...fs,
            open: async (path: string, flags: string, mode?: number) => {
                const handle = await fs.open(path, flags, mode);
                const sync = handle.sync.bind(handle);
                handle.sync = async () => {
                    await sync();
                    synced.push(path);
                };
                return handle;
            },
        } as unknown as JournalFiles;
        const journal = open({ files: watched });
        await Promise.all(nonces.map((nonce) => journal.open(entry(nonce))));
        // W11: the name of the file is a part of its folder.
        assert.deepEqual(synced, process.platform === "win32" ? [] : [folder]);
        synced.length = 0;
        const noted = nonces.map((nonce) => journal.note(nonce, { marker: "m" }));
        await noted[0];
        const [name = ""] = await files();
        assert.deepEqual(synced, [join(folder, name)]);
        await Promise.all(noted);
        assert.equal(synced.length, 1);
    });

    it("S1: a file of three entries that is cut off anywhere is read up to the line that was cut, and can be added to", async () => {
        const disk = new Map<string, string>();
        const onDisk = () => open({ files: memoryFiles(disk) });
        const learned: Learned[] = [{ marker: "m", birth: "b" }, { id: "id-1" }];
        const journal = onDisk();
        await Promise.all(nonces.map((nonce) => journal.open(entry(nonce))));
        for (const one of learned) for (const nonce of nonces) await journal.note(nonce, one);
        await journal.close([nonces[1]]);
        const [[path, whole] = ["", ""]] = disk;
        const openIn = (lines: string[]) => openEntriesIn([lines.join("\n")]);
        const isWhole = (line: string) => parseJson(line) !== undefined;
        for (let cut = 0; cut <= whole.length; cut++) {
            disk.set(path, whole.slice(0, cut));
            // A last line of which only the end is missing counts.
            const lines = whole.slice(0, cut).split("\n").filter(isWhole);
            assert.deepEqual(await onDisk().entries(), openIn(lines), `cut at ${cut}`);
            if (!openIn(lines).some(({ nonce }) => nonce === nonces[2])) continue;
            await onDisk().forget([nonces[2]]);
            const closed = JSON.stringify({ nonce: nonces[2], closed: true });
            assert.deepEqual(await onDisk().entries(), openIn([...lines, closed]), `closed after a cut at ${cut}`);
        }
    });

    it("reads what a machine that failed has left of a file, and no file that is not its own", async () => {
        await open().open(entry(nonces[0]));
        const [name = ""] = await files();
        await fs.appendFile(join(folder, name), `\0\0\0\n{"nonce":"${nonces[0]}","id":"id-1"}\n{"adopts":tr`);
        await fs.writeFile(join(folder, "notes.txt"), "mine");
        assert.deepEqual(await open().entries(), [entry(nonces[0], { id: "id-1" })]);
    });

    it("a disk that is full for a moment: an error, and no entry", async () => {
        const disk = new Map<string, string>();
        const journal = open({ files: memoryFiles(disk) });
        await journal.open(entry(nonces[0]));
        const [answered, repeated] = [nonces[1], `${nonces[1].slice(0, 8)}ffff`];
        await journal.open(entry(answered, { urn: urn("m") }));
        await journal.close([answered]);
        disk.set = () => {
            throw new Error("ENOSPC");
        };
        await assert.rejects(journal.open(entry(repeated, { urn: urn("m") })), /ENOSPC/);
        Reflect.deleteProperty(disk, "set");
        await journal.close([nonces[0]]);
        assert.equal(disk.size, 0);
        // The engine tries once more: the answer that has left does not count even so.
        await journal.open(entry(repeated, { urn: urn("m") }));
        const there = await open({ files: memoryFiles(disk) }).entries();
        assert.deepEqual(
            there.map(({ nonce }) => nonce),
            [answered, repeated],
        );
    });

    it("forgets its own entry where the file of another process cannot be read", async () => {
        const disk = new Map<string, string>();
        const at = (pid: number, files = memoryFiles(disk)) => open({ files, pid, alive: [1, 2] });
        await at(1).open(entry(nonces[0], { writer: { pid: 1, host: "here" } }));
        const [theirs = ""] = disk.keys();
        const files = memoryFiles(disk);
        const journal = at(2, files);
        await journal.open(entry(nonces[1], { writer: { pid: 2, host: "here" } }));
        const read = files.open;
        files.open = async (path, ...more) => (path === theirs ? assert.fail("EMFILE") : read(path, ...more));
        await journal.forget([nonces[1]]);
        assert.deepEqual([...disk.keys()], [theirs]);
    });

    it("cannot be written: an error", async () => {
        await fs.writeFile(join(folder, "..", "file"), "");
        await assert.rejects(new Journal({ folder: join(folder, "..", "file", "x") }).open(entry(nonces[0])));
    });

    it("is in one folder, which VIDEOGRAPH_JOURNAL_DIR or PULUMI_HOME move", () => {
        assert.equal(journalFolder({ VIDEOGRAPH_JOURNAL_DIR: "j", PULUMI_HOME: "h" }), "j");
        assert.equal(journalFolder({ PULUMI_HOME: "h" }), join("h", "videograph", "journal"));
        assert.match(journalFolder({}), /\.pulumi.videograph.journal$/);
    });

    it("is where the CLI has its own folder, in a container job whose HOME is another one", () => {
        const { HOME, PULUMI_HOME } = process.env;
        Object.assign(process.env, { HOME: "/elsewhere", PULUMI_HOME: "" });
        try {
            const folder = join(userInfo().homedir, ".pulumi");
            assert.equal(pulumiHome(), folder);
            assert.equal(journalFolder(), join(folder, "videograph", "journal"));
        } finally {
            for (const [name, value] of Object.entries({ HOME, PULUMI_HOME }))
                if (value === undefined) delete process.env[name];
                else process.env[name] = value;
        }
    });
});

describe("the writer of an entry", () => {
    it("S8, K20: is alive as long as its process is, which no other one with its pid is", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        await once(child, "spawn");
        const journal = new Journal({ folder: "unused" });
        const writer = { pid: child.pid ?? 0, host: systemProcesses.self.host };
        assert.equal(journal.isHeldByLivingProcess(entry(nonces[0], { writer })), true);
        assert.equal(journal.isHeldByLivingProcess(entry(nonces[0])), false);
        assert.equal(systemProcesses.isAlive({ ...writer, host: "another" }), false);
        if (process.platform === "linux")
            assert.equal(systemProcesses.isAlive({ ...writer, started: "before" }), false);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(journal.isHeldByLivingProcess(entry(nonces[0], { writer })), false);
    });
});
