/** Location of the journal of creates: `$VIDEOGRAPH_JOURNAL_DIR`, else a folder in Pulumi's own home. */
import { homedir } from "node:os";
import { join } from "node:path";

export function journalFolder(env: NodeJS.ProcessEnv = process.env): string {
    const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
    return env.VIDEOGRAPH_JOURNAL_DIR || join(home, "videograph", "journal");
}
