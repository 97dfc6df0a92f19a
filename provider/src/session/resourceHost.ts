/**
 * One resource type in one process, as either face serves it: the lifecycle, and what a process knows around it. Everything
 * in and out is plain JSON; no engine's protocol is known here. Errors come out with a message that may be shown.
 */

import { entryPath, entryUrn } from "../evidence/library";
import { metaOf } from "../inputs/recordedMeta";
import { hasUnknown, normalizeUnknowns } from "../inputs/unknown";
import {
    type Change,
    type Checked,
    type Difference,
    type Lifecycle,
    LifecycleError,
    nameOpenOf,
    type Operation,
    PartialFailure,
    type Properties,
    recorded,
    refuseMarked,
    type Timeouts,
    told,
} from "../lifecycle";
import { type Message, messages } from "../messages";
import type { Session } from "./session";

/** The part of every request that identifies its resource. */
export interface Addressed {
    /** The resource's URN; `undefined` where the caller is not sure. */
    urn: string | undefined;
}

interface Timed extends Addressed {
    timeouts: Timeouts;
    /** Of a create, and of an update of a library: see `Attempt`. */
    attempt?: string | undefined;
}

export class ResourceHost {
    readonly #session: Session;
    readonly #lifecycle: Lifecycle;
    /** The recorded inputs by URN, as `check` was given them: not every face's `diff` is. */
    readonly #oldInputs = new Map<string, Properties>();

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
            this.#session.openEntries.declared(urn);
            const before = olds && cleaned(olds);
            const checked = this.#lifecycle.check(cleaned(news), before, this.#session.known);
            const { inputs, problems, notes = [], warnings = [] } = checked;
            const row = this.#session.row(urn);
            for (const note of notes) row.info(note);
            for (const warning of warnings) row.warn(warning);
            if (urn !== undefined && before !== undefined) this.#oldInputs.set(urn, before);
            const duplicates = this.#duplicateImports(adoptedBy(urn, inputs, checked));
            return { inputs, problems: [...this.#session.problems(), ...problems, ...duplicates] };
        });
    }

    /** The difference between the checked inputs and the recorded object. Sends nothing. */
    diff({ urn, ...change }: Addressed & Change): Promise<Difference> {
        return this.#explained(async () => {
            const { id } = change;
            const olds = cleaned(change.olds);
            const { managers } = this.#session;
            managers.noteRecorded(urn, { id, olds });
            const adopter = managers.adopterOf(id, urn) ?? urn;
            if (adopter !== urn) throw new LifecycleError(messages.adoptedTwice({ id, other: adopter ?? "" }));
            await this.#recorded(olds);
            const row = this.#session.row(urn);
            const oldInputs = this.#recordedInputs(urn, change.oldInputs);
            const cleanChange = { id, olds, oldInputs, news: cleaned(change.news) };
            const difference = this.#lifecycle.diff(cleanChange, row, managers);
            if (difference.kind !== "replace") {
                managers.keep(id, urn);
                if (urn !== undefined) await nameOpenOf(this.#session.journal, urn, row);
            }
            return difference;
        });
    }

    create(request: Timed & { inputs: Properties }): Promise<{ id: string; outputs: Properties }> {
        return this.#operate(request, async (operation) => {
            const made = await this.#lifecycle.create(cleaned(request.inputs), operation);
            await this.#told(made.outputs);
            return made;
        });
    }

    /** The recorded object as it is now; `undefined` when it was deleted. */
    read({ id, olds, ...request }: Timed & { id: string; olds: Properties }) {
        return this.#operate(request, async (operation) => {
            await this.#recorded(olds);
            return this.#lifecycle.read(id, cleaned(olds), operation);
        });
    }

    /** An object without a known state, with the inputs that a program would declare; `undefined` when there is none. */
    find({ id, ...request }: Timed & { id: string }) {
        return this.#operate(request, async (operation) => {
            if (this.#lifecycle.find === undefined) throw new LifecycleError(messages.notImportable());
            return this.#lifecycle.find(id, operation);
        });
    }

    /** The engine imports the object, which no state has had as this resource's. Refuses one that another resource has created. */
    noteImport(asked: { object: string; id: string; urn: string }, marker: string | undefined): void {
        refuseMarked(asked, marker, this.#session.unrecorded);
        this.#session.managers.adopter(asked.id, asked.urn);
    }

    update({ id, olds, oldInputs, news, ...request }: Timed & Change) {
        return this.#operate(request, async (operation) => {
            await this.#recorded(olds);
            const before = this.#recordedInputs(request.urn, oldInputs);
            const outputs = await this.#lifecycle.update(id, cleaned(olds), cleaned(news), operation, before);
            // A library creates in updates as well.
            await this.#told(outputs);
            return outputs;
        });
    }

    delete({ id, olds, ...request }: Timed & { id: string; olds: Properties }): Promise<void> {
        return this.#operate(request, async (operation) => {
            await this.#session.openEntries.beforeDelete(operation, this.#session.row(undefined));
            // `up --replace`, or a tainted resource: the new resource adopts the old one's object, or an interrupted run did.
            // Or a resource that got another name, or another parent, without an alias, in this run or in one that failed.
            if (this.#session.managers.keeperOf(id, request.urn) !== undefined) {
                operation.warn(messages.keptAdopted({ id }));
                return;
            }
            await this.#recorded(olds);
            await this.#lifecycle.delete(id, cleaned(olds), operation);
        });
    }

    #recordedInputs(urn: string | undefined, given: Properties | undefined): Properties | undefined {
        return given ? cleaned(given) : this.#oldInputs.get(urn ?? "");
    }

    async #recorded(olds: Properties): Promise<void> {
        await Promise.all(this.#markersIn(olds).map((marker) => recorded(this.#session.journal, marker)));
    }

    /** The engine throws away what reaches it after its interrupt. */
    async #told(outputs: Properties): Promise<void> {
        if (this.#session.isEnding) return;
        await Promise.all(this.#markersIn(outputs).map((marker) => told(this.#session.journal, marker)));
    }

    #markersIn(outputs: Properties): string[] {
        return this.#lifecycle.markers?.(outputs) ?? [metaOf(outputs).marker ?? []].flat();
    }

    /** Two resources that adopt one object would both change it, and each would delete the other's. */
    #duplicateImports(adopts: readonly { id: string; by: string; at: string }[]): Message[] {
        const { managers } = this.#session;
        return adopts.flatMap(({ id, by, at }) => {
            const other = managers.adopter(id, by);
            const manager = managers.by(id) ?? by;
            if (other !== by) return [`${at}${messages.importIdTwice({ other })}` as Message];
            return manager === by ? [] : [`${at}${messages.importIdManaged({ manager })}` as Message];
        });
    }

    #operate<T>(request: Timed, body: (operation: Operation) => Promise<T>): Promise<T> {
        return this.#explained(() => this.#session.operate(request, body));
    }

    /** Errors with the origin of their settings, and without the secrets of the configuration. */
    async #explained<T>(body: () => Promise<T>): Promise<T> {
        try {
            return await body();
        } catch (error) {
            const message = this.#session.tell(error);
            if (!(error instanceof PartialFailure)) throw new LifecycleError(message);
            await this.#told(error.outputs);
            throw new PartialFailure(error.id, error.outputs, message);
        }
    }
}

/** Which objects the resource adopts, by which URN, and where in its inputs that stands. */
function adoptedBy(urn: string | undefined, { importId }: Properties, { adopts }: Checked) {
    if (urn === undefined) return [];
    const entries = [...(adopts ?? [])];
    if (typeof importId !== "string" || hasUnknown(importId))
        return entries.map(([id, key]) => ({ id, by: entryUrn(urn, key), at: `${entryPath(key)}.` }));
    return [{ id: importId, by: urn, at: "" }];
}

/** Programs write `null` for "not set", and the engine has an unknown value for each type. */
function cleaned(properties: Properties): Properties {
    const set = Object.entries(properties).filter(([, value]) => value !== null);
    return normalizeUnknowns(Object.fromEntries(set)) as Properties;
}
