/** The review on the terminal: a table of text. */
import { quoted, type Style, type Terminal } from "../terminal";
import { type Review, summaryOf } from "./review";
import { type Action, endingsOf, type Row } from "./row";
import { type Difference, lengthWords } from "./words";

/** The word in the table for each action. */
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
    const { errors, rows, waits, others, unplaced, project, stack } = review;
    for (const error of errors) terminal.error(error);
    if (errors.length > 0) return;
    if (stack !== "") terminal.print(`${project}/${stack}: ${summaryOf(review).join(" ")}`);
    else terminal.print(summaryOf(review).join(" "));
    const width = Math.max(...rows.map(({ action }) => actionWords[action].length), 0) + 2;
    for (const row of rows.slice(0, maxRows)) {
        const word = terminal.style(styles[row.action], actionWords[row.action].padEnd(width));
        terminal.print(`${word}${headOf(row)}`);
        for (const line of linesOf(row)) terminal.print(" ".repeat(width) + line);
    }
    if (rows.length > maxRows) terminal.print(`and ${rows.length - maxRows} more: --html and --json have them.`);
    for (const line of waits) terminal.print(line);
    for (const [operation, names] of Object.entries(others)) terminal.print(`Also ${operation}: ${names.join(", ")}.`);
    for (const text of unplaced) terminal.print(text);
}

function headOf({ kind, name, library, title, lengthMs }: Row): string {
    const place = library === undefined ? name : `${library}/${name}`;
    const length = lengthMs === undefined ? "" : `, ${lengthWords(lengthMs)}`;
    return `${kind} ${place}${title === undefined ? "" : ` ${quoted(title)}`}${length}`;
}

/** What the row says, in words. */
function linesOf(row: Row): string[] {
    const { differences, facts, url, notes = [] } = row;
    return [
        ...differences.map(differenceLine),
        ...facts,
        ...endingsOf(row).map(({ label, says, address, command }) =>
            [label, says, address, command && `\`${command}\``].filter(Boolean).join(" "),
        ),
        ...(url?.state === "stays" ? ["The URL stays."] : []),
        ...notes,
    ];
}

function differenceLine({ name, from, to }: Difference): string {
    if (from === undefined) return `${name}: + ${to}`;
    if (to === undefined) return `${name}: − ${from}`;
    return from === to ? `${name}: ${from}, which may differ` : `${name}: ${from} → ${to}`;
}
