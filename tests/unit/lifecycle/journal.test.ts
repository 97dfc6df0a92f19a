/** The journal on disk (S1). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../provider/dist/api/index.js";
import { FileJournal } from "../../../provider/dist/lifecycle/create/fileJournal.js";

describe("journal", () => {
    let folder: string;
    const entry = (mark: string) => ({
        kind: "Content",
        urn: "urn:pulumi:s::p::t::n",
        mark: `pulumi:p/s/n:${mark}`,
        fingerprint: "f",
        titles: ["t"],
        shape: "s",
        startedAt: Date.now(),
        owner: { pid: process.pid, host: hostname() },
    });
    const open = () => new FileJournal(join(folder, "journal"), systemClock);

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-journal-"));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it("S1: another process finds what was opened, with the id", async () => {
        const first = open();
        await first.open(entry("0123456789ab"));
        await first.identify("pulumi:p/s/n:0123456789ab", "id-1");
        const [found] = await open().entriesFor("urn:pulumi:s::p::t::n");
        assert.deepEqual(found, { ...entry("0123456789ab"), startedAt: found?.startedAt, id: "id-1" });
        assert.deepEqual(await open().entriesFor("urn:pulumi:s::p::t::other"), []);
    });

    it("forgets what is closed, and minds nothing that is not there", async () => {
        const journal = open();
        await journal.open(entry("0123456789ab"));
        await journal.close("pulumi:p/s/n:0123456789ab");
        await journal.close("pulumi:p/s/n:0123456789ab");
        await journal.identify("pulumi:p/s/n:ffffffffffff", "id");
        assert.deepEqual(await readdir(join(folder, "journal")), []);
    });

    it("cleans up what nobody came back to, and passes over what is not its own", async () => {
        const journal = open();
        await journal.open({ ...entry("0123456789ab"), startedAt: Date.now() - 31 * 24 * 3_600_000 });
        await journal.open(entry("00000000000a"));
        await writeFile(join(folder, "journal", "broken.json"), "{");
        const [only, ...rest] = await open().entriesFor("urn:pulumi:s::p::t::n");
        assert.equal(only?.mark, "pulumi:p/s/n:00000000000a");
        assert.deepEqual(rest, []);
        assert.deepEqual((await readdir(join(folder, "journal"))).sort(), ["00000000000a.json", "broken.json"]);
    });

    it("S3: holds no title and no address", async () => {
        const journal = open();
        await journal.open(entry("0123456789ab"));
        const text = await readFile(join(folder, "journal", "0123456789ab.json"), "utf8");
        assert.deepEqual(Object.keys(JSON.parse(text)).sort(), Object.keys(entry("x")).sort());
    });

    it("knows whether another process is still at it", async () => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        const theirs = { ...entry("0123456789ab"), owner: { pid: child.pid ?? 0, host: hostname() } };
        assert.equal(open().isOwnedElsewhere(theirs), true);
        assert.equal(open().isOwnedElsewhere(entry("0123456789ab")), false);
        child.kill();
        await once(child, "exit");
        assert.equal(open().isOwnedElsewhere(theirs), false);
    });
});
