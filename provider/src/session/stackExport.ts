/**
 * Reads the text that `pulumi stack export` prints, piece by piece. A state may have a hundred megabytes: `JSON.parse` of the whole would take several
 * times as much memory, and block the process for seconds. operation/ownState.ts says what the parts of a state mean.
 */
import * as z from "zod/mini";
import { isObject } from "../api/json";
import { entryUrn, libraryKind, recordedEntriesOf } from "../evidence/library";
import type { Properties } from "../inputs/values";
import { attemptIn, type ExportedObject, ofResource, type StackExport } from "../operation/ownState";
import { fromStackKey, kindOf, ownSettingKey } from "../typeTokens";

// `z.custom` makes no copy of the inputs and outputs, which may be megabytes.
const properties = z.optional(z.custom<Properties>(isObject));
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

/** The parts of the state in the text; `undefined` for a text that is no state. */
export function parseExport(text: string): StackExport | undefined {
    const reader = new ExportReader();
    try {
        reader.push(text);
        return reader.end();
    } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
    }
}

/** The parts of the state that comes in pieces. @throws {SyntaxError} for a text that is no state. */
export async function readExport(pieces: AsyncIterable<string>): Promise<StackExport> {
    const reader = new ExportReader();
    for await (const piece of pieces) reader.push(piece);
    return reader.end();
}

const outside = /["{}[\]]/g;
const inString = /["\\]/g;

/** Parses each element of the lists `resources` and `pending_operations` alone, and forgets the resources of other packages at once. */
class ExportReader {
    #root: RecordedResource | undefined;
    readonly #own: RecordedResource[] = [];
    readonly #providers: StackExport["providers"] = [];
    readonly #operations: z.infer<typeof recordedOperation>[] = [];
    /** For each bracket that is open, the last string inside of it: the name of the member whose value comes next, such as "deployment". */
    readonly #names: string[] = [];
    #isInString = false;
    /** 1 where the last piece ended behind a backslash: the first character of the next piece is escaped. */
    #escaped = 0;
    #hasBegun = false;
    /** The beginning of a name or an element whose end has not come yet; `undefined` outside of names and elements. */
    #kept: string | undefined;

    /** Takes the next piece of the text. @throws {SyntaxError} where an element is no JSON, or has another form than the engine's. */
    push(text: string): void {
        let from = 0;
        let at = this.#escaped;
        for (;;) {
            const token = this.#isInString ? inString : outside;
            token.lastIndex = at;
            // Not `exec`, which makes an array for each match: a large state has millions of matches.
            if (!token.test(text)) break;
            at = token.lastIndex;
            const character = text[at - 1];
            if (character === "\\") at++;
            else if (character === '"') {
                this.#isInString = !this.#isInString;
                // A string this deep is inside of an element, which JSON.parse reads as a whole.
                if (this.#names.length > 2) continue;
                if (this.#isInString) [this.#kept, from] = ["", at];
                else this.#names.splice(-1, 1, this.#end(text.slice(from, at - 1)));
            } else if (character === "{" || character === "[") {
                if (this.#names.length === 0) this.#hasBegun = character === "{" && text.slice(0, at - 1).trim() === "";
                this.#names.push("");
                if (this.#isAtElement) [this.#kept, from] = ["", at - 1];
            } else {
                if (this.#isAtElement) this.#take(JSON.parse(this.#end(text.slice(from, at))));
                this.#names.pop();
            }
        }
        this.#escaped = at > text.length ? 1 : 0;
        if (this.#kept !== undefined) this.#kept += text.slice(from);
    }

    /** The parts of the state, when all pieces were read. @throws {SyntaxError} where they are not one whole object. */
    end(): StackExport {
        if (!this.#hasBegun || this.#names.length > 0) throw new SyntaxError("the output is no state");
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
                return [{ kind, urn, attempt: attemptIn(inputs), inputs, isUpdate, provider: providerOf(provider) }];
            }),
            providers: this.#providers,
        };
    }

    /** Whether the innermost open bracket begins an element of one of the two lists. Around it are open: the state, `deployment`, the list. */
    get #isAtElement(): boolean {
        const { length, 0: outer, 1: list } = this.#names;
        return length === 4 && outer === "deployment" && (list === "resources" || list === "pending_operations");
    }

    #end(tail: string): string {
        const whole = this.#kept + tail;
        this.#kept = undefined;
        return whole;
    }

    #take(element: unknown): void {
        if (this.#names[1] === "pending_operations") {
            this.#operations.push(expected(recordedOperation, element));
            return;
        }
        const resource = expected(recordedResource, element);
        const { type, urn, inputs = {} } = resource;
        if (type === "pulumi:pulumi:Stack") this.#root ??= resource;
        if (type.startsWith("pulumi:providers:")) this.#providers.push({ type, urn, inputs });
        if (kindOf(type) !== undefined) this.#own.push({ ...resource, inputs: {} });
    }
}

function expected<T>(schema: z.ZodMiniType<T>, element: unknown): T {
    const { data } = z.safeParse(schema, element);
    if (data === undefined) throw new SyntaxError("the state has another form than the engine's");
    return data;
}

function isExplicit(inputs: Properties): boolean {
    return fromStackKey in inputs || Object.keys(inputs).some((key) => key.startsWith(ownSettingKey("")));
}

/**
 * The name of an object's provider: the URN without the id, which changes with the provider's settings. The engine names its default provider after
 * the plugin's version, such as `default_1_2_3`. The version is cut off: otherwise an upgrade would look like another provider. `explicit`: the URNs
 * of the providers that a program declares. They stay whole, because a program may choose any name.
 */
function providerIn(reference: string, explicit: ReadonlySet<string>): string {
    const urn = reference.split("::").slice(0, -1).join("::");
    return explicit.has(urn) ? urn : urn.replace(/::default(_.*)?$/, "::");
}

/** The objects of a resource: its own object, and for a library one object for each entry. */
function objectsOf({ urn, type, id, external: isExternal = false, outputs = {} }: RecordedResource, provider: string) {
    const kind = kindOf(type);
    if (kind === undefined || id === undefined) return [];
    const own: ExportedObject = { kind, urn, id, olds: outputs, isExternal, provider };
    const entries = kind === libraryKind ? ofResource(urn, () => recordedEntriesOf(outputs)) : [];
    return [
        own,
        ...entries.map(([key, id, __meta]): ExportedObject => {
            return { ...own, kind: "Content", urn: entryUrn(urn, key), id, olds: { __meta } };
        }),
    ];
}
