/**
 * What a machine's files lack (E3, P1): each call of the journal fails once, with each code that its manual names. The journal does without, or
 * refuses with a way out that helps for that code; it leaves no file open, and works again at the next try.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../../provider/dist/evidence/journal.js";
import type { JournalEntry, JournalFiles } from "../../../provider/dist/evidence/journalFile.js";
import { LifecycleError } from "../../../provider/dist/messages/index.js";

type Call = keyof typeof manual;

/** The codes of open(2), fsync(2) and the others, without those of wrong arguments, and those that network file systems and FUSE add. */
const manual = {
    lstat: ["EACCES", "EIO", "ELOOP", "ENAMETOOLONG", "ENOMEM", "EOVERFLOW", "ESTALE"],
    mkdir: [
        "EACCES",
        "EDQUOT",
        "EEXIST",
        "ELOOP",
        "EMLINK",
        "ENAMETOOLONG",
        "ENOENT",
        "ENOMEM",
        "ENOSPC",
        "EPERM",
        "EROFS",
    ],
    readdir: ["EACCES", "EIO", "EMFILE", "ENFILE", "ENOMEM"],
    "create the file": ["EACCES", "EDQUOT", "EEXIST", "EINTR", "EMFILE", "ENFILE", "ENOSPC", "EPERM", "EROFS"],
    "open the file": ["EACCES", "EBUSY", "EINVAL", "ELOOP", "EMFILE", "ENFILE", "ENOMEM", "EPERM", "EROFS"],
    "open the folder": ["EACCES", "EINVAL", "EIO", "EISDIR", "EMFILE", "ENFILE", "ENOMEM", "EPERM"],
    "sync the folder": ["EBADF", "EDQUOT", "EINVAL", "EIO", "ENOSPC", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM"],
    "close the folder": ["EINTR", "EIO"],
    appendFile: ["EDQUOT", "EFBIG", "EINTR", "EINVAL", "EIO", "ENOSPC", "EPERM"],
    "sync the file": ["EDQUOT", "EINVAL", "EIO", "ENOSPC", "ENOSYS", "ENOTSUP", "EROFS"],
    "close the file": ["EDQUOT", "EINTR", "EIO", "ENOSPC"],
    "read the file": ["EINTR", "EIO", "ESTALE"],
    rm: ["EACCES", "EBUSY", "EIO", "EPERM", "EROFS"],
} as const;

const elsewhere = /set VIDEOGRAPH_JOURNAL_DIR to a folder/;
const waysOut: Record<string, RegExp> = {
    ENOSPC: /[Ff]ree space/,
    EDQUOT: /[Ff]ree space/,
    EMFILE: /ulimit -n/,
    ENFILE: /ulimit -n/,
    EACCES: /readable and writable/,
    EPERM: /readable and writable/,
    EEXIST: /[Rr]emove the file/,
    ENOENT: /a disk that can be written to/,
    EROFS: /a disk that can be written to/,
};
/** A folder that cannot be synced is done without: the sync of the file itself decides. A full disk is a fault all the same. */
const doneWithout = (call: string, code: string) =>
    call.endsWith("the folder") && !/ENOSPC|EDQUOT|E[MN]FILE/.test(code);

describe("journal on a machine whose files lack something (E3, P1)", () => {
    let folder: string;
    let failing: { call: Call; code: string } | undefined;
    let reached: boolean;
    let open: number;

    const fail = async (call: string) => {
        if (failing?.call !== call) return;
        const { code } = failing;
        failing = undefined;
        reached = true;
        throw Object.assign(new Error(`${code}: said by the system`), { code });
    };
    const watch = (handle: fs.FileHandle, what: string): fs.FileHandle => {
        open++;
        const { appendFile, readFile, sync, close } = handle;
        const closed = async () => {
            await close.call(handle);
            open--;
        };
        return Object.assign(handle, {
            appendFile: (text: string) => fail("appendFile").then(() => appendFile.call(handle, text)),
            readFile: (encoding: "utf8") => fail("read the file").then(() => readFile.call(handle, encoding)),
            sync: () => fail(`sync the ${what}`).then(() => sync.call(handle)),
            // Also a close that fails has closed.
            close: () => closed().then(() => fail(`close the ${what}`)),
        });
    };
    const files = {
        lstat: (path: string) => fail("lstat").then(() => fs.lstat(path)),
        readdir: (path: string) => fail("readdir").then(() => fs.readdir(path)),
        mkdir: (path: string, options: object) => fail("mkdir").then(() => fs.mkdir(path, options)),
        rm: (path: string, options: object) => fail("rm").then(() => fs.rm(path, options)),
        open: async (path: string, flags: string | number, mode?: number) => {
            const what = path === folder ? "folder" : "file";
            // An open for appending fails where there is a file: without one it answers ENOENT, and the file is created.
            if (flags === "ax") await fail("create the file");
            else if ((await fs.stat(path).catch(() => undefined)) !== undefined) await fail(`open the ${what}`);
            return watch(await fs.open(path, flags, mode), what);
        },
    } as unknown as JournalFiles;

    const entry: JournalEntry = {
        ...{
            kind: "Content",
            urn: "u",
            resourceDigest: "r",
            nonce: "0123456789aa",
            titleDigest: "t",
            inputsDigest: "s",
        },
        ...{ fingerprint: "f", startedAt: 1_000, writer: { pid: 1, host: "here" } },
    };
    const earlier = { ...entry, nonce: "0123456789ab", startedAt: 2_000 };
    const processes = { self: { pid: 1, host: "here" }, isAlive: () => false };
    const create = async (journal: Journal, call?: string) => {
        await journal.open(entry);
        await journal.note(entry.nonce, { marker: "m" });
        if (call === "rm") await journal.close([entry.nonce]);
    };

    beforeEach(async () => {
        folder = join(await fs.mkdtemp(join(tmpdir(), "videograph-journal-")), "journal");
        [open, reached] = [0, false];
    });
    afterEach(() => fs.rm(join(folder, ".."), { recursive: true }));

    for (const call of Object.keys(manual) as Call[])
        for (const code of manual[call])
            it(`${call}: ${code} ${doneWithout(call, code) ? "is done without" : "is refused, with a way out"}`, async () => {
                if (call === "readdir") await fs.mkdir(folder, { mode: 0o700 });
                // Of a process that was killed.
                if (call === "read the file") await new Journal({ folder, processes }).open(earlier);
                const journal = new Journal({ folder, files, processes });
                failing = { call, code };
                const error: unknown = await create(journal, call).catch((thrown: unknown) => thrown);
                assert.ok(reached, "the call was made");
                assert.equal(open, 0, "no file stays open");
                if (doneWithout(call, code)) assert.equal(error, undefined);
                else {
                    assert.ok(error instanceof LifecycleError, String(error));
                    const { message } = error;
                    assert.match(message, waysOut[code] ?? elsewhere);
                    assert.ok(message.includes(folder) && message.includes(code), message);
                    for (const [other, way] of Object.entries(waysOut))
                        if (String(way) !== String(waysOut[code]))
                            assert.doesNotMatch(message, way, `the way of ${other}`);
                }
                // The next create of the run has what it needs.
                await create(journal);
                const next = new Journal({ folder, processes });
                const expected = [{ ...entry, marker: "m" }, ...(call === "read the file" ? [earlier] : [])];
                assert.deepEqual(await next.entries(), expected);
            });

    it("a folder that is a link, or another user's, or no folder, is named as that", async () => {
        const refusal = () => new Journal({ folder }).entries().catch(({ message }: Error) => message);
        await fs.mkdir(join(folder, "..", "real"), { mode: 0o700 });
        await fs.symlink(join(folder, "..", "real"), folder);
        assert.match(String(await refusal()), /is a link.*Set VIDEOGRAPH_JOURNAL_DIR to the folder itself.*VG3020/s);
        await fs.rm(folder);
        await fs.writeFile(folder, "");
        assert.match(String(await refusal()), /is not a folder.*VG3020/s);
        await fs.rm(folder);
        await fs.mkdir(folder);
        await fs.chmod(folder, 0o777);
        assert.match(String(await refusal()), /other users can write to it.*`chmod go-w`.*VG3020/s);
    });
});
