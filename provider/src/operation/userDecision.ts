/** `VIDEOGRAPH_UNRECORDED`: the user's decision, for one run, about objects that the state does not have. */
import { isSameId } from "../api";
import { resourceUrn } from "../evidence/library";
import { digestOfResource } from "../evidence/marker";
import { LifecycleError, type Message, messages } from "../messages";
import { kindIn, parseUrn } from "../urn";

/** A word for all objects of a resource begins so. */
const all = "all:";

export class UserDecision {
    /** The ids of objects that resources of this run may adopt. */
    readonly adoptedIds: readonly string[];
    readonly problems: readonly Message[];
    /** Whether every object is left alone, and each resource gets a new one. */
    readonly #leavesAll: boolean;
    readonly #leftIds: readonly string[];
    /** The resources for which everything is adopted, or left alone. */
    readonly #adopting: readonly string[];
    readonly #leaving: readonly string[];
    readonly #reads = new Map<string, Promise<unknown>>();

    /** `<id>` and `all:<resource>` adopt, `-<id>` and `-all:<resource>` leave alone, `create` stands alone. */
    constructor(text = "") {
        const words = text.trim() === "" ? [] : text.split(",").map((word) => word.trim());
        this.#leavesAll = words.length === 1 && words[0] === "create";
        const listed = this.#leavesAll ? [] : words;
        const adopted = listed.filter((word) => !word.startsWith("-"));
        const left = listed.flatMap((word) => (word.startsWith("-") ? word.slice(1) : []));
        const isWord = (word: string) => /^(all:.+|(?!(create|all)$)[^-:][^:]*)$/.test(word);
        const isWrong = [...adopted, ...left].some(
            (word, index, before) => !isWord(word) || before.findIndex((one) => isSameId(one, word)) < index,
        );
        this.problems = isWrong ? [messages.unrecordedInvalid()] : [];
        [this.adoptedIds, this.#adopting] = byForm(adopted);
        [this.#leftIds, this.#leaving] = byForm(left);
    }

    /** Whether this object is named, by its id. */
    names(id: string): boolean {
        return isAmong(this.adoptedIds, id);
    }

    /** Whether the resource, or the entry of a library, adopts what it would refuse otherwise. */
    adoptsAll(urn: string | undefined): boolean {
        return isResourceAmong(this.#adopting, urn);
    }

    mayAdopt(id: string, urn: string | undefined): boolean {
        return this.names(id) || (this.adoptsAll(urn) && !isAmong(this.#leftIds, id));
    }

    leaves(id: string, urn: string | undefined): boolean {
        if (this.#leavesAll || isAmong(this.#leftIds, id)) return true;
        return isResourceAmong(this.#leaving, urn) && !this.names(id);
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

/** A refusal that the user may answer. `ids`: the objects that may be meant. */
export class RefusedObject extends LifecycleError {
    constructor(
        message: Message,
        readonly ids: readonly string[],
    ) {
        super(message);
    }
}

/** The resource as a word of the user names it, the library for its entries. A name that a shell or the list would take apart is not used. */
export function resourceWord(urn: string | undefined): string {
    const { name, digest } = resourceIn(urn);
    return all + (/^[\w.-]{1,100}$/.test(name) ? name : digest);
}

function resourceIn(urn = "") {
    const resource = resourceUrn(urn);
    return { name: parseUrn(resource)?.name ?? "", digest: digestOfResource(resource, kindIn(resource)) };
}

function byForm(words: readonly string[]): [ids: string[], resources: string[]] {
    const isResource = (word: string) => word.startsWith(all);
    const resources = words.filter(isResource).map((word) => word.slice(all.length));
    return [words.filter((word) => !isResource(word)), resources];
}

function isAmong(ids: readonly string[], id: string): boolean {
    return ids.some((one) => isSameId(one, id));
}

function isResourceAmong(resources: readonly string[], urn: string | undefined): boolean {
    if (resources.length === 0) return false;
    const { name, digest } = resourceIn(urn);
    return resources.includes(name) || resources.includes(digest);
}
