/** The journal on disk (S1). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { titleDigest } from "../../../provider/dist/lifecycle/create/digest.js";
import { FileJournal, journalKey } from "../../../provider/dist/lifecycle/create/fileJournal.js";
import { isUnsettled, type JournalEntry } from "../../../provider/dist/lifecycle/create/journal.js";
import { isSameProcess, systemProcesses } from "../../../provider/dist/lifecycle/create/owner.js";
import { memoryFiles } from "../../support/scriptedLife.ts";
import { waitFor } from "../../support/waitFor.ts";

const urn = (name: string, stack = "dev", type = "pulumi-nodejs:dynamic/videograph:Content") =>
    `urn:pulumi:${stack}::p::${type}::${name}`;

const entry = (random: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
    kind: "Content",
    urn: urn("n"),
    marker: `pulumi:p/dev/n:${random}`,
    fingerprint: "f",
    titles: ["t"],
    shape: "s",
    startedAt: 1_000,
    owner: systemProcesses.self,
    ...more,
});

describe("journal", () => {
    let root: string;
    const open = () => new FileJournal({ folder: join(root, "backend"), firstFolder: join(root, "first") });
    const files = async () =>
        (await readdir(join(root, "backend"), { recursive: true })).filter((name) => name.endsWith(".json"));

    beforeEach(async () => {
        root = await mkdtemp(join(tmpdir(), "videograph-journal-"));
    });
    afterEach(() => rm(root, { recursive: true }));

    it("S1: another process finds what was opened and learned", async () => {
        const first = open();
        await first.open(entry("0123456789ab"));
        await first.note("pulumi:p/dev/n:0123456789ab", { id: "id-1" });
        await first.note("pulumi:p/dev/n:0123456789ab", { answered: true });
        const expected = { ...entry("0123456789ab"), id: "id-1", answered: true };
        assert.deepEqual(await open().entriesFor(urn("n")), [expected]);
        assert.deepEqual(await open().find("pulumi:p/dev/n:0123456789ab"), expected);
        assert.deepEqual(await open().entriesFor(urn("other")), []);
        assert.equal(await open().find("pulumi:p/dev/n:ffffffffffff"), undefined);
    });

    it("keeps the entries of two organizations apart, and finds those of neither for both", async () => {
        const of = (organization: string | undefined) => Object.assign(open(), { organization });
        const markers = async (journal: FileJournal) => {
            const found = await journal.entriesFor(urn("n"));
            assert.deepEqual(await journal.entriesOfStack(urn("other")), found);
            return found.map(({ marker }) => marker.slice(-12));
        };
        const [a, b, old] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"];
        await of("acme").open(entry(a));
        await of("other").open(entry(b, { startedAt: 2_000 }));
        // As older builds, and the programs of other languages, write it.
        await of(undefined).open(entry(old, { startedAt: 3_000 }));
        assert.deepEqual(await markers(of("acme")), [a, old]);
        assert.deepEqual(await markers(of("other")), [b, old]);
        // A destroy knows no organization.
        assert.deepEqual(await markers(of(undefined)), [a, b, old]);

        // Whoever continues with it owns it from then on. To learn something of it changes no owner.
        await of("other").note(`pulumi:p/dev/n:${old}`, { id: "id" });
        assert.deepEqual(await markers(of("acme")), [a, old]);
        await of("acme").open(entry(old));
        assert.deepEqual(await markers(of("other")), [b]);
    });

    it("an entry of build 0.1 belongs to no organization because something was learned of it", async () => {
        const { marker, ...first } = entry("0123456789ab");
        await mkdir(join(root, "first"));
        await writeFile(join(root, "first", "0123456789ab.json"), JSON.stringify({ ...first, mark: marker }));
        await Object.assign(open(), { organization: "other" }).note(marker, { id: "id" });
        const acme = Object.assign(open(), { organization: "acme" });
        assert.deepEqual(
            (await acme.entriesFor(urn("n"))).map(({ id }) => id),
            ["id"],
        );
    });

    it("forgets what is closed, and ignores what is not there", async () => {
        const journal = open();
        await journal.open(entry("0123456789ab"));
        await journal.close("pulumi:p/dev/n:0123456789ab");
        await journal.close("pulumi:p/dev/n:0123456789ab");
        await journal.note("pulumi:p/dev/n:ffffffffffff", { id: "id" });
        assert.deepEqual(await files(), []);
        assert.deepEqual(await journal.entriesFor(urn("n")), []);
    });

    it("finds a pending create after the type has changed, and under another stack or parent not", async () => {
        await open().open(entry("0123456789ab"));
        assert.equal((await open().entriesFor(urn("n", "dev", "videograph:index:Content"))).length, 1);
        assert.equal((await open().entriesFor(urn("n", "prod"))).length, 0);
        assert.equal((await open().entriesFor(urn("n", "dev", "my:Component$videograph:index:Content"))).length, 0);
        assert.equal(journalKey("urn:pulumi:s::p::a$b::n::m"), "s::p::a::n::m");
    });

    it("lists a stack's entries, and all of them", async () => {
        await open().open(entry("00000000000a"));
        await open().open(
            entry("00000000000b", { urn: urn("m"), marker: "pulumi:p/dev/m:00000000000b", startedAt: 500 }),
        );
        await open().open(entry("00000000000c", { urn: urn("n", "prod"), marker: "pulumi:p/prod/n:00000000000c" }));
        const ofStack = await open().entriesOfStack(urn("whatever"));
        assert.deepEqual(
            ofStack.map(({ marker }) => marker.slice(-1)),
            ["b", "a"],
        );
        assert.equal((await open().entries()).length, 3);
    });

    it("S1: finds and closes what build 0.1 left behind", async () => {
        await mkdir(join(root, "first"));
        const { marker: mark, owner, ...rest } = entry("0123456789ab");
        const old = { ...rest, mark, owner: { pid: owner.pid, host: owner.host }, fruitless: ["g"] };
        await writeFile(join(root, "first", "0123456789ab.json"), `${JSON.stringify(old)}\n{"id":"id-1"}\n`);
        const [found] = await open().entriesFor(urn("n"));
        // Whether the engine had an answer is not recorded, so it may have had.
        assert.deepEqual(
            [found?.marker, found?.id, found?.answered, found?.searchedUnder],
            [mark, "id-1", true, ["g"]],
        );
        await open().open(entry("0123456789ab"));
        assert.deepEqual(await readdir(join(root, "first")), []);
        assert.equal((await open().entriesFor(urn("n"))).length, 1);
    });

    it("S1: closes what build 0.1 left behind where it lies", async () => {
        await mkdir(join(root, "first"));
        const { marker: mark, ...rest } = entry("0123456789ab");
        await writeFile(join(root, "first", "0123456789ab.json"), JSON.stringify({ ...rest, mark }));
        await open().close(mark);
        assert.deepEqual(await readdir(join(root, "first")), []);
    });

    it("passes over files that are not its own, and lines that are cut off", async () => {
        await open().open(entry("0123456789ab"));
        const [file = ""] = await files();
        const path = join(root, "backend", file);
        await fs.appendFile(path, '{"id":"id-1"}\n{"answ');
        await writeFile(path.replace(/[0-9a-f]{12}\.json$/, "ffffffffffff.json"), "{");
        const found = await open().entriesFor(urn("n"));
        assert.deepEqual(
            found.map(({ id, answered }) => [id, answered]),
            [["id-1", undefined]],
        );
    });

    it("S3: holds no title and no URL", async () => {
        await open().open(entry("0123456789ab"));
        const [file = ""] = await files();
        const text = await readFile(join(root, "backend", file), "utf8");
        assert.deepEqual(Object.keys(JSON.parse(text)).sort(), [...Object.keys(entry("x")), "version"].sort());
    });

    it("S1: an entry is on the disk before its name is, and its name before the POST", async () => {
        const steps: string[] = [];
        const spied = {
            ...fs,
            open: async (path: string, ...rest: [string]) => {
                const handle = await fs.open(path, ...rest);
                const sync = handle.sync.bind(handle);
                handle.sync = async () => {
                    steps.push(path.endsWith(".tmp") ? "sync file" : "sync folder");
                    await sync();
                };
                return handle;
            },
            rename: async (from: string, to: string) => {
                steps.push("rename");
                await fs.rename(from, to);
            },
        } as unknown as typeof fs;
        await new FileJournal({ folder: join(root, "backend"), files: spied }).open(entry("0123456789ab"));
        // The last is the folder that the stack's own new folder is in.
        assert.deepEqual(steps, ["sync file", "rename", "sync folder", "sync folder"]);
    });

    it("S1: what the engine was given is on the disk before the engine has it; anything else can be found out again", async () => {
        const synced: string[] = [];
        const spied = {
            ...fs,
            open: async (path: string, ...rest: [string]) => {
                synced.push(path);
                return fs.open(path, ...rest);
            },
        } as unknown as typeof fs;
        const journal = new FileJournal({ folder: join(root, "backend"), files: spied });
        await journal.open(entry("0123456789ab"));
        synced.length = 0;
        await journal.note("pulumi:p/dev/n:0123456789ab", { id: "id-1" });
        await journal.note("pulumi:p/dev/n:0123456789ab", { settled: true });
        assert.deepEqual(synced, []);
        await journal.note("pulumi:p/dev/n:0123456789ab", { answered: true });
        assert.equal(synced.length, 1);
        assert.match(synced[0] ?? "", /0123456789ab\.json$/);
    });

    it("people may delete the files at any time", async () => {
        const journal = open();
        await journal.open(entry("0123456789ab"));
        for (const file of await files()) await rm(join(root, "backend", file));
        assert.deepEqual(await journal.entriesFor(urn("n")), []);
        assert.equal(await journal.find("pulumi:p/dev/n:0123456789ab"), undefined);
        await journal.close("pulumi:p/dev/n:0123456789ab");
        await journal.note("pulumi:p/dev/n:0123456789ab", { id: "id-1" });
        assert.deepEqual(await files(), []);
    });

    it("knows no entry of another marker, although the random parts are the same", async () => {
        await open().open(entry("0123456789ab"));
        assert.equal(await open().find("pulumi:p/dev/other:0123456789ab"), undefined);
    });

    it("a file that cannot be read is an error, not a missing entry", async () => {
        await open().open(entry("0123456789ab"));
        const journal = new FileJournal({
            folder: join(root, "backend"),
            files: { ...fs, readFile: () => Promise.reject(new Error("EIO")) } as never,
        });
        await assert.rejects(journal.entriesFor(urn("n")), /EIO/);
    });

    it("has no entries where there is no folder yet", async () => {
        assert.deepEqual(await open().entries(), []);
        assert.deepEqual(await open().entriesOfStack(urn("n")), []);
        assert.deepEqual(await open().entriesFor("no URN"), []);
    });

    it("keeps entries that have neither a URN nor a marker of a stack", async () => {
        await open().open(entry("0123456789ab", { urn: "", marker: "pulumi:unknown/unknown/unknown:0123456789ab" }));
        assert.equal((await open().entries()).length, 1);
        assert.equal((await open().entriesOfStack("no URN either")).length, 1);
        assert.equal((await open().entriesFor("")).length, 1);
    });

    it("S1: adds to what build 0.1 left behind, and moves it to its own folder", async () => {
        await mkdir(join(root, "first"));
        const { marker: mark, ...rest } = entry("0123456789ab");
        const other = { ...rest, mark: "pulumi:p/prod/n:00000000000b", urn: urn("n", "prod"), startedAt: 2_000 };
        await writeFile(join(root, "first", "0123456789ab.json"), JSON.stringify({ ...rest, mark }));
        await writeFile(join(root, "first", "00000000000b.json"), JSON.stringify(other));
        await writeFile(
            join(root, "first", "notes.txt"),
            JSON.stringify({ ...other, mark: "pulumi:p/dev/n:00000000000c" }),
        );
        await writeFile(join(root, "first", "broken.json"), "{");
        assert.equal((await open().find(mark))?.marker, mark);
        assert.deepEqual(await open().entriesFor(urn("m")), []);
        assert.deepEqual(
            (await open().entriesOfStack(urn("m"))).map(({ marker }) => marker),
            [mark],
        );
        assert.equal((await open().entries()).length, 2);
        await open().note(mark, { id: "id-1" });
        assert.equal((await open().find(mark))?.id, "id-1");
        assert.deepEqual((await readdir(join(root, "first"))).sort(), [
            "00000000000b.json",
            "broken.json",
            "notes.txt",
        ]);
        assert.equal((await files()).length, 1);
    });

    it("closes what build 0.1 left behind although people have deleted it", async () => {
        await mkdir(join(root, "first"));
        const { marker: mark, ...rest } = entry("0123456789ab");
        await writeFile(join(root, "first", "0123456789ab.json"), JSON.stringify({ ...rest, mark }));
        const journal = open();
        assert.equal((await journal.entries()).length, 1);
        await rm(join(root, "first", "0123456789ab.json"));
        await journal.close(mark);
        assert.deepEqual(await journal.entries(), []);
    });

    it("passes over a draft that a killed process left", async () => {
        await open().open(entry("0123456789ab"));
        const [file = ""] = await files();
        const path = join(root, "backend", file);
        await fs.copyFile(path, `${path}.4711.tmp`);
        // And what people named like one.
        await fs.copyFile(path, join(dirname(path), `x${basename(path)}`));
        const sorted = { ...fs, readdir: async (folder: string) => (await fs.readdir(folder)).sort() };
        const journal = new FileJournal({ folder: join(root, "backend"), files: sorted as unknown as typeof fs });
        assert.equal((await journal.entriesOfStack(urn("n"))).length, 1);
        await journal.close("pulumi:p/dev/n:0123456789ab");
        assert.deepEqual((await readdir(dirname(path))).sort(), [`${basename(path)}.4711.tmp`, `x${basename(path)}`]);
    });

    it("lists a folder once, and closes every file that it opens", async () => {
        let [lists, handles] = [0, 0];
        const counted = {
            ...fs,
            readdir: (...args: [string]) => {
                lists++;
                return fs.readdir(...args);
            },
            open: async (...args: [string, string]) => {
                const handle = await fs.open(...args);
                handles++;
                const close = handle.close.bind(handle);
                handle.close = () => {
                    handles--;
                    return close();
                };
                return handle;
            },
        } as unknown as typeof fs;
        const journal = new FileJournal({ folder: join(root, "backend"), files: counted });
        await journal.open(entry("0123456789ab"));
        await journal.note("pulumi:p/dev/n:0123456789ab", { answered: true });
        await journal.entriesFor(urn("n"));
        await journal.entriesOfStack(urn("n"));
        assert.deepEqual([lists, handles], [1, 0]);
    });

    it("a lookup reads no other entry, however many are open", async () => {
        const disk = new Map<string, string>();
        const journal = new FileJournal({ folder: "/j", files: memoryFiles(disk) });
        for (let index = 0; index < 1_000; index++) {
            const random = index.toString(16).padStart(12, "0");
            await journal.open(entry(random, { urn: urn(`n${index}`) }));
        }
        let reads = 0;
        const files = memoryFiles(disk);
        const readFile = (path: string) => {
            reads++;
            return files.readFile(path, "utf8");
        };
        const counted = { ...files, readFile };
        const later = new FileJournal({ folder: "/j", files: counted as unknown as typeof files });
        assert.equal((await later.entriesFor(urn("n7"))).length, 1);
        await later.find("pulumi:p/dev/n:000000000008");
        assert.equal(reads, 2);
    });

    it("a folder that cannot be read is an error, not an empty journal", async () => {
        await mkdir(join(root, "backend"));
        const journal = new FileJournal({
            folder: join(root, "backend"),
            files: {
                ...fs,
                readdir: () => Promise.reject(Object.assign(new Error("EACCES"), { code: "EACCES" })),
            } as never,
        });
        await assert.rejects(journal.entriesFor(urn("n")), /EACCES/);
    });

    it("a second object is possible after a second POST, until it was looked for", () => {
        assert.equal(isUnsettled(entry("a")), false);
        assert.equal(isUnsettled(entry("a", { posts: 1 })), false);
        assert.equal(isUnsettled(entry("a", { posts: 2 })), true);
        assert.equal(isUnsettled(entry("a", { posts: 2, settled: true })), false);
    });
});

describe("digest of a title", () => {
    it("is the same however a service trims, collapses or normalizes it", () => {
        const digest = titleDigest("Caf\u00e9 au lait");
        for (const same of ["Cafe\u0301 au lait", "  Caf\u00e9 au lait\n", "Caf\u00e9 \t au\u00a0lait"])
            assert.equal(titleDigest(same), digest);
        for (const other of ["Caf\u00e9aulait", "caf\u00e9 au lait", "Cafe au lait"])
            assert.notEqual(titleDigest(other), digest);
        assert.match(digest, /^[0-9a-f]{16}$/);
    });
});

describe("owner of an entry", () => {
    const journal = new FileJournal({ folder: "/nowhere" });
    const ownedBy = (pid: number, started?: string) =>
        entry("0123456789ab", { owner: { pid, host: hostname(), started } });

    it("is alive, or dead", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        assert.equal(journal.isOwnedElsewhere(ownedBy(child.pid ?? 0)), true);
        assert.equal(journal.isOwnedElsewhere(entry("0123456789ab")), false);
        child.kill();
        await once(child, "exit");
        assert.equal(journal.isOwnedElsewhere(ownedBy(child.pid ?? 0)), false);
    });

    it("is dead when nobody has read its exit code yet", async function () {
        if (process.platform !== "linux") this.skip();
        // The shell never waits for its child.
        const shell = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 60"]);
        try {
            const [text] = await once(shell.stdout, "data");
            const pid = Number(String(text).trim());
            await waitFor("the child to end", async () => / Z /.test(await readFile(`/proc/${pid}/stat`, "utf8")));
            process.kill(pid, 0);
            assert.equal(journal.isOwnedElsewhere(ownedBy(pid)), false);
        } finally {
            shell.kill();
        }
    });

    it("is dead when another process has its pid by now", async function () {
        if (process.platform !== "linux") this.skip();
        assert.equal(journal.isOwnedElsewhere(ownedBy(process.ppid)), true);
        assert.equal(journal.isOwnedElsewhere(ownedBy(process.ppid, "1")), false);
    });

    it("is alive when it is the very process, as it knows itself", async () => {
        const owner = join(import.meta.dirname, "../../../provider/dist/lifecycle/create/owner.js");
        const script = `console.log(JSON.stringify(require(${JSON.stringify(owner)}).systemProcesses.self)); setInterval(() => {}, 1000)`;
        const child = spawn(process.execPath, ["-e", script]);
        try {
            const [text] = await once(child.stdout, "data");
            const self = JSON.parse(String(text));
            assert.equal(self.pid, child.pid);
            assert.notEqual(self.started, systemProcesses.self.started);
            // Where the system does not show when a process was started, it is alive whatever the text is.
            assert.equal(journal.isOwnedElsewhere(entry("0123456789ab", { owner: self })), true);
        } finally {
            child.kill();
        }
    });

    it("is the same only with the same pid, machine and start", () => {
        const owner = { pid: 1, host: "a", started: "x" };
        assert.equal(isSameProcess(owner, { ...owner }), true);
        for (const other of [{ pid: 2 }, { host: "b" }, { started: "y" }, { started: undefined }])
            assert.equal(isSameProcess(owner, { ...owner, ...other }), false);
    });

    it("is not known of other machines", () => {
        assert.equal(journal.isOwnedElsewhere(entry("a", { owner: { pid: process.ppid, host: "elsewhere" } })), false);
    });
});
