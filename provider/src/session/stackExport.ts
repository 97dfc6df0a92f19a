/** The output of `pulumi stack export`: the parts that this package reads, in runs and in commands. */
import * as z from "zod/mini";
import { isObject } from "../api/json";
import { entryUrn, libraryKind, recordedEntriesOf } from "../evidence/library";
import { LifecycleError, prepend } from "../messages";
import { kindOf, type ResourceKind } from "../typeTokens";
import { ListElements } from "./listElements";
import { fromStackKey, ownSettingKey } from "./settings";

export interface StackExport {
    /** See `OwnState`. */
    birth: string;
    /** The URN of the root resource. */
    root: string;
    resources: ExportedObject[];
    /** Creates that have not ended, the latest first. A library creates in updates as well. */
    creates: PendingOperation[];
    /** The providers of all packages. */
    providers: { type: string; urn: string; inputs: Record<string, unknown> }[];
}

export interface ExportedObject {
    kind: ResourceKind;
    urn: string;
    id: string;
    /** Whether the program only reads the object, as by `Content.get`. */
    isExternal: boolean;
    /** The object's outputs; for an entry of a library, its `__meta` alone. */
    olds: Record<string, unknown>;
    provider: string;
}

export interface PendingOperation {
    kind: ResourceKind;
    urn: string;
    inputs: Record<string, unknown>;
    isUpdate: boolean;
    provider: string;
}

// Without copies: a state has megabytes.
const properties = z.optional(z.custom<Record<string, unknown>>(isObject));
export const recordedResource = z.object({
    urn: z.string(),
    type: z.string(),
    id: z.optional(z.string()),
    created: z.optional(z.string()),
    external: z.optional(z.boolean()),
    inputs: properties,
    outputs: properties,
    provider: z.optional(z.string()),
});
export const recordedOperation = z.object({ type: z.string(), resource: recordedResource });
type RecordedResource = z.infer<typeof recordedResource>;

/** The parts of an export; `undefined` for any other text. */
export function parseExport(text: string): StackExport | undefined {
    const reader = new ExportReader();
    try {
        reader.push(text);
    } catch {
        return undefined;
    }
    return reader.end();
}

/** The parts of an export that comes in pieces. @throws {SyntaxError} where it is something else. */
export async function readExport(pieces: AsyncIterable<string>): Promise<StackExport> {
    const reader = new ExportReader();
    for await (const piece of pieces) reader.push(piece);
    const exported = reader.end();
    if (exported === undefined) throw new SyntaxError("the output is no state");
    return exported;
}

/** Of the other packages' resources, the providers alone are kept. */
class ExportReader {
    #root: RecordedResource | undefined;
    readonly #own: RecordedResource[] = [];
    readonly #providers: StackExport["providers"] = [];
    readonly #operations: z.infer<typeof recordedOperation>[] = [];
    readonly #elements = new ListElements(
        { outer: "deployment", inner: ["resources", "pending_operations"] },
        (one, list) => {
            if (list === "resources") this.#add(expected(recordedResource, one));
            else this.#operations.push(expected(recordedOperation, one));
        },
    );

    push(text: string): void {
        this.#elements.push(text);
    }

    #add(resource: RecordedResource): void {
        const { type, urn, inputs = {} } = resource;
        if (type === "pulumi:pulumi:Stack") this.#root ??= resource;
        if (type.startsWith("pulumi:providers:")) this.#providers.push({ type, urn, inputs });
        if (kindOf(type) !== undefined) this.#own.push({ ...resource, inputs: {} });
    }

    end(): StackExport | undefined {
        if (!this.#elements.isComplete) return undefined;
        const explicit = new Set(this.#providers.filter(({ inputs }) => isExplicit(inputs)).map(({ urn }) => urn));
        const providerOf = (reference = "") => providerIn(reference, explicit);
        return {
            birth: this.#root?.created ?? "",
            root: this.#root?.urn ?? this.#operations[0]?.resource.urn ?? "",
            resources: this.#own.flatMap((one) => objectsOf(one, providerOf(one.provider))),
            creates: this.#operations.flatMap(({ type, resource: { urn, type: token, inputs = {}, provider } }) => {
                const kind = kindOf(token);
                const isUpdate = type === "updating" && kind === libraryKind;
                if (kind === undefined || (type !== "creating" && !isUpdate)) return [];
                return [{ kind, urn, inputs, isUpdate, provider: providerOf(provider) }];
            }),
            providers: this.#providers,
        };
    }
}

function expected<T>(schema: z.ZodMiniType<T>, element: unknown): T {
    const { data } = z.safeParse(schema, element);
    if (data === undefined) throw new SyntaxError("the state has another form than the engine's");
    return data;
}

function isExplicit(inputs: Record<string, unknown>): boolean {
    return fromStackKey in inputs || Object.keys(inputs).some((key) => key.startsWith(ownSettingKey("")));
}

/** Reads a record, whose error gets the name of its resource. */
export function ofResource<T>(urn: string, read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        throw new LifecycleError(prepend(`${urn}:`, error.message));
    }
}

/** The object of a resource; for a library, also the objects of its entries. */
function objectsOf(resource: RecordedResource, provider: string): ExportedObject[] {
    const { urn, type, id, external: isExternal = false, outputs = {} } = resource;
    const kind = kindOf(type);
    if (kind === undefined || id === undefined) return [];
    const entries = kind === libraryKind ? ofResource(urn, () => recordedEntriesOf(outputs)) : [];
    const common = { isExternal, provider };
    return [
        { kind, urn, id, olds: outputs, ...common },
        ...entries.map(([key, one, __meta]): ExportedObject => {
            return { kind: "Content", urn: entryUrn(urn, key), id: one, olds: { __meta }, ...common };
        }),
    ];
}

/**
 * A provider, by its URN: its id changes with its settings. The engine's default provider has the plugin's version and address in its name, and a
 * program's own provider may have the same name.
 */
function providerIn(reference: string, explicit: ReadonlySet<string>): string {
    const urn = reference.split("::").slice(0, -1).join("::");
    return explicit.has(urn) ? urn : urn.replace(/::default(_.*)?$/, "::");
}
