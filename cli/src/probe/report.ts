/** The plan and the report of `probe`. */
import { counted, quoted, type Shell, type Style } from "../shell";
import { assumptions } from "./assumptions";
import type { Finding, Variants, Verdict } from "./findings";
import type { Wanted } from "./script";

export interface Report {
    readonly version: 1;
    readonly tool: string;
    readonly baseUrl: string;
    readonly startedAt: string;
    readonly requests: number;
    /** Why the probe ended early. */
    readonly problem: string | undefined;
    readonly findings: readonly Finding[];
    /** The emulator's switches: `videograph-emulator --contract <this file>` turns them. */
    readonly variants: Variants;
    /** Objects that could not be deleted, each in a sentence. */
    readonly left: readonly string[];
}

/** The steps of a run with --yes, line by line. */
export function plan({ source, kinds, region }: Wanted): string[] {
    const video = source === undefined ? "the URL that you name with --source" : quoted(new URL(source).origin);
    const content = [
        `  creates one content from ${video} (a test video, of which the service transcodes 10 s at most),`,
        "  reads the list, waits until it is Ready, sets its thumbnail, cuts a clip of one second, changes its description (with --subtitle, its",
        "  subtitles too), and deletes both",
    ];
    const livestream = `  creates one livestream in ${quoted(region)}, to which nothing is broadcast, reads it and the lists, and deletes it`;
    return [
        "Nothing was sent. With --yes, the probe:",
        "  reads one page of contents, the signing keys, and two ids that do not exist; tries wrong credentials once; sends one empty create",
        ...(kinds.includes("contents") ? content : []),
        ...(kinds.includes("livestreams") ? [livestream] : []),
        `About ${kinds.length === 2 ? 65 : 45} requests. Everything that it creates is deleted, also after failures and Ctrl-C. After a kill, delete`,
        'what is titled "pulumi-videograph probe" yourself.',
        `It reports on ${Object.keys(assumptions).length} assumptions, as text and in a file that holds no secrets.`,
    ];
}

const styles: Record<Verdict, Style> = { confirmed: "green", contradicted: "red", notShown: "dim" };
const words: Record<Verdict, string> = { confirmed: "confirmed", contradicted: "contradicted", notShown: "not shown" };

export function printReport(shell: Shell, report: Report, file: string): void {
    const { terminal } = shell;
    for (const finding of report.findings) {
        const { id, expects, verdict, seen, endangers, advice } = finding;
        terminal.print(
            `${id}  ${terminal.style(styles[verdict], words[verdict].padEnd(12))}  ${expects}${verdict === "confirmed" ? "" : `: ${seen}`}`,
        );
        if (verdict !== "contradicted") continue;
        const danger = endangers.length === 0 ? "" : `Endangers ${endangers.join(", ")}. `;
        terminal.print(`       ${danger}${advice ?? ""}`);
    }
    const count = (verdict: Verdict) => report.findings.filter((finding) => finding.verdict === verdict).length;
    terminal.print(
        `\n${count("confirmed")} confirmed, ${count("contradicted")} contradicted, ${count("notShown")} not shown; ${counted(report.requests, "request")}. ` +
            `The report is in ${file}.`,
    );
    if (Object.keys(report.variants).length > 0)
        terminal.print(`npx videograph-emulator --contract ${file} behaves as this account did.`);
    for (const left of report.left) terminal.warn(`${left}`);
    if (report.problem !== undefined) terminal.error(`The probe ended early: ${report.problem}`);
}
