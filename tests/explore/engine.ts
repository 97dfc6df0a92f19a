/** A run of `pulumi up`, as far as creates can tell: what the engine calls, in which order, and what it writes when. */
import { signatureKey } from "../../provider/dist/session/secretValues.js";
import { type How, Killed, Provider } from "./provider.ts";
import type { Kind, Properties, Row, Stack, World } from "./world.ts";
import { copy, idOf, idsOf, isHeld, isOpen, key, keys, markerOf, namesIn } from "./world.ts";

export interface Ran extends Pick<Provider, "points" | "requests" | "violations"> {
    world: World;
    /** A create refused to decide. */
    isRefused: boolean;
    /** It ended in order, with every resource as declared. */
    isGood: boolean;
    error: string;
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
    const provider = new Provider(world, stack, how);
    const { violations } = provider;
    const run = new Run(provider);
    const ran = (isGood: boolean, error: string): Ran => {
        provider.save(JSON.stringify(stack.rows) !== JSON.stringify(before.rows));
        const ids = stack.rows.flatMap(idsOf);
        if (new Set(ids).size < ids.length) violations.push("S1 two resources have one object");
        // It has sent its own without a look at what the state names.
        if (how.unreadable && provider.sent.length > 0)
            for (const nonce of world.objects.map((one) => markerOf(one).slice(-12)))
                if (!provider.sent.includes(nonce)) world.lost[nonce] ||= "state unreadable";
        const { points, requests } = provider;
        const isRefused = error.includes("VIDEOGRAPH_UNRECORDED");
        return { world, points, requests, violations, isGood, isRefused, error };
    };
    try {
        await run.all();
        stack.birth ??= new Date(world.now).toISOString();
        const done = ran(true, "");
        if (Object.keys(how.faults).length === 0) violations.push(...second(world, stack, how));
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
        const isKilled = (error instanceof Killed && error.who === "both") || provider.interrupted;
        // Nothing is written before the end.
        if (isKilled && how.skip) Object.assign(stack, before);
        if (isKilled) return ran(false, "killed");
        stack.operations.splice(before.operations.length);
        if (!(error instanceof Killed)) stack.refusal = String((error as Error).message);
        world.said.push(...namesIn(stack.refusal));
        return ran(false, String((error as Error).message));
    }
}

/** After a run without faults: recorded objects that are gone, and those that no state has and that nobody was told of. */
function second(world: World, stack: Stack, how: How): string[] {
    const ids = world.objects.map(idOf);
    const isGone = stack.rows.flatMap(idsOf).some((id) => !ids.includes(id));
    const gone = isGone ? ["S1 a recorded object is gone"] : [];
    const others = world.objects.flatMap((object) => {
        const id = idOf(object);
        if (isHeld(world, id) || world.owners[id] !== stack.uid || world.said.includes(id)) return [];
        const nonce = markerOf(object).slice(-12);
        if (world.said.some((name) => nonce.startsWith(name))) return [];
        // By its journal this machine goes on with it whenever it is asked for.
        const isHere = isOpen(world, how.machine, nonce);
        const why = [world.lost[nonce], world.cleared && "operations cleared", isHere && "in this journal"];
        return [["S2 a second object", why.filter(Boolean).join(", ")].filter(Boolean).join(": ")];
    });
    return [...gone, ...others];
}

class Run {
    readonly #provider: Provider;
    readonly #stack: Stack;
    readonly #how: How;
    /** The create under way is to replace an object. */
    isReplacing = false;
    /** A library changes. */
    isUpdating = false;

    constructor(provider: Provider) {
        this.#provider = provider;
        this.#stack = provider.stack;
        this.#how = provider.how;
    }

    async all(): Promise<void> {
        if (this.#how.refresh) await this.#refresh();
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
        const stack = this.#stack;
        const undeclared = stack.rows.filter((row) => !(key(row) in stack.program));
        stack.olds.push(...undeclared);
        stack.rows = stack.rows.filter((row) => !undeclared.includes(row));
        for (const old of [...stack.olds]) {
            if (stack.rows.some((row) => row.id === old.id))
                this.#provider.violations.push("S1 the engine deletes a recorded object");
            await this.#call(() => this.#provider.point("the engine deletes an old object") as Promise<unknown>);
            await this.#call(() => this.#provider.adapters[old.kind].delete(old.id, handed(old.outputs)));
            stack.olds = stack.olds.filter((row) => row !== old);
        }
    }

    async #refresh(): Promise<void> {
        const stack = this.#stack;
        for (const row of [...stack.rows, ...stack.olds]) {
            const adapter = this.#provider.adapters[row.kind];
            const { id = "", props } = await this.#call(() => adapter.read(row.id, handed(row.outputs)));
            Object.assign(row, { id, outputs: props });
        }
        stack.rows = stack.rows.filter(({ id }) => id !== "");
        stack.olds = stack.olds.filter(({ id }) => id !== "");
    }

    async #step(resource: { kind: Kind; name: string }, source: string): Promise<void> {
        const stack = this.#stack;
        const adapter = this.#provider.adapters[resource.kind];
        const old = stack.rows.find((row) => key(row) === key(resource));
        const check = async (olds: Properties): Promise<Properties> => {
            const news = this.#inputs(resource, source);
            const { inputs, failures } = await this.#call(() => adapter.check(copy(olds), news));
            if (failures?.length) throw new Error(failures.map(({ reason }) => reason).join());
            return inputs;
        };
        const inputs = await check(old?.inputs ?? {});
        if (old === undefined) return this.#create(resource, inputs);
        // The engine does not ask what a `--replace` changes, and checks the inputs of a replacement as those of a new object.
        if (this.#how.replace) return this.#create(resource, await check({}), old);
        const diff = () => adapter.diff(old.id, handed(old.outputs), copy(inputs));
        const { changes, replaces = [] } = await this.#call(diff);
        if (replaces.length > 0 && stack.protect) throw new Error("protected");
        if (replaces.length > 0) return this.#create(resource, await check({}), old);
        if (changes ?? JSON.stringify(old.inputs) !== JSON.stringify(inputs)) await this.#update(old, inputs);
    }

    async #update(row: Row, inputs: Properties): Promise<void> {
        const stack = this.#stack;
        const provider = this.#provider;
        const { kind, name, id, outputs } = row;
        const operation = { kind, name, inputs, isUpdate: true };
        this.isUpdating = kind === "ContentLibrary";
        if (kind === "ContentLibrary" && !this.#how.skip) stack.operations.push(operation);
        const update = () => provider.adapters[kind].update(id, handed(outputs), copy(inputs));
        try {
            const { outs } = await this.#call(update);
            await this.#call(() => provider.point("the engine has the answer") as Promise<unknown>);
            if (provider.interrupted) throw new Error("the answer is thrown away");
            Object.assign(row, { inputs, outputs: outs });
        } catch (error) {
            if (!provider.interrupted && isPartial(error)) row.outputs = error.properties;
            throw error;
        }
        stack.operations = stack.operations.filter((one) => one !== operation);
    }

    async #create(resource: { kind: Kind; name: string }, inputs: Properties, old?: Row): Promise<void> {
        const stack = this.#stack;
        const provider = this.#provider;
        const operation = { ...resource, inputs };
        this.isUpdating = false;
        this.isReplacing = old !== undefined && !old.id.startsWith("unconfirmed-");
        if (!this.#how.skip) stack.operations.push(operation);
        await this.#call(() => provider.point("the engine calls create") as Promise<unknown>);
        const record = (id: string, outputs: Properties) => {
            if (old !== undefined) stack.olds.push(old);
            stack.rows = [...stack.rows.filter((row) => row !== old), { ...resource, id, inputs, outputs }];
        };
        const made = await this.#call(() => provider.adapters[resource.kind].create(copy(inputs))).catch((error) => {
            const isForgotten = this.#how.defect === "W1" && isPartial(error) && error.id.startsWith("unconfirmed-");
            if (!provider.interrupted && isPartial(error) && !isForgotten) record(error.id, error.properties);
            throw error;
        });
        await this.#call(() => provider.point("the engine has the answer") as Promise<unknown>);
        if (provider.interrupted) throw new Error("the answer is thrown away");
        record(made.id, made.outs as Properties);
        stack.operations = stack.operations.filter((one) => one !== operation);
    }

    #call<T>(body: () => Promise<T>): Promise<T> {
        return this.#provider.call(body);
    }

    #inputs({ kind, name }: { kind: Kind; name: string }, source: string): Properties {
        const { stack, project } = this.#stack;
        const hidden = {
            __provider: "constant",
            __urn: `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/videograph:Content::${name}`,
            __attempt: "new",
        };
        const [, importId] = /^import (.*)$/.exec(source) ?? [];
        if (importId !== undefined) return { title: name, importId, waitForReady: false, ...hidden };
        const content = [{ url: `https://media.test/${source}.mp4` }];
        if (kind === "ContentLibrary") {
            const lines = keys.map((key) => JSON.stringify({ key, title: key, content }));
            return { catalogue: lines.join("\n"), ...hidden };
        }
        if (kind === "Livestream") return { title: name, region: source, ...hidden };
        return { title: name, content, waitForReady: false, ...hidden };
    }
}

/** The engine keeps what a failed operation has done. */
function isPartial(error: unknown): error is { id: string; properties: Properties } {
    return error instanceof Error && "id" in error && "properties" in error;
}

/** Recorded outputs as the engine hands them over: without the marks of secrets. */
function handed(outputs: Properties): Properties {
    return JSON.parse(JSON.stringify(outputs), (_, part) => (part?.[signatureKey] === undefined ? part : part.value));
}
