/**
 * `VIDEOGRAPH_UNRECORDED`: what the user has decided, for one run, about objects on the service that the state does not have. A create refuses such an
 * object with a message that names it, and this variable is the answer.
 */
import { isSameId } from "../api";
import { resourceUrn } from "../evidence/library";
import { digestOfResource } from "../evidence/marker";
import { LifecycleError, type Message, messages, replacements } from "../messages";
import { kindIn, parseUrn } from "../urn";

/** The beginning of a word that stands for all objects of one resource, such as `all:films`. */
const all = "all:";

export class UserDecision {
    readonly problems: readonly Message[];
    /** Whether no object is adopted, and each resource gets a new object. */
    readonly #leavesAll: boolean;
    /** The words whose objects are adopted, and the words whose objects stay as they are. A word is an id, or `all:` and a resource. */
    readonly #adopted: readonly string[];
    readonly #left: readonly string[];
    readonly #reads = new Map<string, Promise<unknown>>();

    /**
     * The words: `<id>` and `all:<resource>` adopt; `-<id>` and `-all:<resource>` leave the object as it is, and the resource gets another one.
     * `create` stands alone, and leaves all objects as they are.
     */
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

    /** The ids that the user has named for adoption. */
    get adoptedIds(): readonly string[] {
        return this.#adopted.filter((word) => !word.startsWith(all));
    }

    /** Whether the user has named this id for adoption. */
    names(id: string): boolean {
        return isAmong(this.#adopted, id);
    }

    /** Whether the user has said that this resource, or the library of this entry, adopts all objects that were made for it. */
    adoptsAll(urn: string): boolean {
        return isResourceAmong(this.#adopted, urn);
    }

    /**
     * Whether the user has named a resource that is not among `declared`. Another provider process serves that resource, and may be adopting any
     * object now.
     */
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

    /** Reads an object that the user has named. Each create of the run asks for each of these objects: it is read once for all creates. */
    readOnce<T>(kind: string, id: string, read: () => Promise<T>): Promise<T> {
        const key = `${kind} ${id}`;
        const reading = this.#reads.get(key) ?? read();
        this.#reads.set(key, reading);
        reading.catch(() => this.#reads.delete(key));
        return reading as Promise<T>;
    }
}

/** A refusal that the user may answer by `VIDEOGRAPH_UNRECORDED`. `ids`: the objects in question; `mayLeave`: a create may also leave them as they are. */
export class RefusedObject extends LifecycleError {
    constructor(
        message: Message,
        readonly ids: readonly string[],
        readonly mayLeave = false,
    ) {
        super(message);
    }
}

/** What a user does to replace the object of this resource, or of this entry of a library. */
export function replacementOf(urn: string): string {
    if (resourceUrn(urn) !== urn) return replacements.ofEntry;
    return replacements.ofResource(isPasted(urn) ? urn : "<urn>");
}

/**
 * The command that takes a resource out of the state, and leaves the object. An entry of a library is no resource of the state: for an entry, the
 * command names the library.
 */
export function removalOf(urn: string): string {
    const resource = resourceUrn(urn);
    const command = isPasted(resource) ? `\`pulumi state delete '${resource}'\`` : "`pulumi state delete` with its URN";
    return resource === urn ? command : `${command} (of the library, and so of all its contents)`;
}

/** The longest URN that a command shows: in a longer line nobody would see where the command ends. */
const maxPasted = 175;

/** Whether a command with this URN in single quotes works when it is pasted into a shell. */
function isPasted(urn: string): boolean {
    return urn.length <= maxPasted && !/['!]/.test(urn);
}

/**
 * The word by which the user names all objects of the resource, or of the library of this entry. A digest stands for a name with a space or a comma: a
 * shell, or the list of words, would take that name apart.
 */
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
