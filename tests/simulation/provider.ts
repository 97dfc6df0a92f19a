/** A provider as the engine calls it, whichever of the two faces it shows, and the one that is dynamic. */
import type { Build } from "./build.ts";
import type { Kind, Properties } from "./stack.ts";

type Session = InstanceType<Build["Session"]>;

/** The resource that a call is about. */
export interface Addressed {
    urn: string;
    kind: Kind;
}

/** An object as the state has it. */
export interface Recorded {
    id: string;
    inputs: Properties;
    outputs: Properties;
}

export interface Provider {
    check(resource: Addressed, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }>;
    /** `differs`: `undefined` makes the engine compare the inputs. */
    diff(
        resource: Addressed,
        old: Recorded,
        news: Properties,
    ): Promise<{ differs: boolean | undefined; replaces: boolean }>;
    create(resource: Addressed, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
    update(resource: Addressed, old: Recorded, news: Properties): Promise<Properties>;
    /** The object as it is now; `undefined` when there is none. Without `old` it is to be imported. */
    read(resource: Addressed, id: string, old?: Recorded): Promise<Recorded | undefined>;
    delete(resource: Addressed, old: Recorded): Promise<void>;
    /** What a preview asks for. A dynamic provider is not asked. */
    previewCreate?(resource: Addressed, inputs: Properties): Promise<Properties>;
    previewUpdate?(resource: Addressed, old: Recorded, news: Properties): Promise<Properties>;
    /** The first Ctrl-C, and the end of every operation. Dynamic providers never hear of either. */
    cancel?(): Promise<void>;
}

/** The operation failed, and the object is in the state nevertheless. */
export class PartiallyFailed extends Error {
    readonly id: string;
    readonly outputs: Properties;
    /** Without any, the next `up` sees nothing wrong with it. */
    readonly reasons: readonly string[];

    constructor(id: string, outputs: Properties, reasons: readonly string[]) {
        super(reasons.join("; "));
        this.id = id;
        this.outputs = outputs;
        this.reasons = reasons;
    }
}

/** Everything crosses the wire as JSON. */
export function copy<T>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}

export function dynamicProvider({ Adapter, resources }: Build, session: Session): Provider {
    session.configure({}, () => undefined);
    const all = {
        Content: new Adapter(session, "Content", resources.content),
        Livestream: new Adapter(session, "Livestream", resources.livestream, "streamKey"),
        ContentReadiness: new Adapter(session, "ContentReadiness", resources.contentReadiness),
    };
    return {
        check: async ({ kind }, olds, news) => {
            const { inputs, failures = [] } = await all[kind].check(copy(olds), copy(news));
            return { inputs: copy(inputs) as Properties, failures: failures.map(({ reason }) => reason) };
        },
        diff: async ({ kind }, { id, outputs }, news) => {
            const { changes, replaces = [] } = await all[kind].diff(id, copy(outputs), copy(news));
            return { differs: changes, replaces: replaces.length > 0 };
        },
        create: ({ kind }, inputs) =>
            orPartially(async () => {
                const { id, outs } = await all[kind].create(copy(inputs));
                return { id, outputs: copy(outs) as Properties };
            }),
        update: ({ kind }, { id, outputs }, news) =>
            orPartially(async () => copy((await all[kind].update(id, copy(outputs), copy(news))).outs) as Properties),
        read: async ({ kind }, id, old) => {
            const found = await all[kind].read(id, copy(old?.outputs ?? {}));
            if (found.id === "" || found.id === undefined) return undefined;
            const inputs = found.inputs && { ...copy(found.inputs as Properties), __provider: "constant" };
            return { id: found.id, inputs: inputs ?? old?.inputs ?? {}, outputs: copy(found.props) as Properties };
        },
        delete: ({ kind }, { id, outputs }) => all[kind].delete(id, copy(outputs)),
    };
}

async function orPartially<T>(body: () => Promise<T>): Promise<T> {
    try {
        return await body();
    } catch (error) {
        if (!isPartial(error)) throw error;
        throw new PartiallyFailed(error.id, copy(error.properties), error.reasons);
    }
}

/** How the SDK recognises a partial failure. */
function isPartial(error: unknown): error is Error & { id: string; properties: Properties; reasons: string[] } {
    return error instanceof Error && "id" in error && "properties" in error;
}
