/**
 * Where the journal of creates lies: `$VIDEOGRAPH_JOURNAL_DIR`, else in Pulumi's own home, and in it a folder per backend.
 * Two backends may have stacks of the same name, and one must never be given the other's object.
 *
 * The engine tells a provider process neither backend nor organization. The backend is found as the CLI finds it:
 * `PULUMI_BACKEND_URL`, then `backend.url` of the project, then the login. A relative `file://` URL is one backend in each
 * clone of a project; the CLI resolves it against its own working folder, which is not known here, so the project's folder
 * stands for it. The organization is in each entry, where the program has told it (`organizationInput`).
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseProject, projectFiles } from "./projectFile";

export interface JournalFolders {
    folder: string;
    /** As builds up to 0.1 named it: by the text of the URL. */
    firstFolder: string;
}

/** The folders of a process that runs in `workingFolder`, which is the program's or one below the project's. */
export function journalFolders(
    env: NodeJS.ProcessEnv = process.env,
    workingFolder: string = process.cwd(),
): JournalFolders {
    const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
    const root = env.VIDEOGRAPH_JOURNAL_DIR || join(home, "videograph", "journal");
    const firstBackend = env.PULUMI_BACKEND_URL || loginIn(home);
    return {
        folder: join(root, `v2-${digest(backendOf(env, home, workingFolder))}`),
        firstFolder: join(root, digest(firstBackend)),
    };
}

/** The backend in use, resolved: the same text for the same place, whatever the working folder. */
export function backendOf(env: NodeJS.ProcessEnv, home: string, workingFolder: string): string {
    const project = projectOf(workingFolder);
    const url = env.PULUMI_BACKEND_URL || project?.backendUrl || loginIn(env.PULUMI_CREDENTIALS_PATH || home) || "none";
    const [address = "", query] = url.split("?", 2);
    if (!address.startsWith("file://")) return url.replace(/\/+$/, "");
    const path = address.slice("file://".length).replace(/^~(?=$|[/\\])/, homedir());
    return `file://${realPath(resolve(project?.folder ?? workingFolder, path))}${query === undefined ? "" : `?${query}`}`;
}

interface Project {
    folder: string;
    backendUrl: string | undefined;
}

function projectOf(workingFolder: string): Project | undefined {
    for (const { folder, file } of projectFiles(workingFolder)) {
        if (existsSync(file)) return { folder, backendUrl: backendUrlIn(file) };
    }
    return undefined;
}

/** `backend.url` of a project file. */
function backendUrlIn(file: string): string | undefined {
    const text = readText(file);
    // Few projects name one, and every provider process would load the parser.
    if (!text.includes("backend")) return undefined;
    const project = parseProject(text) as { backend?: { url?: unknown } } | undefined;
    const url = project?.backend?.url;
    return typeof url === "string" ? url : undefined;
}

function loginIn(folder: string): string {
    try {
        const { current } = JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8"));
        return typeof current === "string" ? current : "";
    } catch {
        return "";
    }
}

function readText(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch {
        return "";
    }
}

function realPath(path: string): string {
    try {
        return realpathSync(path);
    } catch {
        return path;
    }
}

function digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
