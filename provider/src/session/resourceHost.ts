/**
 * One resource type in one process, as either face serves it: the lifecycle, and what a process knows around it. Everything
 * in and out is plain JSON; no engine's protocol is known here. Errors come out with a message that may be shown.
 */
import {
    type Checked,
    type Difference,
    type JournalEntry,
    type Lifecycle,
    LifecycleError,
    type Operation,
    PartialFailure,
    type Properties,
    type Timeouts,
} from "../lifecycle";
import { abandonedCreates } from "../lifecycle/create/abandoned";
import { metaOf } from "../lifecycle/state/hidden";
import { normalizeUnknowns } from "../lifecycle/state/unknown";
import type { Session } from "./session";

/** What every request says of its resource. */
export interface Addressed {
    /** The resource's URN; `undefined` where the caller is not sure. */
    urn: string | undefined;
    /** The URN of the row that lines go to. Default: `urn`. */
    shownUrn?: string | undefined;
}

interface Timed extends Addressed {
    timeouts: Timeouts;
}

export class ResourceHost {
    readonly #session: Session;
    readonly #lifecycle: Lifecycle;

    constructor(session: Session, lifecycle: Lifecycle) {
        this.#session = session;
        this.#lifecycle = lifecycle;
    }

    /** Whether this is the name of an input. */
    isInput(name: string): boolean {
        return this.#lifecycle.inputs.includes(name);
    }

    /** The inputs with their defaults, and all that is wrong with them and with the settings. Sends nothing. */
    check({ urn, olds, news }: Addressed & { olds?: Properties | undefined; news: Properties }): Promise<Checked> {
        return this.#explained(async () => {
            if (olds !== undefined) this.#session.managed.noteRecorded(urn);
            const { settings } = this.#session;
            const { inputs, problems } = this.#lifecycle.check(cleaned(news), olds && cleaned(olds), settings);
            return { inputs, problems: [...this.#session.problems(), ...problems] };
        });
    }

    /** What the inputs mean for the recorded object. Sends nothing. `olds` are the recorded outputs, `news` checked inputs. */
    diff({ urn, id, olds, news }: Addressed & { id: string; olds: Properties; news: Properties }): Promise<Difference> {
        return this.#explained(async () => {
            this.#session.managed.note(id, urn);
            await this.#proved(olds);
            const row = this.#session.row(urn);
            const difference = this.#lifecycle.diff({ id, olds: cleaned(olds), news: cleaned(news) }, row);
            if (difference.kind !== "none" || !(await this.#hasAbandoned(urn, olds))) return difference;
            row.info("An interrupted replacement may have left an object behind, which this update removes.");
            return { kind: "update", because: ["status"] };
        });
    }

    create(request: Timed & { inputs: Properties }): Promise<{ id: string; outputs: Properties }> {
        return this.#operate(request, async (operation) => {
            const made = await this.#lifecycle.create(cleaned(request.inputs), operation);
            this.#answered(made.outputs);
            return made;
        });
    }

    /** The recorded object as it is now; `undefined` when it was deleted. */
    read({ id, olds, ...request }: Timed & { id: string; olds: Properties }) {
        return this.#operate(request, async (operation) => {
            const state = await this.#lifecycle.read(id, cleaned(olds), operation);
            this.#answered(state?.outputs ?? {});
            return state;
        });
    }

    /** An object that no state is known of, with the inputs that a program would declare; `undefined` when there is none. */
    find({ id, ...request }: Timed & { id: string }) {
        return this.#operate(request, (operation) => this.#lifecycle.find(id, operation));
    }

    update({ id, olds, news, ...request }: Timed & { id: string; olds: Properties; news: Properties }) {
        return this.#operate(request, async (operation) => {
            const outputs = await this.#lifecycle.update(id, cleaned(olds), cleaned(news), operation);
            this.#answered(outputs);
            return outputs;
        });
    }

    delete({ id, olds, ...request }: Timed & { id: string; olds: Properties }): Promise<void> {
        return this.#operate(request, (operation) => this.#lifecycle.delete(id, cleaned(olds), operation));
    }

    /** The engine handed over recorded outputs: the state has this object, so its create is not pending any more. */
    async #proved(olds: Properties): Promise<void> {
        const { mark } = metaOf(olds);
        if (mark !== undefined) await this.#session.journal.close(mark);
    }

    /** These outputs go to the engine. */
    #answered(outputs: Properties): void {
        this.#session.finished(metaOf(outputs).mark);
    }

    async #hasAbandoned(urn: string | undefined, olds: Properties): Promise<boolean> {
        const { mark, env } = metaOf(olds);
        const abandoned = await abandonedCreates(this.#session.journal, urn, mark);
        if (abandoned.length === 0) return false;
        // Other credentials may be those of another environment, or a rotated token of the same one.
        const now = this.#session.fingerprint;
        const mayBeHere = ({ fingerprint, fruitless = [] }: JournalEntry) =>
            fingerprint === env || (now !== undefined && !fruitless.includes(now));
        return abandoned.some(mayBeHere);
    }

    #operate<T>(request: Timed, body: (operation: Operation) => Promise<T>): Promise<T> {
        return this.#explained(() => this.#session.operate(request, body));
    }

    /** Errors with what the settings explain of them, and without the secrets of the configuration. */
    async #explained<T>(body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            const message = this.#session.tell(error);
            if (!(error instanceof PartialFailure)) throw new LifecycleError(message);
            this.#answered(error.outputs);
            throw new PartialFailure(error.id, error.outputs, message);
        }
    }
}

/** Programs write `null` for "not set", and the engine has an unknown value for each type. */
function cleaned(properties: Properties): Properties {
    const set = Object.entries(properties).filter(([, value]) => value !== null);
    return normalizeUnknowns(Object.fromEntries(set)) as Properties;
}
