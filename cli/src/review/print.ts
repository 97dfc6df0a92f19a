/** The review on the terminal: a table of text. */
import { quoted, type Style, type Terminal } from "../terminal";
import { type Review, summaryOf } from "./review";
import type { Action, Row } from "./row";
import { type Difference, lengthWords } from "./words";

/** What each action is called. */
export const actionWords: Readonly<Record<Action, string>> = {
    deleted: "deleted",
    replaced: "replaced",
    unknown: "unknown",
    inDoubt: "in doubt",
    kept: "kept",
    changed: "changed",
    new: "new",
    adopted: "adopted",
};

const styles: Readonly<Record<Action, Style>> = {
    deleted: "red",
    replaced: "red",
    unknown: "red",
    inDoubt: "yellow",
    kept: "yellow",
    changed: "yellow",
    new: "green",
    adopted: "green",
};

/** The most rows on a terminal. */
const maxRows = 200;

export function printReview(review: Review, terminal: Terminal): void {
    const { errors, rows, waits, others, notes, project, stack } = review;
    for (const error of errors) terminal.error(error);
    if (errors.length > 0) return;
    if (stack !== "") terminal.print(`${project}/${stack}: ${summaryOf(review).join(" ")}`);
    else terminal.print(summaryOf(review).join(" "));
    const width = Math.max(...rows.map(({ action }) => actionWords[action].length), 0) + 2;
    const noted = new Set<string>();
    for (const row of rows.slice(0, maxRows)) {
        const word = terminal.style(styles[row.action], actionWords[row.action].padEnd(width));
        terminal.print(`${word}${headOf(row)}`);
        const lines = linesOf(row);
        if (!noted.has(row.urn)) lines.push(...(notes.get(row.urn) ?? []).map(({ text }) => text));
        noted.add(row.urn);
        for (const line of lines) terminal.print(" ".repeat(width) + line);
    }
    if (rows.length > maxRows) terminal.print(`and ${rows.length - maxRows} more: --html and --json have them.`);
    for (const line of waits) terminal.print(line);
    for (const [operation, names] of Object.entries(others)) terminal.print(`Also ${operation}: ${names.join(", ")}.`);
    for (const { text } of [...notes].flatMap(([urn, all]) => (noted.has(urn) ? [] : all))) terminal.print(text);
}

function headOf({ kind, name, library, title, lengthMs }: Row): string {
    const place = library === undefined ? name : `${library}/${name}`;
    const length = lengthMs === undefined ? "" : `, ${lengthWords(lengthMs)}`;
    return `${kind} ${place}${title === undefined ? "" : ` ${quoted(title)}`}${length}`;
}

/** What the row says, in words. */
export function linesOf({ differences, facts, url }: Row): string[] {
    return [...differences.map(differenceLine), ...facts, ...urlLines(url)];
}

export function urlLines(url: Row["url"]): string[] {
    if (url === undefined) return [];
    return url.state === "ends" ? [`This URL ends: ${url.address}`] : ["The URL stays."];
}

function differenceLine({ name, from, to }: Difference): string {
    if (from === undefined) return `${name}: + ${to}`;
    if (to === undefined) return `${name}: − ${from}`;
    return from === to ? `${name}: ${from}, which may differ` : `${name}: ${from} → ${to}`;
}
