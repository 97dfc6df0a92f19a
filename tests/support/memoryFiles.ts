/** A disk in memory, as the journal uses one: it outlives the processes of a test. */
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";

export function memoryFiles(files: Map<string, string> = new Map()): JournalFiles {
    const missing = () => Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
    const all = {
        mkdir: async () => undefined,
        lstat: async () => ({
            uid: process.getuid?.(),
            mode: 0o700,
            isSymbolicLink: () => false,
            isDirectory: () => true,
        }),
        readdir: async (folder: string) =>
            [...files.keys()].filter((path) => folderOf(path) === folder).map((path) => path.slice(folder.length + 1)),
        rm: async (path: string) => void files.delete(path),
        open: async (path: string, flags: string | number) => {
            const isFolder = flags === "r";
            if (flags === "ax") files.set(path, "");
            if (!isFolder && !files.has(path)) throw missing();
            return {
                appendFile: async (text: string) => void files.set(path, (files.get(path) ?? "") + text),
                readFile: async () => files.get(path) ?? "",
                sync: async () => undefined,
                close: async () => undefined,
            };
        },
    };
    return all as unknown as JournalFiles;
}

/** The entries that files of the journal have open. */
export function openEntriesIn(texts: Iterable<string>): Record<string, unknown>[] {
    const entries = new Map<unknown, Record<string, unknown>>();
    for (const line of Array.from(texts).flatMap((text) => text.split("\n"))) {
        // A line may be in the middle of being written.
        if (!/^\{.*\}$/.test(line)) continue;
        const { closed, ...facts } = JSON.parse(line);
        if (closed) entries.delete(facts.nonce);
        else entries.set(facts.nonce, { ...entries.get(facts.nonce), ...facts });
    }
    return [...entries.values()];
}
