/** What must hold after a run, when a stack has settled, and when it was destroyed. */
import { isDeepStrictEqual } from "node:util";
import type { EngineRun } from "./engine.ts";
import type { Machine } from "./machine.ts";
import type { Place, Sender, ServiceObject, SimulatedService } from "./service.ts";
import { type Declared, identityOf, type Properties, type Saved, type Stack } from "./stack.ts";

export class Checks {
    readonly violations: string[] = [];
    /** Ids of objects that people, or a run that recorded nothing, changed; and that people deleted. */
    readonly changedOutside = new Set<string>();
    readonly deletedOutside = new Set<string>();
    readonly #service: SimulatedService;
    readonly #machine: Machine;
    readonly #stacks: readonly Stack[];

    constructor(service: SimulatedService, machine: Machine, stacks: readonly Stack[]) {
        this.#service = service;
        this.#machine = machine;
        this.#stacks = stacks;
        service.onDelete = (id, place, sender) => this.#judgeDeletion(id, place, sender);
        service.onPost = (marker, place, sender) => this.#judgeCreate(marker, place, sender);
        service.onMade = (object, sender) => this.#noteIdentity(object, sender);
    }

    get failed(): boolean {
        return this.violations.length > 0;
    }

    violated(what: string): void {
        this.violations.push(what);
    }

    /** After any run, however it ended. `refreshed` are the ids that a refresh has read. */
    afterRun(stack: Stack, refreshed: ReadonlySet<string>): void {
        this.violations.push(...this.#service.harm.splice(0));
        if (this.#service.ours("elsewhere").length > 0) this.violated("something was created in another environment");
        const left = new Set(stack.saved.map(({ id }) => id));
        for (const object of this.#service.ours("here")) {
            if (refreshed.has(object.id) && !left.has(object.id))
                this.violated(`the refresh dropped ${describe(object)}`);
        }
        this.#nothingOfOthers();
    }

    /** The provider was told in a run that ended by itself that it has created these: the engine has them (L4, N1). */
    nothingForgotten(engine: EngineRun, created: readonly string[]): void {
        const there = this.#service.ours("here").filter(({ id }) => created.includes(id));
        for (const object of there) {
            if (!engine.state.some(({ id }) => id === object.id))
                this.violated(`${describe(object)} was created, and the run ended without its id`);
        }
    }

    /** What a preview called known became so (N3). */
    asPreviewed(engine: EngineRun, promised: ReadonlyMap<string, Properties>): void {
        for (const [urn, outputs] of promised) {
            const saved = engine.state.find((one) => one.urn === urn && !one.pendingDelete);
            // The ids that a ContentReadiness waits for may still change with its contents.
            if (saved === undefined || saved.kind === "ContentReadiness" || !engine.updated.has(urn)) continue;
            for (const [name, value] of Object.entries(outputs)) {
                if (!isDeepStrictEqual(saved.outputs[name], value))
                    this.violated(`the preview of ${urn} said another ${name} than the update`);
            }
        }
    }

    /** No stack has what another stack made. */
    #nothingOfOthers(): void {
        for (const stack of this.#stacks) {
            for (const { id, kind } of stack.saved) {
                const owner = this.#service.owner({ place: "here", id });
                // What was adopted has no marker: any program may declare its importId.
                const isMade = kind !== "ContentReadiness" && owner !== undefined && !this.#service.imported.has(id);
                if (isMade && owner !== stack)
                    this.violated(`${stack.folder} ${stack.name} has ${id}, which another stack made`);
            }
        }
    }

    /** A provider deletes an object: only what the engine wants deleted, or what no state has and nothing wants. */
    #judgeDeletion(id: string, place: Place, { stack, engine, identities }: Sender): void {
        if (this.#service.owner({ place, id }) !== stack && !this.#service.imported.has(id))
            this.violated(`a stack deleted ${id}, which another stack made`);
        if (engine?.deletes.has(id)) {
            const recorded = engine.state.filter((saved) => saved.id === id);
            if (!engine.destroys && recorded.length > 1 && !recorded.every(({ pendingDelete }) => pendingDelete))
                this.violated(`${id} was deleted as the old object of a replacement, and is the new one`);
            // A kill may keep the engine from recording it.
            this.deletedOutside.add(id);
            return;
        }
        // What a replacement has left to be deleted may go in any way.
        const isKept = (saved: Saved) => saved.id === id && !saved.pendingDelete;
        if (this.#stacks.some(({ saved }) => saved.some(isKept)) || engine?.state.some(isKept)) {
            this.violated(`${id} was deleted, which the state has`);
            return;
        }
        const made = this.#made.get(id);
        const wanted = identities.get(nameIn(made?.owner));
        if (made === undefined || made.identity !== wanted) return;
        // The state has one, even if somebody has deleted it.
        const { owner } = made;
        const isRecorded = ({ urn, pendingDelete }: Saved) => !pendingDelete && urn.endsWith(`::${nameIn(owner)}`);
        if (engine?.state.some(isRecorded)) return;
        const twin = this.#service.ours("here").some((other) => other.id !== id && ownerOf(other) === made.owner);
        if (!twin) this.violated(`${id} was deleted, although its resource wants it as it is`);
    }

    /** A provider sends a create: not while the last one's object is there, which this resource wants and nobody has. */
    #judgeCreate(marker: string | undefined, place: Place, { stack, engine, identities }: Sender): void {
        const owner = ownerIn(marker);
        const [lastId, last] = [...this.#made].findLast(([, made]) => made.owner === owner) ?? [];
        const object = this.#objectsOf(stack).find(({ id }) => id === lastId);
        if (place !== "here" || object === undefined || markerOf(object) === marker) return;
        if (last?.identity === undefined) return;
        // The program wants another one: this one is left for the next update to delete, also if the program goes back.
        last.isLeft ||= last.identity !== identities.get(nameIn(owner));
        if (last.isLeft) return;
        const has = ({ id }: Saved) => id === lastId;
        if (engine?.state.some(has) || this.#stacks.some(({ saved }) => saved.some(has))) return;
        // Whoever deletes the journal is on his own.
        if (this.#entryOf(object) === undefined) return;
        // It is the second object of an ambiguous create, whose first one is being replaced: the entry is still about it.
        const isFirst = ({ id }: Saved) => this.#service.sharingMarker(object.id).includes(id);
        if (engine?.state.some(isFirst)) return;
        this.violated(`a second ${owner} is created beside ${describe(object)}`);
    }

    /** What each object was made for and as. */
    readonly #made = new Map<string, { owner: string; identity: string | undefined; isLeft?: boolean }>();

    #noteIdentity(object: ServiceObject, { identities }: Sender): void {
        const owner = ownerOf(object) ?? "";
        this.#made.set(object.id, { owner, identity: identities.get(nameIn(owner)) });
    }

    /**
     * Each object of a stack is in its state, once. One exception: a resource or a stack that gets another name while a
     * create of it is pending is another resource. The engine tells a dynamic provider nothing of the old name, so the
     * object is left to `npx pulumi-videograph orphans`, as long as the journal still has its entry.
     */
    nothingUnowned(stack: Stack, everSaid: readonly string[]): void {
        const ids = stack.saved.filter(({ kind }) => kind !== "ContentReadiness").map(({ id }) => id);
        for (const id of new Set(ids)) {
            const owners = ids.filter((one) => one === id).length;
            if (owners > 1) this.violated(`${id} has ${owners} owners`);
        }
        for (const object of this.#objectsOf(stack)) {
            if (ids.includes(object.id) || this.#isOfOldName(object, stack)) continue;
            // A killed process that passes for alive makes a destroy look like the end of a replacement.
            if (wasKept(object, everSaid)) continue;
            // Or like a create that is under way.
            if (this.#machine.mistakesProcesses && this.#entryOf(object) !== undefined) continue;
            this.violated(`${describe(object)} is unowned`);
        }
    }

    #isOfOldName(object: ServiceObject, stack: Stack): boolean {
        const owner = ownerOf(object);
        const isDeclared = stack.all.some(({ name }) => owner === `sim/${stack.name}/${name}`);
        return !isDeclared && this.#entryOf(object) !== undefined;
    }

    /** The text of the journal's entry for an object. */
    #entryOf(object: ServiceObject): string | undefined {
        const marker = markerOf(object);
        return marker === undefined ? undefined : this.#machine.disk.fileWith(marker);
    }

    #objectsOf(stack: Stack): ServiceObject[] {
        return this.#service.ours("here").filter((object) => this.#service.owner(object) === stack);
    }

    /** Everything is there as declared. Before a refresh nobody knows what people have changed. */
    everythingAsDeclared(stack: Stack, when: "beforeRefresh" | "afterRefresh", said: readonly string[]): void {
        for (const declared of stack.program) {
            const saved = stack.saved.filter(({ urn }) => urn === stack.urnOf(declared));
            const [only] = saved;
            if (only === undefined || saved.length !== 1) {
                this.violated(`${declared.name} has ${saved.length} places in the state`);
                continue;
            }
            if (declared.kind === "ContentReadiness") continue;
            const object = this.#service.objects("here").find(({ id }) => id === only.id);
            if (object === undefined) {
                if (when === "beforeRefresh" && this.deletedOutside.has(only.id)) continue;
                this.violated(`the object ${only.id} of ${declared.name} is not there`);
                continue;
            }
            if (when === "beforeRefresh" && this.changedOutside.has(object.id)) continue;
            this.#asDeclared(declared, object, only.outputs.status);
            this.#hasItsSubtitles(declared, object, said);
        }
    }

    /**
     * No refresh shows them. So where a run was killed that sent some, nobody knows what the service has, nor after a lost
     * answer, of what is not declared any more; then a row must have said so.
     */
    #hasItsSubtitles({ name, kind, inputs }: Declared, object: ServiceObject, said: readonly string[]): void {
        if (kind !== "Content" || this.changedOutside.has(object.id)) return;
        const declared = (inputs.subtitle ?? []) as { url: string; languageCode: string }[];
        const there = new Map((object.subtitle ?? []).map(({ language_code, url }) => [language_code, url]));
        for (const { url, languageCode } of declared) {
            if (there.get(languageCode) !== url)
                this.violated(`${describe(object)} of ${name} has not its subtitle ${languageCode}`);
            there.delete(languageCode);
        }
        for (const code of there.keys()) {
            if (!said.some((line) => line.includes(`may have added subtitle "${code}" to Content ${object.id}`)))
                this.violated(`${describe(object)} of ${name} has the subtitle ${code}, and nothing says so`);
        }
    }

    #asDeclared(declared: Declared, object: ServiceObject, status: unknown): void {
        const { title, description, tags, metadata, waitForReady, sourceVersion } = declared.inputs;
        const wrong: string[] = [];
        // What people, or a run that recorded nothing, have changed shows only where the service shows the field.
        const mayDiffer = this.changedOutside.has(object.id);
        const isUnseen = (name: string) => mayDiffer && this.#service.hides(object.kind, name);
        if (!isUnseen("title") && collapsed(object.title) !== collapsed(title)) wrong.push("title");
        if (description !== undefined && object.description !== description && !isUnseen("description"))
            wrong.push("description");
        if (tags !== undefined && String(object.tags) !== String(tags) && !isUnseen("tags")) wrong.push("tags");
        const pairs = new Map(object.metadata.map(({ key, value }) => [key, value]));
        for (const [key, value] of Object.entries(metadata ?? {})) if (pairs.get(key) !== value) wrong.push("metadata");
        const [identity] = this.#made.get(object.id)?.identity?.split("\n") ?? [];
        if (declared.inputs.importId === undefined && identity !== undefined && identity !== identityOf(declared)) {
            wrong.push(sourceVersion === undefined ? "create-only inputs" : "sourceVersion");
        }
        if (wrong.length > 0) this.violated(`${describe(object)} of ${declared.name} has not its ${wrong.join(", ")}`);
        if (declared.kind === "Content" && waitForReady !== false && status !== "Ready")
            this.violated(`${describe(object)} is recorded as ${status}`);
    }

    /**
     * After a destroy without failures nothing of the stack is left, with one exception: of a create that was interrupted
     * before the state had its resource, the engine never tells a dynamic provider. Its journal entry must still be there,
     * so that `npx pulumi-videograph orphans` finds its object, and a provider process that runs must say so. It cannot where
     * the engine was answered and lost the checkpoint (as far as a provider knows, the state may have it), nor after `stack rename`
     * or `state move` (a delete shows the old name), nor while another process passes for the one that was interrupted.
     */
    destroyed(
        stack: Stack,
        run: { recorded: ReadonlySet<string>; called: boolean; said: readonly string[]; everSaid: readonly string[] },
    ): void {
        for (const object of this.#objectsOf(stack)) {
            // What was to be imported and never was stays as it is.
            if (this.#service.imported.has(object.id) && !run.recorded.has(object.id)) continue;
            const entry = this.#entryOf(object);
            // A provider that outlives its engine looks like one of this run, and what it resumed like a replacement's.
            if (wasKept(object, run.everSaid)) continue;
            if (entry === undefined) {
                this.violated(`${describe(object)} survives the destroy`);
                continue;
            }
            const isUnknown =
                entry.includes('"answered":true') || stack.showsOldNames || this.#machine.mistakesProcesses;
            const mayBeSilent = !run.called || isUnknown;
            if (mayBeSilent || this.#isOfOldName(object, stack)) continue;
            if (!run.said.some((line) => /orphans/.test(line)))
                this.violated(`${describe(object)} survives the destroy, and nothing says so`);
        }
    }
}

/** Whether a row said that a delete left it alone. */
function wasKept({ id }: ServiceObject, said: readonly string[]): boolean {
    return said.some((line) => line.startsWith(`${id} was kept`));
}

/** The name in a marker's `<project>/<stack>/<name>`. */
function nameIn(owner: string | undefined): string {
    return owner?.split("/").at(-1) ?? "";
}

/** The marker in an object's metadata. */
function markerOf({ metadata }: ServiceObject): string | undefined {
    return metadata.find(({ key }) => key === "managed_by")?.value;
}

/** `<project>/<stack>/<name>` of a marker. */
function ownerOf(object: ServiceObject): string | undefined {
    return ownerIn(markerOf(object));
}

function ownerIn(marker: string | undefined): string | undefined {
    return marker?.replace(/^pulumi:/, "").replace(/:[0-9a-f]{12}$/, "");
}

/** Titles as the service may show them. */
function collapsed(title: unknown): string {
    return String(title).trim().replace(/\s+/g, " ");
}

export function describe(object: ServiceObject): string {
    return `${object.kind} ${object.id} (${markerOf(object) ?? "no marker"})`;
}
