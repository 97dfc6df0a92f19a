/** What every resource's lifecycle offers and what it may use. Engine-neutral: any Pulumi adapter can stand in front. */
import type { Clock, Random, VideographApi } from "../api";
import { type Message, messages } from "../messages";
import type { Journal } from "../evidence/journal";
import type { Lists } from "../evidence/lists";
import type { OwnStateReader } from "../evidence/ownState";
import type { NotFoundTrust } from "../operation/notFound";
import type { Managed } from "../operation/managers";
import type { ParallelismHint } from "../wait/parallelismHint";
import type { Watcher } from "../wait/watcher";

/** A bag of property values as the engine keeps them: JSON and nothing else. */
export type Properties = Record<string, unknown>;

/** One place of the service, seen with one pair of credentials, and what this process knows of it. */
export interface Environment {
    api: VideographApi;
    clock: Clock;
    random: Random;
    journal: Journal;
    ownState: OwnStateReader;
    trust: NotFoundTrust;
    watcher: Watcher;
    parallelismHint: ParallelismHint;
    managed: Managed;
    /** The lists that searches for lost creates share. */
    lists: Lists;
    /** What the user has decided for this run about objects that the state does not have: the ids to adopt, or to create. */
    unrecorded: readonly string[] | "create";
}

/** What the lifecycle may tell the person who watches. Messages never hold property values. */
export interface Row {
    /** The resource's URN, where it is known. */
    urn: string | undefined;
    /** A passing line on the resource's row. */
    progress(message: string): void;
    /** A lasting line that needs no action. */
    info(message: Message): void;
    /** A lasting line that should be read. */
    warn(message: Message): void;
}

/** The `customTimeouts` of a resource, in ms. */
export interface Timeouts {
    create?: number | undefined;
    update?: number | undefined;
    delete?: number | undefined;
}

/** The surroundings of one create, read, update or delete. */
export interface Operation extends Row {
    environment: Environment;
    /** How long it may take, where the user has set it. */
    timeouts: Timeouts;
    /** Aborted with `Interrupted` when the process has to end: every wait stops, what is known is kept. */
    signal: AbortSignal;
}

export interface Checked {
    inputs: Properties;
    /** Every problem, each naming the property's path and the way out, never a value. */
    problems: Message[];
    /** Lines for the resource's row that need no action. */
    notes?: Message[];
    /** Lines for the resource's row that should be read. */
    warnings?: Message[];
}

/** An existing object and what the program says now. */
export interface Change {
    id: string;
    /** The recorded outputs. */
    olds: Properties;
    /** The recorded inputs, where they are known: those of the last run, sent or not. */
    oldInputs?: Properties | undefined;
    news: Properties;
}

/** Settings that fill in what a program leaves out. */
export interface Defaults {
    /** For `Livestream.region`. */
    region?: string | undefined;
}

/**
 * What is due, and the properties that are the reason: inputs that differ, or outputs (`status`) for something that is to be
 * done although the inputs may be equal.
 */
export type Difference = { kind: "none" } | { kind: "update" | "replace"; because: string[] };

/** A resource as the engine records it. Outputs contain the inputs, what the service computed, and `__meta`. */
export interface State {
    inputs: Properties;
    outputs: Properties;
}

/** What a refresh found. Without `inputs`, those that are recorded stay. */
export interface Refreshed {
    inputs?: Properties | undefined;
    outputs: Properties;
}

export interface Lifecycle {
    /** The names of its inputs. */
    readonly inputs: readonly string[];
    check(news: Properties, olds: Properties | undefined, defaults: Defaults): Checked;
    diff(change: Change, row: Row): Difference;
    create(inputs: Properties, operation: Operation): Promise<{ id: string; outputs: Properties }>;
    /** The object as it is now; `undefined` when it was surely deleted. */
    read(id: string, olds: Properties, operation: Operation): Promise<Refreshed | undefined>;
    /** An object that is not managed here, with the inputs that a program would declare; `undefined` when there is none. */
    find(id: string, operation: Operation): Promise<State | undefined>;
    update(id: string, olds: Properties, news: Properties, operation: Operation): Promise<Properties>;
    delete(id: string, olds: Properties, operation: Operation): Promise<void>;
}

/** An operation that cannot go on. One paragraph: what happened, to which object, what to do next. */
export class LifecycleError extends Error {
    declare readonly message: Message;

    constructor(message: Message) {
        super(message);
        this.name = new.target.name;
    }
}

/** The process has to end before the work was done. */
export class Interrupted extends LifecycleError {
    constructor() {
        super(messages.interrupted());
    }
}

/** An object exists, but is not what was asked for yet. Carries its id and outputs, so that nothing is lost (L4). */
export class PartialFailure extends LifecycleError {
    readonly id: string;
    readonly outputs: Properties;

    constructor(id: string, outputs: Properties, reason: Message) {
        super(reason);
        this.id = id;
        this.outputs = outputs;
    }
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
