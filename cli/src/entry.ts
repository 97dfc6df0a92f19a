/**
 * What the state says of an object that was not created by this stack: the entry of a Pulumi import file, whose inputs a
 * program declares word for word, so that neither a preview nor a refresh finds a difference.
 */

import { inputsIn, isEmpty } from "#provider/inputs/properties";
import { metaOf, recordedMeta } from "#provider/inputs/recordedMeta";
import type { Properties } from "#provider/lifecycle/index";
import { contentDefinition } from "#provider/resources/content/definition";
import { content, livestream } from "#provider/resources/index";
import { livestreamDefinition } from "#provider/resources/livestream/definition";
import { providerText, typeOf } from "#provider/typeTokens";
import { isReady } from "#provider/wait/status";
import type { Kind, Whole } from "./account";
import type { StackIdentity } from "./state";

/** One entry of a Pulumi import file. */
export interface ImportEntry {
    readonly type: string;
    readonly name: string;
    readonly id: string;
    /** With `__provider`, which alone tells the engine where the implementation is. */
    readonly inputs: Properties;
    readonly outputs: Properties;
}

export interface Described {
    readonly kind: Kind;
    readonly entry: ImportEntry;
    /** What a program declares: the inputs without the hidden ones. */
    readonly declared: Properties;
    /** Inputs that the object has and no program can declare: they stay as they are, unmanaged. */
    readonly undeclared: readonly string[];
}

/** Why an object cannot be declared at all. */
export interface Undeclarable {
    readonly problem: string;
}

const kinds = {
    Content: { table: contentDefinition.inputs, lifecycle: content },
    Livestream: { table: livestreamDefinition.inputs, lifecycle: livestream },
};

/**
 * `sent` are the inputs that the object was created with, where they are known: they serve where the service does not tell.
 * `importId` says which object is meant; once the state has the object, the program may do without it.
 */
export function describe(
    whole: Whole,
    name: string,
    { fingerprint, identity }: { fingerprint: string; identity: StackIdentity | undefined },
    sent: Properties = {},
): Described | Undeclarable {
    const { kind, id } = whole;
    const { table } = kinds[kind];
    const told =
        whole.kind === "Content"
            ? content.record(whole.object, fingerprint)
            : livestream.record(whole.object, fingerprint);
    const record = { ...inputsIn(table, sent), ...told };
    if (problemWith(kind, id, "title", record.title)) {
        return { problem: "it has no title, and a program has to declare one: give it a title in the dashboard" };
    }
    const streamKey = typeof record.streamKey === "string" ? record.streamKey : "";
    if (holds(record.title, streamKey)) {
        return { problem: "its title contains its stream key, which must not be in a program: give it another title" };
    }
    const inputs = Object.keys(table).filter((input) => record[input] !== undefined && !isEmpty(record[input]));
    const undeclared = inputs.filter(
        (input) => problemWith(kind, id, input, record[input]) || holds(record[input], streamKey),
    );
    const declared: Properties = {
        importId: id,
        ...Object.fromEntries(
            inputs.filter((input) => !undeclared.includes(input)).map((input) => [input, record[input]]),
        ),
        // Else the next preview would want to wait for it.
        ...(kind === "Content" && !isReady(whole.status) && { waitForReady: false }),
    };
    const hidden = { __provider: providerText(kind), ...urnInput(identity, name) };
    const computed = Object.entries(record).filter(
        // A key in an import file would be there for all to read. The first refresh brings it, as a secret.
        ([key, value]) => !(key in table) && key !== "streamKey" && value !== undefined && !holds(value, streamKey),
    );
    // Without the marker of its create the object counts as taken over: nobody knows the source it was made from.
    const { marker: _, ...meta } = metaOf(record);
    const outputs = { ...declared, ...Object.fromEntries(computed), __meta: recordedMeta(meta), ...hidden };
    return {
        kind,
        entry: { type: typeOf(kind), name, id, inputs: { ...declared, ...hidden }, outputs },
        declared,
        undeclared,
    };
}

/** The URN that the program will pass for it; without it the first update would show it as added. */
function urnInput(identity: StackIdentity | undefined, name: string): Properties {
    return identity === undefined ? {} : { __urn: `${identity.stack}::${identity.project}::::${name}` };
}

/** Whether a program that declares this value would be turned away. */
function problemWith(kind: Kind, id: string, input: string, value: unknown): boolean {
    const inputs = { importId: id, title: "Title", [input]: value };
    return kinds[kind].lifecycle.check(inputs, undefined, {}).problems.length > 0 || holdsPrototype(value);
}

/** Whether the text is anywhere in the value, be it encoded for a URL. */
function holds(value: unknown, text: string): boolean {
    if (text === "") return false;
    const whole = JSON.stringify(value ?? null);
    return [text, encodeURIComponent(text)].some((form) => whole.includes(JSON.stringify(form).slice(1, -1)));
}

/** A key that JavaScript has its own use for: it would be lost between program and engine. */
function holdsPrototype(value: unknown): boolean {
    return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
}
