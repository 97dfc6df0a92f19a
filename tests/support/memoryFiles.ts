/** A disk in memory, as the journal uses one: it outlives the processes of a test. */
import type { JournalFiles } from "../../provider/dist/evidence/fileJournal.js";

export function memoryFiles(files: Map<string, string> = new Map()): JournalFiles {
    const missing = () => Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
    const all = {
        mkdir: async () => undefined,
        lstat: async () => ({ uid: process.getuid?.(), mode: 0o700 }),
        readdir: async (folder: string) =>
            [...files.keys()].filter((path) => folderOf(path) === folder).map((path) => path.slice(folder.length + 1)),
        readFile: async (path: string) => {
            const text = files.get(path);
            if (text === undefined) throw missing();
            return text;
        },
        appendFile: async (path: string, text: string) => {
            const before = files.get(path);
            if (before === undefined) throw missing();
            files.set(path, before + text);
        },
        rm: async (path: string) => void files.delete(path),
        open: async (path: string) => ({
            writeFile: async (text: string) => void files.set(path, text),
            sync: async () => undefined,
            close: async () => undefined,
        }),
    };
    return all as unknown as JournalFiles;
}
