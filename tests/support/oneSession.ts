/** A session of its own: what stands around it can be seen. */
import { FileJournal } from "../../provider/dist/evidence/fileJournal.js";
import { Interrupted } from "../../provider/dist/lifecycle/index.js";
import { type Dependencies, Session } from "../../provider/dist/session/session.js";
import { FakeClock, seededRandom } from "./fakeClock.ts";
import { memoryFiles } from "./memoryFiles.ts";

export interface Said {
    severity: "info" | "warning";
    urn: string | undefined;
    message: string;
    passing: boolean;
}

const token = {
    VIDEOGRAPH_ACCESS_TOKEN_ID: "token",
    VIDEOGRAPH_SECRET_KEY: "the-secret-key",
    VIDEOGRAPH_BASE_URL: "https://video.test",
};

/** A session of one process, and what the world around it saw. */
export function oneSession(more: Partial<Dependencies> = {}, files = new Map<string, string>()) {
    const said: Said[] = [];
    const controller = new AbortController();
    const clock = new FakeClock();
    const processes = { self: { pid: 1, host: "machine" }, isAlive: ({ pid }: { pid: number }) => pid === 2 };
    const session = new Session({
        clock,
        random: seededRandom(1),
        journal: new FileJournal({ folder: "/journal", files: memoryFiles(files), processes }),
        variables: token,
        engine: {
            say: (severity, urn, message, passing) => void said.push({ severity, urn, message, passing }),
            watch: () => undefined,
        },
        lifetime: {
            signal: controller.signal,
            isEnding: false,
            during: (body) => body(),
            start: () => undefined,
        },
        ...more,
    });
    return {
        session,
        clock,
        said,
        files,
        interrupt: () => controller.abort(new Interrupted()),
    };
}
