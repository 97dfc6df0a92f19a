/** One stack: what its program declares and what its state has recorded. */
import type { Dice } from "./dice.ts";

export type Kind = "Content" | "Livestream" | "ContentReadiness";
export type Properties = Record<string, unknown>;

export interface Declared {
    name: string;
    kind: Kind;
    inputs: Properties;
    deleteBeforeReplace: boolean;
    /** What the program declares beside an `import` option, and not beside importId. */
    besidesImport?: Properties | undefined;
    /** A name it had before: the program declares it as an alias. */
    alias?: string | undefined;
}

/** The dynamic types, or those of the plugin. */
export type Face = "dynamic" | "native";

/** A resource as the state has it. */
export interface Saved {
    urn: string;
    kind: Kind;
    id: string;
    /** The id that its `import` option had at the last `up`. */
    importId?: string | undefined;
    inputs: Properties;
    outputs: Properties;
    /** It has init errors: the next `up` updates it whatever `diff` says. */
    failed: boolean;
    /** A replacement has taken its place; it waits to be deleted. */
    pendingDelete: boolean;
}

const types: Record<Face, string> = { dynamic: "pulumi-nodejs:dynamic/videograph", native: "videograph:index" };
export const faces = ["native", "dynamic"] as const;

export function faceOf(urn: string): Face {
    return urn.includes(`::${types.dynamic}:`) ? "dynamic" : "native";
}

/** A create under way as the engine writes it: with its outputs, once the provider has answered. */
export interface Pending {
    urn: string;
    id?: string;
    outputs?: Properties;
}

export class Stack {
    name: string;
    /** A delete shows the provider the stack's name at the last create or update, which may be another one by now. */
    showsOldNames = false;
    /** The project's folder: two clones have different ones, with the same backend's text. */
    readonly folder: string;
    /** The written state. */
    saved: Saved[] = [];
    /** The types that the program declares. The native ones have the dynamic ones as aliases. */
    face: Face = "dynamic";
    /** The creates that the written state has as begun. */
    pending: Pending[] = [];
    /** Every resource that the program ever declares. */
    all: Declared[] = [];
    /** What it declares now. */
    program: Declared[] = [];

    constructor(name: string, folder: string) {
        this.name = name;
        this.folder = folder;
    }

    urnOf({ name, kind }: { name: string; kind: Kind }, face = this.face): string {
        return `urn:pulumi:${this.name}::sim::${types[face]}:${kind}::${name}`;
    }

    /** What the program declares: the constructor of a dynamic resource adds hidden inputs, the native one has an option. */
    declaration({ name, inputs, besidesImport }: Declared): { inputs: Properties; importId?: string | undefined } {
        if (this.face === "dynamic") {
            return { inputs: { ...inputs, __provider: "constant", __urn: `${this.name}::sim::::${name}` } };
        }
        const { importId, ...rest } = inputs;
        return { inputs: { ...rest, ...besidesImport }, importId: importId as string | undefined };
    }

    /** The recorded object of a resource, if there is one that is not to be deleted. */
    recorded(declared: Declared): Saved | undefined {
        const urns = faces.map((face) => this.urnOf(declared, face));
        return this.saved.find(({ urn, pendingDelete }) => urns.includes(urn) && !pendingDelete);
    }

    /** `pulumi stack rename`. */
    rename(name: string): void {
        this.showsOldNames = true;
        for (const saved of this.saved) saved.urn = saved.urn.replace(/^urn:pulumi:[^:]*/, `urn:pulumi:${name}`);
        this.name = name;
    }
}

/** Programs, and how people change them. */
export class ProgramWriter {
    readonly #dice: Dice;
    readonly #subtitleDice: Dice;
    #signatures = 0;

    constructor(dice: Dice) {
        this.#dice = dice;
        this.#subtitleDice = dice.aside();
    }

    /** The resources of a new stack. */
    write(): Declared[] {
        const dice = this.#dice;
        const titles = ["Trailer", "Trailer", " Key  note"];
        const all = titles.slice(0, 1 + dice.below(3)).map((title, index): Declared => {
            const kind = dice.chance(0.7) ? "Content" : "Livestream";
            const deleteBeforeReplace = dice.chance(0.2);
            // Presigned sources: another signature in every run, and the version alone says which video it is.
            const versioned = kind === "Content" && dice.hazard("versions", 0.25);
            const inputs = versioned ? { title, sourceVersion: "1", content: [] } : { title };
            return { name: `resource${index}`, kind, deleteBeforeReplace, inputs };
        });
        for (const declared of all) this.#change(declared, true);
        return all;
    }

    /** Somebody edits the program. */
    edit(all: readonly Declared[]): Declared[] {
        for (const declared of all) this.#change(declared, false);
        return all.filter(() => this.#dice.chance(0.9));
    }

    /** Makes every source one that can become Ready. */
    repair(all: readonly Declared[]): void {
        for (const { kind, inputs } of all) {
            if (kind === "Content" && inputs.content !== undefined) inputs.content = this.#source(inputs, false);
        }
    }

    #change({ kind, inputs }: Declared, first: boolean): void {
        const dice = this.#dice;
        const changes = (share: number) => first || dice.chance(share);
        if (kind === "ContentReadiness") return;
        if (changes(0.2)) inputs.title = dice.pick(["Trailer", " Key  note"]);
        if (changes(0.2)) inputs.description = dice.pick([undefined, "one", "two"]);
        if (changes(0.2)) inputs.metadata = dice.pick([undefined, { season: "1" }, { season: "2" }]);
        if (kind === "Content") this.#changeSubtitles(inputs);
        if (changes(0.15)) inputs.tags = dice.pick([undefined, ["a", "b"], ["c"]]);
        if (inputs.importId !== undefined) return;
        if (changes(0.05)) inputs.playbackPolicy = dice.pick([undefined, ["signed"]]);
        if (kind === "Livestream") {
            if (changes(0.2)) inputs.region = dice.pick(["us-east-1", "us-west-1"]);
            if (changes(0.1)) inputs.record = dice.chance(0.5);
            return;
        }
        if (inputs.sourceVersion !== undefined && changes(0.15)) inputs.sourceVersion = dice.pick(["1", "2"]);
        if (inputs.sourceVersion !== undefined || changes(0.25))
            inputs.content = this.#source(inputs, dice.chance(0.12));
        if (changes(0.1)) inputs.waitForReady = dice.pick([undefined, undefined, false]);
    }

    #changeSubtitles(inputs: Properties): void {
        const dice = this.#subtitleDice;
        if (!dice.hazard("subtitles", 0.4)) return;
        const subtitle = ["en", "de", "fr"]
            .filter(() => dice.chance(0.6))
            .map((languageCode) => ({
                url: `https://media.test/${dice.pick(["one", "two"])}.${languageCode}.vtt`,
                languageCode,
            }));
        // A resource with importId cannot be replaced, so it keeps those that it has.
        const kept = ((inputs.importId && inputs.subtitle) || []) as typeof subtitle;
        const missing = kept.filter((old) => !subtitle.some(({ languageCode }) => languageCode === old.languageCode));
        inputs.subtitle = dice.chance(0.5) ? [...subtitle, ...missing] : [...subtitle, ...missing].reverse();
    }

    #source({ sourceVersion }: Properties, broken: boolean): unknown {
        if (sourceVersion !== undefined) {
            const name = broken ? "broken" : "versioned";
            return [{ url: `https://media.test/${name}.mp4?signature=${++this.#signatures}` }];
        }
        return [{ url: `https://media.test/${broken ? "broken" : this.#dice.pick(["one", "two"])}.mp4` }];
    }
}

/** What a create sends that no PUT can change. */
export function createdAs(declared: Declared): string {
    return `${identityOf(declared)}\n${JSON.stringify(declared.inputs.subtitle ?? null)}`;
}

/** What makes the object of a resource another one: the inputs that only a create can set. */
export function identityOf({ kind, inputs }: Declared): string {
    const source = inputs.sourceVersion ?? inputs.content ?? null;
    const policy = inputs.playbackPolicy ?? (kind === "Content" ? ["public"] : null);
    return JSON.stringify([source, policy, inputs.region ?? null, inputs.record ?? false]);
}
