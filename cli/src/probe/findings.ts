/** The verdicts of a probe: which form of each assumption the account has shown. */
import { type Assumption, type AssumptionName, adviceOn, assumptions } from "./assumptions";

export type Verdict = "confirmed" | "contradicted" | "notShown";

/** Switches of the emulator, by name: with them it behaves as the service did. */
export type Variants = Readonly<Record<string, unknown>>;

export interface Finding extends Pick<Assumption, "id" | "expects" | "endangers"> {
    readonly name: AssumptionName;
    readonly verdict: Verdict;
    /** Never a value that may be a secret. */
    readonly seen: string;
    readonly variants?: Variants | undefined;
    readonly advice?: string;
}

export class Findings {
    readonly #found = new Map<AssumptionName, Pick<Finding, "verdict" | "seen" | "variants">>();

    /**
     * @param form - one of the known forms, or whether the assumption holds
     * @param seen - the form in words
     * @param variants - the emulator's switches for it, if the known forms do not include it
     */
    saw(name: AssumptionName, form: unknown, seen?: string, variants?: Variants): void {
        const { variant, forms } = assumptions[name];
        const holds = form === forms[0];
        const isKnown = variant !== undefined && !holds && forms.includes(form);
        this.#found.set(name, {
            verdict: holds ? "confirmed" : "contradicted",
            seen: seen ?? (typeof form !== "boolean" ? String(form) : holds ? "as expected" : "the opposite"),
            variants: isKnown ? { [variant]: form } : variants,
        });
    }

    /** Why the account did not show it. */
    notShown(seen: string, ...names: AssumptionName[]): void {
        for (const name of names) this.#found.set(name, { verdict: "notShown", seen });
    }

    /** One for each assumption, in their order. */
    all(): Finding[] {
        return (Object.keys(assumptions) as AssumptionName[]).map((name) => {
            const { id, expects, endangers } = assumptions[name];
            const found = this.#found.get(name) ?? { verdict: "notShown", seen: "not reached" };
            if (found.verdict !== "contradicted") return { name, id, expects, endangers: [], ...found };
            return { name, id, expects, endangers, ...found, advice: adviceOn(name) };
        });
    }
}
