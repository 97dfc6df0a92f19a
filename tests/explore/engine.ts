/** A run of `pulumi up`, as far as creates can tell: what the engine calls, in which order, and what it writes when. */
import { recordedEntriesOf } from "../../provider/dist/evidence/library.js";
import { metaOf } from "../../provider/dist/inputs/recordedMeta.js";
import { type How, Killed, Provider } from "./provider.ts";
import type { Kind, Properties, Row, Stack, World } from "./world.ts";
import { copy, entriesOf, idOf, idsOf, isHeld, isOpen, key, markerOf, namesIn, titleOf, urnOf } from "./world.ts";

export interface Ran extends Pick<Provider, "points" | "requests" | "violations"> {
    world: World;
    /** A create refused to decide. */
    isRefused: boolean;
    /** It ended in order, with every resource as declared. */
    isGood: boolean;
    error: string;
    /** The lines that stay. */
    said: string;
}

export async function up(from: World, how: How): Promise<Ran> {
    const world = copy(from);
    world.left.runs--;
    world.left.faults -= Object.keys(how.faults).length;
    const stack = world.stacks[how.stack] as Stack;
    // The engine keeps creates that have not ended, and no updates.
    stack.operations = stack.operations.filter(({ isUpdate }) => !isUpdate);
    const before = copy(stack);
    if (!how.skip)
        stack.birth ??= new Date(world.now).toISOString().replace("Z", `${String(world.processes).padStart(6, "0")}Z`);
    stack.refusal = "";
    // An entry says that an earlier create has sent nothing: no object is looked for.
    if (entriesOf(world.disks[how.machine] ?? {}).some(({ marker }) => marker === undefined))
        for (const object of world.objects.filter((one) => world.forgotten.includes(idOf(one))))
            world.lost[markerOf(object).slice(-12)] ||= "nothing was sent";
    const provider = new Provider(world, stack, how);
    const { violations } = provider;
    const run = new Run(provider);
    const ran = (isGood: boolean, error: string): Ran => {
        provider.save(JSON.stringify(stack.rows) !== JSON.stringify(before.rows));
        // The engine deletes what the other face has after all creates.
        const ids = stack.rows.filter((row) => row.face === stack.face || isGood).flatMap(idsOf);
        if (new Set(ids).size < ids.length) violations.push("S1 two resources have one object");
        // It has sent its own without a look at what the state names, and no list has shown the object.
        if (provider.isUnread && provider.sent.length > 0)
            for (const nonce of provider.concealed()) world.lost[nonce] ||= "state unreadable";
        const isSaid = provider.said.some((line) => line.includes("[VG3038]"));
        if (isGood && provider.isUnread && !how.skip && !isSaid) violations.push("L a silent witness is not said");
        violations.push(...wrongWords(world, [stack, before], provider.said.join(" ") + error));
        const { points, requests } = provider;
        const isRefused = error.includes("VIDEOGRAPH_UNRECORDED");
        return { world, points, requests, violations, isGood, isRefused, error, said: provider.said.join(" ") };
    };
    try {
        await run.all();
        stack.birth ??= new Date(world.now).toISOString();
        const done = ran(true, "");
        if (Object.keys(how.faults).length > 0) return done;
        violations.push(...(how.destroy ? leftBehind(world, stack, before) : second(world, stack, how)));
        return done;
    } catch (error) {
        const faults = Object.values(how.faults);
        const isAlone = error instanceof Killed && error.who === "provider";
        const why = [
            isAlone && "its provider died alone",
            how.skip && "no checkpoints",
            run.isReplacing && "a replacement",
            // The engine drops it, and no list shows yet what it has made.
            run.isUpdating && faults.some(({ fate }) => fate === "hidden" || fate === "late") && "an update",
            how.word && "the user's answer",
        ];
        for (const nonce of provider.sent) {
            // Its answer had left for the engine.
            const isAnswered = !isOpen(world, how.machine, nonce);
            const named = isAnswered && "only the pending operation names it";
            world.lost[nonce] ??= [...why, named].filter(Boolean).join(", ");
        }
        world.edited = [...new Set([...world.edited, ...provider.changed])];
        const isKilled = (error instanceof Killed && error.who === "both") || provider.interrupted;
        // Nothing is written before the end.
        if (isKilled && how.skip) Object.assign(stack, before);
        if (isKilled) return ran(false, "killed");
        stack.operations.splice(before.operations.length);
        if (!(error instanceof Killed)) stack.refusal = String((error as Error).message);
        // A refusal that the user has not answered is no answer: the next run must not go on without one.
        if (!stack.refusal.includes("VIDEOGRAPH_UNRECORDED")) world.said.push(...namesIn(stack.refusal));
        return ran(false, String((error as Error).message));
    }
}

const changedHands = /\b(?:Content|Livestream) ([0-9a-f-]{36}) [^[]*\[VG(?:6009|6010)\]/g;

/** What is said of an object and is not so. */
function wrongWords(world: World, [stack, before]: [Stack, Stack], text: string): string[] {
    const dying = Object.entries(world.stale).flatMap(([id, one]) =>
        one.isDeleted && one.until > world.now ? [id] : [],
    );
    const isRefusal = text.includes("VIDEOGRAPH_UNRECORDED");
    const declared = Object.values(stack.program).join();
    const isNamed = isRefusal && dying.some((id) => text.includes(id) && !declared.includes(id));
    // The object has the marker that the state records for it.
    const rows = [...before.rows, ...before.olds];
    const recorded = rows.flatMap(marksOf).map((mark) => mark.slice(-12));
    // Where two rows have it, one of them has adopted it.
    const isOwn = (id: string) =>
        rows.filter((row) => idsOf(row).includes(id)).length === 1 &&
        world.objects.some((one) => idOf(one) === id && recorded.includes(markerOf(one).slice(-12)));
    const isWrong = [...text.matchAll(changedHands)].some(([, id = ""]) => isOwn(id));
    return [
        ...(isNamed ? ["L a refusal names an object that is being deleted"] : []),
        ...(isWrong ? ["L its own object is said to be another's"] : []),
    ];
}

const marksOf = ({ outputs }: Row): string[] =>
    [outputs.__meta, ...recordedEntriesOf(outputs).map(([, , meta]) => meta)].flatMap(
        (one) => metaOf({ __meta: one }).mark ?? [],
    );

/** After a destroy that has ended well: recorded objects that nothing manages now. */
function leftBehind(world: World, stack: Stack, before: Stack): string[] {
    const ids = [...before.rows, ...before.olds].flatMap(idsOf);
    const isLeft = (id: string) => ids.includes(id) && world.owners[id] === stack.uid && !isHeld(world, id);
    return world.objects.map(idOf).some(isLeft) ? ["S2 a destroy leaves a recorded object"] : [];
}

/** Recorded objects that are not as the program declares them, although the run has ended well. */
function different(world: World, stack: Stack): string[] {
    const titles = stack.rows.flatMap((row): [string, string][] => {
        if (row.kind !== "ContentLibrary") return [[row.id, titleOf(stack, row.name)]];
        return recordedEntriesOf(row.outputs).map(([key, id]) => [id, titleOf(stack, key)]);
    });
    const isOther = ([id, title]: [string, string]) => {
        const object = world.objects.find((one) => idOf(one) === id);
        return (
            object !== undefined && (object.title !== title || !stack.tags.every((tag) => object.tags.includes(tag)))
        );
    };
    const others = world.stacks.filter((one) => one !== stack);
    const isOwn = (id: string) => world.owners[id] === stack.uid && !isHeld({ stacks: others }, id);
    const own = titles.filter(([id]) => !world.edited.includes(id) && isOwn(id));
    return own.some(isOther) ? ["L an object is not as declared"] : [];
}

/** After a run without faults: recorded objects that are gone, and those that no state has and that nobody was told of. */
function second(world: World, stack: Stack, how: How): string[] {
    const ids = world.objects.map(idOf);
    const isGone = (id: string) => !ids.includes(id) && !world.edited.includes(id);
    // Another stack has deleted it that could not see what this one had done.
    const isUnseen = (id: string) => world.stale[id] !== undefined && world.stale[id].by !== stack.uid;
    const gone = stack.rows
        .flatMap(idsOf)
        .filter(isGone)
        .map((id) => `S1 a recorded object is gone${isUnseen(id) ? ", and the replica is behind" : ""}`);
    const seconds = world.objects.flatMap((object) => {
        const id = idOf(object);
        const isOwn = world.owners[id] === stack.uid || (stack.uid === 0 && world.forgotten.includes(id));
        if (isHeld(world, id) || !isOwn || world.said.includes(id)) return [];
        const nonce = markerOf(object).slice(-12);
        if (world.said.some((name) => nonce.startsWith(name))) return [];
        // By its journal this machine goes on with it whenever it is asked for.
        const isHere = isOpen(world, how.machine, nonce);
        const [, entry] = /%2F(\w+):/.exec(markerOf(object)) ?? [];
        const isAsked = entry === undefined || stack.keys.includes(entry);
        // The library has an object for the key, of the source that is declared again.
        const source = world.sources[nonce];
        const isUndone = entry !== undefined && source !== undefined && !Object.values(stack.program).includes(source);
        const why = [
            ...[world.lost[nonce], !isAsked && "not declared any more", isUndone && "a change that was undone"],
            ...[world.cleared && "operations cleared", isHere && "in this journal"],
        ];
        return [["S2 a second object", why.filter(Boolean).join(", ")].filter(Boolean).join(": ")];
    });
    return [...gone, ...seconds, ...different(world, stack)];
}

class Run {
    readonly #provider: Provider;
    readonly #stack: Stack;
    readonly #how: How;
    /** The create under way is to replace an object. */
    isReplacing = false;
    /** A library changes. */
    isUpdating = false;
    /** The rows that the program declares. */
    readonly #declared = new Set<Row>();

    constructor(provider: Provider) {
        this.#provider = provider;
        this.#stack = provider.stack;
        this.#how = provider.how;
    }

    async all(): Promise<void> {
        if (this.#how.refresh) await this.#refresh();
        const stack = this.#stack;
        if (this.#how.destroy) {
            stack.olds.push(...stack.rows.splice(0));
            await this.#deleteOlds();
            stack.birth = null;
            return;
        }
        const errors: unknown[] = [];
        for (const [declared, source] of Object.entries(this.#stack.program)) {
            const [kind, name] = declared.split("/") as [Kind, string];
            // Where one fails, the engine ends what it does at the same time.
            await this.#step({ kind, name }, source).catch((error) => {
                if (error instanceof Killed || this.#provider.interrupted) throw error;
                errors.push(error);
            });
        }
        if (errors.length > 0) throw errors[0];
        const undeclared = stack.rows.filter((row) => !this.#declared.has(row));
        stack.olds.push(...undeclared);
        stack.rows = stack.rows.filter((row) => !undeclared.includes(row));
        await this.#deleteOlds();
    }

    async #deleteOlds(): Promise<void> {
        const stack = this.#stack;
        for (const old of [...stack.olds]) {
            // What the other face has it deletes after its object was adopted, and the provider keeps it.
            if (stack.rows.some((row) => row.id === old.id && row.face === old.face))
                this.#provider.violations.push("S1 the engine deletes a recorded object");
            await this.#call(() => this.#provider.point("the engine deletes an old object") as Promise<unknown>);
            await this.#call(() => this.#provider.of(old).delete(urnOf(stack, old), old));
            stack.olds = stack.olds.filter((row) => row !== old);
        }
    }

    async #refresh(): Promise<void> {
        const stack = this.#stack;
        for (const row of [...stack.rows, ...stack.olds]) {
            Object.assign(row, await this.#call(() => this.#provider.of(row).read(urnOf(stack, row), row)));
        }
        stack.rows = stack.rows.filter(({ id }) => id !== "");
        stack.olds = stack.olds.filter(({ id }) => id !== "");
    }

    async #step(named: { kind: Kind; name: string }, source: string): Promise<void> {
        const stack = this.#stack;
        const resource = { ...named, face: stack.face };
        const [face, urn] = [this.#provider.of(resource), urnOf(stack, resource)];
        // The native types have the dynamic ones as aliases.
        const isOld = (row: Row) => key(row) === key(resource) && (row.face === stack.face || stack.face === "native");
        const old = stack.rows.find(isOld);
        if (old !== undefined) this.#declared.add(old);
        const check = async (olds: Properties): Promise<Properties> => {
            const news = this.#inputs(resource, source);
            const { inputs, failures } = await this.#call(() => face.check(urn, olds, news));
            if (failures.length > 0) throw new Error(failures.join());
            return inputs;
        };
        const inputs = await check(old?.inputs ?? {});
        if (old === undefined) return this.#create(resource, inputs);
        // The engine does not ask what a `--replace` changes, and checks the inputs of a replacement as those of a new object.
        if (this.#how.replace) return this.#create(resource, await check({}), old);
        const { isChanged, isReplaced } = await this.#call(() => face.diff(urn, old, inputs));
        if (isReplaced && stack.protect) throw new Error("protected");
        if (isReplaced) return this.#create(resource, await check({}), old);
        if (isChanged) return this.#update(old, inputs);
        // The outputs stay.
        Object.assign(old, { face: stack.face, inputs });
    }

    async #update(row: Row, inputs: Properties): Promise<void> {
        const stack = this.#stack;
        const provider = this.#provider;
        const { kind, name } = row;
        const { face } = stack;
        const operation = { face, kind, name, inputs, isUpdate: true };
        this.isUpdating = kind === "ContentLibrary";
        if (kind === "ContentLibrary" && !this.#how.skip) stack.operations.push(operation);
        const update = () => provider.of(operation).update(urnOf(stack, operation), row, inputs);
        try {
            const outputs = await this.#call(update);
            await this.#call(() => provider.point("the engine has the answer") as Promise<unknown>);
            if (provider.interrupted) throw new Error("the answer is thrown away");
            Object.assign(row, { face, inputs, outputs });
        } catch (error) {
            if (!provider.interrupted && isPartial(error)) Object.assign(row, { face, outputs: error.properties });
            throw error;
        }
        stack.operations = stack.operations.filter((one) => one !== operation);
    }

    async #create(resource: Pick<Row, "face" | "kind" | "name">, inputs: Properties, old?: Row): Promise<void> {
        const stack = this.#stack;
        const provider = this.#provider;
        const operation = { ...resource, inputs };
        this.isUpdating = false;
        this.isReplacing = old !== undefined && !old.id.startsWith("unconfirmed-");
        if (!this.#how.skip) stack.operations.push(operation);
        await this.#call(() => provider.point("the engine calls create") as Promise<unknown>);
        const record = (id: string, outputs: Properties) => {
            if (old !== undefined) stack.olds.push(old);
            const row = { ...resource, id, inputs, outputs };
            stack.rows = [...stack.rows.filter((row) => row !== old), row];
            this.#declared.add(row);
        };
        const create = () => provider.of(resource).create(urnOf(stack, resource), inputs);
        const made = await this.#call(create).catch((error) => {
            const isForgotten = this.#how.defect === "W1" && isPartial(error) && error.id.startsWith("unconfirmed-");
            if (!provider.interrupted && isPartial(error) && !isForgotten) record(error.id, error.properties);
            throw error;
        });
        await this.#call(() => provider.point("the engine has the answer") as Promise<unknown>);
        if (provider.interrupted) throw new Error("the answer is thrown away");
        record(made.id, made.outputs);
        stack.operations = stack.operations.filter((one) => one !== operation);
    }

    #call<T>(body: () => Promise<T>): Promise<T> {
        return this.#provider.call(body);
    }

    #inputs(resource: Pick<Row, "face" | "kind" | "name">, source: string): Properties {
        const stack = this.#stack;
        const { face, kind, name } = resource;
        const dynamic = { __provider: "constant", __urn: urnOf(stack, resource) };
        const hidden = { ...(face === "dynamic" && dynamic), __attempt: "new" };
        const described = (name: string) => ({
            title: titleOf(stack, name),
            ...(stack.tags.length > 0 && { tags: stack.tags }),
        });
        const [, importId] = /^import (.*)$/.exec(source) ?? [];
        const content = [{ url: `https://media.test/${importId === undefined ? source : "a"}.mp4` }];
        // `import <key>=<id>,…`: the entries that a library adopts.
        const adoptedOf = (name: string) =>
            importId
                ?.split(",")
                .find((one) => one.startsWith(`${name}=`))
                ?.split("=")[1];
        const sourceOf = (name: string) => (adoptedOf(name) ? { importId: adoptedOf(name) } : { content });
        // A native program has no `importId`.
        const adopted = { ...(face === "dynamic" && { importId }), waitForReady: false };
        if (importId !== undefined && kind !== "ContentLibrary") return { ...described(name), ...adopted, ...hidden };
        if (kind === "ContentLibrary") {
            const lines = stack.keys.map((key) => JSON.stringify({ key, ...described(key), ...sourceOf(key) }));
            return { catalogue: lines.join("\n"), ...hidden };
        }
        if (kind === "Livestream") return { ...described(name), region: source, ...hidden };
        return { ...described(name), content, waitForReady: false, ...hidden };
    }
}

/** The engine keeps what a failed operation has done. */
function isPartial(error: unknown): error is { id: string; properties: Properties } {
    return error instanceof Error && "id" in error && "properties" in error;
}
