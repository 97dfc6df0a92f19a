/** One provider process without an engine: its session in virtual time, as the tests of a machine and the explorer start it. */
import type { Transport } from "../../provider/dist/api/transport.js";
import { Journal } from "../../provider/dist/evidence/journal.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { Session } from "../../provider/dist/session/session.js";
import { type FakeClock, seededRandom } from "./fakeClock.ts";

interface ProcessOptions extends Required<Pick<ConstructorParameters<typeof Session>[0], "ownState">> {
    clock: FakeClock;
    pid: number;
    host: string;
    files: JournalFiles;
    isAlive(pid: number): boolean;
    transport: Transport;
    token: { id: string; secret: string | undefined };
    variables: Record<string, string | undefined>;
    say(message: string, passing: boolean): void;
    signal: AbortSignal;
    answerNow?: AbortSignal;
    /** The engine takes no answers any more. */
    isEnding(): boolean;
}

export const address = "https://video.test";

export function startSession({
    clock,
    pid,
    host,
    files,
    transport,
    token,
    variables,
    say,
    signal,
    answerNow = new AbortController().signal,
    ...rest
}: ProcessOptions) {
    const { ownState, isAlive, isEnding } = rest;
    const processes = { self: { pid, host }, isAlive: (one: { pid: number }) => isAlive(one.pid) };
    const session = new Session({
        ...{ clock, random: seededRandom(pid), ownState, transport },
        journal: new Journal({ folder: "/journal", files, processes }),
        variables: {
            ...{
                VIDEOGRAPH_ACCESS_TOKEN_ID: token.id,
                VIDEOGRAPH_SECRET_KEY: token.secret,
                VIDEOGRAPH_BASE_URL: address,
            },
            ...variables,
        },
        engine: {
            say: (_, __, message, passing) => say(message, passing === true),
            shown: async () => undefined,
            watch: () => undefined,
        },
        lifetime: {
            ...{ signal, answerNow, during: (body) => body(), start: () => undefined, cancel: () => undefined },
            get answersAreDiscarded() {
                return isEnding();
            },
        },
    });
    session.configure({}, {});
    return session;
}
