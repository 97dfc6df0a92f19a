/** Where the journal of pending creates lies. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * `$VIDEOGRAPH_JOURNAL_DIR`, else in Pulumi's own home, by backend: two backends may have stacks of the same name, and one
 * must never be given the other's object.
 */
export function journalFolder(env: NodeJS.ProcessEnv = process.env): string {
    const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
    const root = env.VIDEOGRAPH_JOURNAL_DIR || join(home, "videograph", "journal");
    const backend = env.PULUMI_BACKEND_URL || loggedIn(home);
    return join(root, createHash("sha256").update(backend).digest("hex").slice(0, 12));
}

function loggedIn(home: string): string {
    try {
        const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8"));
        return typeof current === "string" ? current : "";
    } catch {
        return "";
    }
}
