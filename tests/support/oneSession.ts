/** A session of its own, and a resource that does what the test says: what stands around both can be seen. */
import { FileJournal } from "../../provider/dist/evidence/fileJournal.js";
import type { JournalEntry } from "../../provider/dist/evidence/journal.js";
import type { Checked } from "../../provider/dist/inputs/values.js";
import { type Difference, Interrupted, type Lifecycle, type Properties } from "../../provider/dist/lifecycle/index.js";
import type { State } from "../../provider/dist/lifecycle/lifecycle.js";
import type { Operation } from "../../provider/dist/operation/operation.js";
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
    const started: { watchEngine(gone: () => void): void }[] = [];
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
            start: (options) => void started.push(options),
        },
        ...more,
    });
    return {
        session,
        clock,
        said,
        started,
        files,
        interrupt: () => controller.abort(new Interrupted()),
    };
}

/** What a journal of the session above holds of a create that this process, or another one, began. */
export function entryOf(urn: string, more: Partial<JournalEntry> = {}): JournalEntry {
    return {
        kind: "Content",
        urn,
        nonce: "0123456789ab",
        marker: "pulumi:shop/dev/a:11111111-22222222-33333333-0-0123456789ab",
        fingerprint: "another",
        title: "",
        inputs: "",
        startedAt: 0,
        owner: { pid: 9, host: "machine" },
        ...more,
    };
}

/** A resource that notes what it is asked, and answers what it is told to. */
export class ScriptedLifecycle implements Lifecycle {
    readonly inputs = ["title", "importId"];
    /** The name of each method that was called, with what it was given. */
    readonly calls: unknown[][] = [];
    /** Of the last call of any method that has one. */
    operation: Operation | undefined;
    checked: Partial<Checked> = {};
    difference: Difference = { kind: "none" };
    id = "c1";
    outputs: Properties = {};
    /** What read and find give. */
    state: State | undefined;
    error: unknown;

    check(...args: Parameters<Lifecycle["check"]>): Checked {
        this.calls.push(["check", ...args]);
        this.#fail();
        return { inputs: args[0], problems: [], ...this.checked };
    }

    diff(...[change, row]: Parameters<Lifecycle["diff"]>): Difference {
        this.calls.push(["diff", change, row.urn]);
        this.#fail();
        return this.difference;
    }

    async create(inputs: Properties, operation: Operation) {
        this.#called(operation, "create", inputs);
        return { id: this.id, outputs: this.outputs };
    }

    async read(id: string, olds: Properties, operation: Operation) {
        this.#called(operation, "read", id, olds);
        return this.state;
    }

    async find(id: string, operation: Operation) {
        this.#called(operation, "find", id);
        return this.state;
    }

    async update(id: string, olds: Properties, news: Properties, operation: Operation) {
        this.#called(operation, "update", id, olds, news);
        return this.outputs;
    }

    async delete(id: string, olds: Properties, operation: Operation) {
        this.#called(operation, "delete", id, olds);
    }

    #called(operation: Operation, ...call: unknown[]): void {
        this.operation = operation;
        this.calls.push(call);
        this.#fail();
    }

    #fail(): void {
        if (this.error !== undefined) throw this.error;
    }
}
