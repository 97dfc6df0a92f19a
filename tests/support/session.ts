/** One provider process without an engine: its session in virtual time, as the tests of a machine and the explorer start it. */
import type { Transport } from "../../provider/dist/api/transport.js";
import { Journal } from "../../provider/dist/evidence/journal.js";
import type { JournalFiles } from "../../provider/dist/evidence/journalFile.js";
import { LifecycleError, messages } from "../../provider/dist/messages/index.js";
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
    /** The port of the run's engine. */
    port?: string;
}

export const address = "https://video.test";

export class ProviderProcess {
    readonly session: Session;
    /** All lines, also those that pass. */
    readonly rows: string[] = [];
    /** The lines that stay. */
    readonly said: string[] = [];
    /** The engine takes no answers any more. */
    isEnding = false;
    readonly #controller = new AbortController();
    readonly #answerNow = new AbortController();

    constructor({ clock, pid, host, files, transport, token, variables, ownState, isAlive, port }: ProcessOptions) {
        const { signal } = this.#controller;
        const isEnding = () => this.isEnding;
        const processes = { self: { pid, host }, isAlive: (one: { pid: number }) => isAlive(one.pid) };
        this.session = new Session({
            ...{ clock, random: seededRandom(pid), ownState, transport },
            journal: new Journal({ folder: "/journal", files, processes }),
            variables: {
                VIDEOGRAPH_ACCESS_TOKEN_ID: token.id,
                VIDEOGRAPH_SECRET_KEY: token.secret,
                VIDEOGRAPH_BASE_URL: address,
                ...variables,
            },
            engine: {
                port,
                say: (_, __, message, passing) => {
                    this.rows.push(message);
                    if (!passing) this.said.push(message);
                },
                shown: async () => undefined,
                watch: () => undefined,
            },
            lifetime: {
                ...{ signal, answerNow: this.#answerNow.signal },
                ...{ during: (body) => body(), start: () => undefined, cancel: () => undefined },
                get answersAreDiscarded() {
                    return isEnding();
                },
            },
        });
        this.session.configure({}, {});
    }

    interrupt(): void {
        this.#controller.abort(new LifecycleError(messages.interrupted()));
    }

    /** It ends in a moment: what is under way is answered now. */
    answerNow(): void {
        this.interrupt();
        this.#answerNow.abort(new LifecycleError(messages.interrupted()));
    }
}
