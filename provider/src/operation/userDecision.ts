/** `VIDEOGRAPH_UNRECORDED`: the user's decision, for one run, about objects that the state does not have. */
import { isSameId } from "../api";
import { type Message, messages } from "../messages";

export class UserDecision {
    /** The ids of objects that resources of this run may adopt. */
    readonly adoptedIds: readonly string[];
    /** Whether every object is left alone, and each resource gets a new one. */
    readonly leavesAll: boolean;
    readonly problems: readonly Message[];
    readonly #left: readonly string[];

    /** `<id>` adopts, `-<id>` leaves alone, `create` stands alone. */
    constructor(text = "") {
        const words = text.trim() === "" ? [] : text.split(",").map((word) => word.trim());
        this.leavesAll = words.length === 1 && words[0] === "create";
        this.adoptedIds = this.leavesAll ? [] : words.filter((word) => !word.startsWith("-"));
        this.#left = words.flatMap((word) => (word.startsWith("-") ? word.slice(1) : []));
        const ids = [...this.adoptedIds, ...this.#left];
        const isWrong = ids.some(
            (id, index) => /^(create|-.*|)$/.test(id) || ids.findIndex((one) => isSameId(one, id)) < index,
        );
        this.problems = isWrong ? [messages.unrecordedInvalid()] : [];
    }

    mayAdopt(id: string): boolean {
        return this.adoptedIds.some((one) => isSameId(one, id));
    }

    leaves(id: string): boolean {
        return this.leavesAll || this.#left.some((one) => isSameId(one, id));
    }
}
