/** What the probe has found out: a verdict for each assumption. */
import { type AssumptionName, assumptions } from "./assumptions";
import type { JsonObject } from "./rawService";
import type { Delay } from "./until";

export type Verdict = "confirmed" | "contradicted" | "notShown";

/** Switches of the emulator, by name: with them it behaves as the service did. */
export type Variants = Readonly<Record<string, unknown>>;

export interface Finding {
    readonly id: string;
    readonly name: AssumptionName;
    readonly expects: string;
    readonly verdict: Verdict;
    /** What was seen, in words; never a value that may be a secret. */
    readonly seen: string;
    readonly endangers: readonly string[];
    readonly advice?: string;
    readonly variants?: Variants;
}

export class Findings {
    readonly #found = new Map<AssumptionName, Finding>();

    /** What was seen is what is assumed, or not; `variants` are the emulator's switches for it, where there are any. */
    judge(name: AssumptionName, holds: boolean, seen: string, variants?: Variants): void {
        this.#set(name, holds ? "confirmed" : "contradicted", seen, variants);
    }

    /** A form among several that are known: the first is the assumed one, and `undefined` one that nobody knows. */
    choose(
        name: AssumptionName,
        forms: readonly unknown[],
        form: unknown,
        seen = String(form),
        variant: string = name,
    ): void {
        const isKnown = forms.includes(form);
        this.judge(name, form === forms[0], seen, isKnown && form !== forms[0] ? { [variant]: form } : undefined);
    }

    /** Which key the object has; the first one is assumed. */
    chooseKey(name: AssumptionName, keys: readonly string[], object: JsonObject): string | undefined {
        const key = keys.find((one) => one in object);
        this.choose(name, keys, key, key ?? "neither key");
        return key;
    }

    /** Something that is assumed to be at once; `variant` is the emulator's switch for how late it was. */
    judgeDelay(name: AssumptionName, variant: string, { holds, isLate, afterMs }: Delay, otherwise: string): void {
        const seen = !holds ? otherwise : isLate ? `after ${afterMs} ms` : "at once";
        this.judge(name, holds && !isLate, seen, isLate ? { [variant]: afterMs } : undefined);
    }

    judgeKept(name: AssumptionName, isKept: boolean): void {
        this.judge(name, isKept, isKept ? "kept" : "changed or missing");
    }

    notShown(name: AssumptionName, why: string): void {
        if (!this.#found.has(name)) this.#set(name, "notShown", why);
    }

    /** What was seen later shows that it said nothing. */
    retract(name: AssumptionName, why: string): void {
        this.#set(name, "notShown", why);
    }

    /** In the order of the assumptions. What was never reached is not shown. */
    all(): Finding[] {
        return (Object.keys(assumptions) as AssumptionName[]).map(
            (name) => this.#found.get(name) ?? this.#finding(name, "notShown", "not reached"),
        );
    }

    /** The switches of all findings together. */
    variants(): Variants {
        return Object.assign({}, ...this.all().map(({ variants }) => variants ?? {}));
    }

    #set(name: AssumptionName, verdict: Verdict, seen: string, variants?: Variants): void {
        this.#found.set(name, this.#finding(name, verdict, seen, variants));
    }

    #finding(name: AssumptionName, verdict: Verdict, seen: string, variants?: Variants): Finding {
        const { id, expects, endangers, advice } = assumptions[name];
        const isContradicted = verdict === "contradicted";
        return {
            ...{ id, name, expects, verdict, seen, endangers: isContradicted ? endangers : [] },
            ...(isContradicted && { advice }),
            ...(variants !== undefined && { variants }),
        };
    }
}
