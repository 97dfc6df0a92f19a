/** `VIDEOGRAPH_UNRECORDED`: the user's decision, for one run, about objects that the state does not have. */
import { isSameId } from "../api";
import { resourceUrn } from "../evidence/library";
import { digestOfResource } from "../evidence/marker";
import { LifecycleError, type Message, messages, replacements } from "../messages";
import { kindIn, parseUrn } from "../urn";

/** A word for all objects of a resource begins so. */
const all = "all:";

export class UserDecision {
    readonly problems: readonly Message[];
    /** Whether every object is left alone, and each resource gets a new one. */
    readonly #leavesAll: boolean;
    /** The words that adopt, and those that leave alone: an object's id, or a resource with `all:` before it. */
    readonly #adopted: readonly string[];
    readonly #left: readonly string[];
    readonly #reads = new Map<string, Promise<unknown>>();

    /** `<id>` and `all:<resource>` adopt, `-<id>` and `-all:<resource>` leave alone, `create` stands alone. */
    constructor(text = "") {
        this.#leavesAll = text.trim() === "create";
        const words = this.#leavesAll || text.trim() === "" ? [] : text.split(",").map((word) => word.trim());
        this.#adopted = words.filter((word) => !word.startsWith("-"));
        this.#left = words.flatMap((word) => (word.startsWith("-") ? word.slice(1) : []));
        const named = [...this.#adopted, ...this.#left];
        const isWord = (word: string) => /^(all:.+|(?!(create|all)$)[^-:][^:]*)$/.test(word);
        const isWrong = named.some((word, index) => !isWord(word) || isAmong(named.slice(0, index), word));
        this.problems = isWrong ? [messages.unrecordedInvalid()] : [];
    }

    /** The ids of objects that resources of this run may adopt. */
    get adoptedIds(): readonly string[] {
        return this.#adopted.filter((word) => !word.startsWith(all));
    }

    /** Whether this object is named, by its id. */
    names(id: string): boolean {
        return isAmong(this.#adopted, id);
    }

    /** Whether the resource, or the entry of a library, adopts what it would refuse otherwise. */
    adoptsAll(urn: string): boolean {
        return isResourceAmong(this.#adopted, urn);
    }

    /** Whether a word is for a resource that is none of these: another provider's, whose objects are not known here. */
    adoptsElsewhere(declared: readonly string[]): boolean {
        const words = this.#adopted.filter((word) => word.startsWith(all));
        return words.some((word) => !declared.some((urn) => isResourceAmong([word], urn)));
    }

    mayAdopt(id: string, urn: string): boolean {
        return this.names(id) || (this.adoptsAll(urn) && !isAmong(this.#left, id));
    }

    leaves(id: string, urn: string): boolean {
        if (this.#leavesAll || isAmong(this.#left, id)) return true;
        return isResourceAmong(this.#left, urn) && !this.names(id);
    }

    /** What the service shows of an object that is named: read once for all creates of the run, each of which asks for each. */
    readOnce<T>(kind: string, id: string, read: () => Promise<T>): Promise<T> {
        const key = `${kind} ${id}`;
        const reading = this.#reads.get(key) ?? read();
        this.#reads.set(key, reading);
        reading.catch(() => this.#reads.delete(key));
        return reading as Promise<T>;
    }
}

/** A refusal that the user may answer. `ids`: the objects that may be meant; `mayLeave`: they may also be left alone. */
export class RefusedObject extends LifecycleError {
    constructor(
        message: Message,
        readonly ids: readonly string[],
        readonly mayLeave = false,
    ) {
        super(message);
    }
}

/** The way to another object in the place of the resource's, or of that of a library's entry. */
export function replacementOf(urn: string): string {
    if (resourceUrn(urn) !== urn) return replacements.ofEntry;
    return replacements.ofResource(isPasted(urn) ? urn : "<urn>");
}

/** The command that removes a record alone. An entry of a library has none of its own: a command with its URN would fail. */
export function removalOf(urn: string): string {
    const resource = resourceUrn(urn);
    const command = isPasted(resource) ? `\`pulumi state delete '${resource}'\`` : "`pulumi state delete` with its URN";
    return resource === urn ? command : `${command} (of the library, and so of all its contents)`;
}

/** A longer URN makes no line for people. */
const maxPasted = 175;

/** Whether a person can paste a command with the URN: no shell takes it apart. */
function isPasted(urn: string): boolean {
    return urn.length <= maxPasted && !/['!]/.test(urn);
}

/** The resource as a word of the user names it, the library for its entries. A name that a shell or the list would take apart is not used. */
export function resourceWord(urn: string): string {
    const { name, digest } = resourceIn(urn);
    return all + (/^[\w.-]{1,100}$/.test(name) ? name : digest);
}

function resourceIn(urn: string) {
    const resource = resourceUrn(urn);
    return { name: parseUrn(resource)?.name ?? "", digest: digestOfResource(resource, kindIn(resource)) };
}

function isAmong(words: readonly string[], id: string): boolean {
    return words.some((word) => isSameId(word, id));
}

function isResourceAmong(words: readonly string[], urn: string): boolean {
    if (!words.some((word) => word.startsWith(all))) return false;
    const { name, digest } = resourceIn(urn);
    return words.includes(all + name) || words.includes(all + digest);
}
