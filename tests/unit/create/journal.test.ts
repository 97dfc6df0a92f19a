/** The journal on disk (S1): what a killed process leaves, another one finds. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileJournal, type JournalFiles } from "../../../provider/dist/evidence/fileJournal.js";
import type { JournalEntry } from "../../../provider/dist/evidence/journal.js";
import { isSameProcess, statusByPs, systemProcesses } from "../../../provider/dist/evidence/owner.js";
import { journalFolder } from "../../../provider/dist/session/journalFolder.js";

const urn = (name: string, stack = "dev", type = "pulumi-nodejs:dynamic/videograph:Content") =>
    `urn:pulumi:${stack}::p::${type}::${name}`;

const entry = (nonce: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
    ...{ kind: "Content", urn: urn("n"), nonce, title: "t", inputs: "s", fingerprint: "f" },
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
        await first.open(entry("0123456789ab"));
        await first.note("0123456789ab", { marker: "m", birth: "b", sentAt: 2_000 });
        await first.note("0123456789ab", { id: "id-1" });
        await first.note("0123456789ab", { told: true });
        const expected = entry("0123456789ab", {
            marker: "m",
            birth: "b",
            sentAt: 2_000,
            id: "id-1",
            told: true,
        });
        assert.deepEqual(await open().entriesLike(urn("n"), "Content"), [expected]);
        await open().close("0123456789ab");
        assert.deepEqual(await files(), []);
        assert.deepEqual(await open().entries(), []);
    });

    it("K8: an entry is its kind's and its name's, whatever the face and the stack", async () => {
        await open().open(entry("0123456789ab"));
        const like = async (one: string, kind = "Content") => (await open().entriesLike(one, kind)).length;
        assert.equal(await like(urn("n", "dev", "videograph:index:Content")), 1);
        assert.equal(await like(urn("n", "prod")), 1);
        assert.equal(await like(urn("n", "dev", "videograph:index:Livestream"), "Livestream"), 0);
        assert.equal(await like(urn("n", "dev", "my:c:Box$videograph:index:Content")), 0);
        assert.equal(await like(urn("other")), 0);
    });

    it("gives the entries of one stack, oldest first", async () => {
        const journal = open();
        await journal.open(entry("000000000002", { startedAt: 2 }));
        await journal.open(entry("000000000001", { startedAt: 1, urn: urn("m") }));
        await journal.open(entry("000000000003", { urn: urn("n", "prod") }));
        const nonces = (await open().entriesOfStack(urn("any"))).map(({ nonce }) => nonce);
        assert.deepEqual(nonces, ["000000000001", "000000000002"]);
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
        await journal.note("0123456789ab", { marker: "m" });
        const [name = ""] = await files();
        assert.deepEqual(synced, [join(folder, name), folder]);
    });

    it("reads what a machine that failed has left of a file, and no file that is not its own", async () => {
        await open().open(entry("0123456789ab"));
        const [name = ""] = await files();
        const path = join(folder, name);
        await writeFile(path, `${await readFile(path, "utf8")}\n{"id":"id-1"}\n{"told":tr`);
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
    it("S8: is alive as long as its process is, and this process is nobody else", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        await once(child, "spawn");
        const journal = new FileJournal({ folder: "unused" });
        const owner = { pid: child.pid ?? 0, host: systemProcesses.self.host };
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab", { owner })), true);
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab")), false);
        assert.equal(systemProcesses.isAlive({ ...owner, host: "another" }), false);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab", { owner })), false);
        assert.equal(isSameProcess(systemProcesses.self, { ...systemProcesses.self, started: "before" }), false);
    });

    it("K20: is known by its start where only ps shows it, so that a later process with its pid is another one", async function () {
        if (process.platform === "win32") this.skip();
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        await once(child, "spawn");
        const { pid = 0 } = child;
        const status = statusByPs(pid);
        assert.deepEqual([status?.dead, status?.started.split(" ").length], [false, 5]);
        assert.deepEqual(statusByPs(pid), status);
        child.kill("SIGKILL");
        await once(child, "exit");
        assert.equal(statusByPs(pid), undefined);
    });
});
