/** The report of `probe`. */
import { version } from "#provider/session/pluginSource";
import type { Shell } from "../shell";
import type { Style } from "../terminal";
import { type Assumption, type AssumptionName, assumptions, type Variants } from "./assumptions";
import type { Seen } from "./service";

export type Verdict = "confirmed" | "contradicted" | "notShown";

export interface Finding extends Pick<Assumption, "id" | "expects" | "endangers"> {
    readonly name: AssumptionName;
    readonly verdict: Verdict;
    readonly seen: string;
    readonly variants?: Variants | undefined;
    readonly advice?: string;
}

/**
 * The report, which `videograph-emulator --contract <file>` reads too.
 * @param problem - why the probe ended early
 * @param left - objects that could not be deleted, each in a sentence
 */
export function reportOf(findings: readonly Finding[], problem: string | undefined, left: readonly string[]) {
    /** The emulator's switches. */
    const variants: Variants = Object.assign({}, ...findings.map((finding) => finding.variants));
    return { version: 1, tool: `pulumi-videograph ${version}`, problem, findings, variants, left };
}

/** @param isPartial - whether the probe left out a kind of object, so that rows without an answer say nothing */
export function findingsOf(seen: Seen, isPartial: boolean): Finding[] {
    const rows = Object.entries(assumptions) as [AssumptionName, Assumption][];
    return rows.flatMap(([name, { id, expects, endangers, variant, forms = [true], ...row }]): Finding[] => {
        const about = { name, id, expects, endangers };
        const answer = seen[row.request];
        if (answer === undefined) return isPartial ? [] : [{ ...about, verdict: "notShown", seen: "not reached" }];
        const shown = row.form(answer, seen);
        const { form, variants } = typeof shown === "object" ? shown : { form: shown };
        if (form === undefined)
            return [{ ...about, verdict: "notShown", seen: `the answer (HTTP ${answer.status}) does not show it` }];
        if (form === forms[0]) return [{ ...about, verdict: "confirmed", seen: "as expected", variants }];
        return [
            {
                ...about,
                verdict: "contradicted",
                advice: adviceOn(endangers),
                seen: typeof form === "boolean" ? "the opposite" : String(form),
                variants: variant !== undefined && forms.includes(form) ? { [variant]: form } : variants,
            },
        ];
    });
}

/** The advice for an assumption that does not hold. */
export function adviceOn(endangers: readonly string[]): string {
    if (endangers.length === 0) return "Nothing to do: the package accepts this form too.";
    const report = 'Report it with this file, by the project\'s issue template "Contract".';
    // Without the marker a create whose answer was lost cannot be found again.
    return endangers.includes("S9") ? `Do not use the package with this account. ${report}` : report;
}

const styles: Record<Verdict, Style> = { confirmed: "green", contradicted: "red", notShown: "dim" };
const wordOf = (verdict: Verdict) => (verdict === "notShown" ? "not shown" : verdict);

export function printReport({ terminal }: Shell, report: ReturnType<typeof reportOf>, file: string): void {
    const { findings, variants, left, problem } = report;
    for (const { id, expects, verdict, seen, endangers, advice = "" } of findings) {
        const word = terminal.style(styles[verdict], wordOf(verdict).padEnd(12));
        terminal.print(`${id}  ${word}  ${expects}${verdict === "confirmed" ? "" : `: ${seen}`}`);
        if (verdict !== "contradicted") continue;
        terminal.print(`       ${endangers.length === 0 ? "" : `Endangers ${endangers.join(", ")}. `}${advice}`);
    }
    const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
    const counts = `${count("confirmed")} confirmed, ${count("contradicted")} contradicted, ${count("notShown")} not shown`;
    terminal.print(`\n${counts}. The report is in ${file}.`);
    if (Object.keys(variants).length > 0)
        terminal.print(`npx videograph-emulator --contract ${file} behaves as this account did.`);
    for (const sentence of left) terminal.warn(sentence);
    if (problem !== undefined) terminal.error(`The probe ended early: ${problem}`);
}
