/** The journal on disk (S1): what a killed process leaves, another one finds. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FileJournal, type JournalFiles } from "../../../provider/dist/evidence/fileJournal.js";
import type { JournalEntry } from "../../../provider/dist/evidence/journal.js";
import { resourceDigest } from "../../../provider/dist/evidence/marker.js";
import { systemProcesses } from "../../../provider/dist/evidence/owner.js";
import { journalFolder } from "../../../provider/dist/session/journalFolder.js";

const urn = (name: string) => `urn:pulumi:dev::p::videograph:index:Content::${name}`;

const resource = resourceDigest(urn("n"), "Content");
const entry = (nonce: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
    ...{ kind: "Content", urn: urn("n"), resource, nonce, title: "t", inputs: "s", fingerprint: "f" },
    startedAt: 1_000,
    owner: systemProcesses.self,
    ...more,
});

describe("journal", () => {
    let folder: string;
    const open = () => new FileJournal({ folder });
    const files = async () => (await readdir(folder)).sort();

    beforeEach(async () => {
        folder = join(await mkdtemp(join(tmpdir(), "videograph-journal-")), "journal");
    });
    afterEach(() => rm(join(folder, ".."), { recursive: true }));

    it("S1: another process finds what was opened and learned, until it is closed", async () => {
        const first = open();
        const expected = entry("0123456789ab", {
            marker: "m",
            birth: "b",
            id: "id-1",
            adopts: "",
        });
        await first.open(entry("0123456789ab"));
        await first.note(expected, { marker: "m", birth: "b" });
        await first.note(expected, { id: "id-1" });
        await first.note(expected, { adopts: "" });
        assert.deepEqual(await open().entriesOf(resource), [expected]);
        await open().close(expected);
        assert.deepEqual(await files(), []);
        assert.deepEqual(await open().entries(), []);
    });

    it("X12: is not used where every user can write, and follows no link and waits for no pipe", async function () {
        if (process.platform === "win32") this.skip();
        await open().open(entry("0123456789ab"));
        const [name = ""] = await files();
        await fs.chmod(folder, 0o777);
        await assert.rejects(open().entries(), /VG3020/);
        await assert.rejects(open().open(entry("0123456789ac")), /VG3020/);
        await fs.chmod(folder, 0o700);
        const elsewhere = join(folder, "..", "elsewhere");
        await fs.rename(join(folder, name), elsewhere);
        await fs.symlink(elsewhere, join(folder, name));
        await assert.rejects(open().entries(), /VG3020/);
        await rm(join(folder, name));
        await promisify(execFile)("mkfifo", [join(folder, name)]);
        assert.deepEqual(await open().entries(), []);
        await assert.rejects(open().note(entry("0123456789ab"), { id: "id-1" }), /VG3020/);
    });

    it("gives a stack's entries, oldest first: reads no others, and few files at a time", async () => {
        const journal = open();
        const nonces = Array.from({ length: 300 }, (_, index) => String(index).padStart(12, "0"));
        for (const [startedAt, nonce] of nonces.entries()) await journal.open(entry(nonce, { startedAt }));
        await journal.open(entry("f".repeat(12), { urn: urn("n").replace(":dev:", ":prod:") }));
        const at = { once: 0, all: 0 };
        const readFile = async (...args: [path: string, encoding: "utf8"]) => {
            at.all++;
            if (++at.once > 100) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
            return fs.readFile(...args).finally(() => at.once--);
        };
        const files = { ...fs, readFile } as unknown as JournalFiles;
        const found = await new FileJournal({ folder, files }).entriesOfStack(urn("x"));
        assert.deepEqual([found.map(({ nonce }) => nonce), at.all], [nonces, 300]);
    });

    it("S1: a marker is on the disk before it is sent", async () => {
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
        const journal = new FileJournal({ folder, files: watched });
        await journal.open(entry("0123456789ab"));
        synced.length = 0;
        await journal.note(entry("0123456789ab"), { marker: "m" });
        const [name = ""] = await files();
        // W11: the file, and its name in the folder.
        assert.deepEqual(synced, [join(folder, name), ...(process.platform === "win32" ? [] : [folder])]);
    });

    it("reads what a machine that failed has left of a file, and no file that is not its own", async () => {
        await open().open(entry("0123456789ab"));
        const [name = ""] = await files();
        const path = join(folder, name);
        await writeFile(path, `${await readFile(path, "utf8")}\n{"id":"id-1"}\n{"adopts":tr`);
        await writeFile(join(folder, "notes.txt"), "mine");
        await writeFile(join(folder, name.replace("0123456789ab", "ffffffffffff")), "{}");
        assert.deepEqual(await open().entries(), [entry("0123456789ab", { id: "id-1" })]);
    });

    it("S3: only its user can read it", async function () {
        if (process.platform === "win32") this.skip();
        await open().open(entry("0123456789ab"));
        const [name = ""] = await files();
        assert.equal((await stat(folder)).mode & 0o777, 0o700);
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
    });

    it("cannot be written: an error, and no entry", async () => {
        await writeFile(join(folder, "..", "file"), "");
        await assert.rejects(new FileJournal({ folder: join(folder, "..", "file", "x") }).open(entry("0123456789ab")));
    });

    it("is in one folder, which VIDEOGRAPH_JOURNAL_DIR or PULUMI_HOME move", () => {
        assert.equal(journalFolder({ VIDEOGRAPH_JOURNAL_DIR: "j", PULUMI_HOME: "h" }), "j");
        assert.equal(journalFolder({ PULUMI_HOME: "h" }), join("h", "videograph", "journal"));
        assert.match(journalFolder({}), /\.pulumi.videograph.journal$/);
    });
});

describe("the owner of an entry", () => {
    it("S8, K20: is alive as long as its process is, which no other one with its pid is", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        await once(child, "spawn");
        const journal = new FileJournal({ folder: "unused" });
        const owner = { pid: child.pid ?? 0, host: systemProcesses.self.host };
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab", { owner })), true);
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab")), false);
        assert.equal(systemProcesses.isAlive({ ...owner, host: "another" }), false);
        if (process.platform === "linux") assert.equal(systemProcesses.isAlive({ ...owner, started: "before" }), false);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab", { owner })), false);
    });
});
