/**
 * The review as Markdown, for the summary of a job or a comment. Texts of users are code: nothing in them is read as Markdown or HTML, and no
 * name in them notifies anyone.
 */
import { type Review, summaryOf } from "./review";
import { type Ending, endingsOf, type Group, groupOf, groups, type Row } from "./row";
import { type Difference, lengthWords } from "./words";

/** The most bytes: GitHub takes 65,536 characters for a comment. */
const maxLength = 60_000;
/** A review with more rows folds the sections in which nothing is lost. */
const foldedFrom = 10;
const foldable: readonly Group[] = ["changed", "new", "adopted"];

/** The headings. A link to a section uses only the words before the colon. */
export const headings: Readonly<Record<Group, string>> = {
    deleted: "Deleted for good, and not replaced",
    replaced: "Replaced: new id, new URL; the old one is deleted for good",
    unknown: "May be deleted or replaced: the plan does not show it",
    inDoubt: "In doubt",
    unknownNew: "May be new: the plan does not show it",
    replacedKept: "Replaced, and the old one kept: new id, new URL; the old URL stays",
    kept: "Kept, no longer managed",
    changed: "Changed in place: the URL stays",
    new: "New",
    adopted: "Adopted",
};

/** The headings of the sections that have no rows. */
export const endHeadings = { waits: "Waits", notes: "Notes of the preview" } as const;

export function markdownOf(review: Review): string {
    const { errors, waits, others, unplaced, project, stack } = review;
    const title = stack === "" ? "## Videos" : `## Videos of ${code(`${project}/${stack}`)}`;
    if (errors.length > 0) {
        const list = errors.map((error) => `- ${code(error)}`).join("\n");
        return cut(
            `${title}\n\n**The preview failed: nothing can be said about its changes.**\n\n${list}\n`,
            maxLength,
        );
    }
    const [numbers = "", ...more] = summaryOf(review);
    const head = `${title}\n\n**${numbers}** ${more.join(" ")}\n`;
    const tail = [
        ...listed(endHeadings.waits, waits),
        ...listed(endHeadings.notes, unplaced),
        ...Object.entries(others).map(([operation, names]) => folded(`Also ${operation}: ${names.length}`, names)),
    ];
    const end = tail.length === 0 ? "" : `\n${cut(tail.join("\n").trim(), maxLength / 10)}\n`;
    return `${head}${sections(review, maxLength - sizeOf(head) - sizeOf(end))}${end}`;
}

/** The sections as Markdown. What does not fit is left out row by row, never in the middle of one. */
function sections({ rows }: Review, room: number): string {
    const byGroup = Map.groupBy(rows, groupOf);
    let text = "";
    let shown = 0;
    let size = 0;
    // Room for the end of a fold, and for the line that says how many rows are left out.
    const reserve = 200;
    for (const group of groups) {
        const all = byGroup.get(group) ?? [];
        const isFolded = foldable.includes(group) && all.length > foldedFrom;
        const heading = `${headings[group]} (${all.length})`;
        const open = isFolded ? `\n<details><summary><b>${heading}</b></summary>\n\n` : `\n### ${heading}\n\n`;
        let part = "";
        for (const row of all) {
            const item = itemOf(row);
            size += sizeOf(item) + (part === "" ? sizeOf(open) + reserve : 0);
            if (size > room) {
                const rest = `${(rows.length - shown).toLocaleString("en-US")} more`;
                return `${text}${part === "" ? "" : open + part + (isFolded ? "\n</details>\n" : "")}\n**and ${rest}**\n`;
            }
            part += item;
            shown++;
        }
        if (all.length > 0) text += open + part + (isFolded ? "\n</details>\n" : "");
    }
    return text;
}

function itemOf(row: Row): string {
    const { kind, name, library, title, lengthMs, poster, differences, facts, notes = [] } = row;
    const place = library === undefined ? name : `${library}/${name}`;
    const picture =
        poster === undefined || poster === "signed" ? "" : `<img src="${attribute(poster)}" alt="" width="96"> `;
    const length = lengthMs === undefined ? "" : `, ${lengthWords(lengthMs)}`;
    const lines = [
        ...differences.map(differenceLine),
        ...endingsOf(row).map(endingLine),
        ...facts.map(escaped),
        ...notes.map(code),
    ];
    const head = title === undefined ? `**${code(place)}**, ${kind}` : `**${code(title)}**, ${kind} ${code(place)}`;
    return `- ${picture}${head}${length}\n${lines.map((line) => `  - ${line}\n`).join("")}`;
}

function listed(heading: string, lines: readonly string[]): string[] {
    return lines.length === 0
        ? []
        : [`### ${heading} (${lines.length})\n`, ...lines.map((line) => `- ${code(line)}`), ""];
}

function endingLine({ label, says, address, command }: Ending): string {
    const codes = [address, command].flatMap((text) => (text === undefined ? [] : [code(text)]));
    return [`**${label}**`, ...(says === undefined ? [] : [escaped(says)]), ...codes].join(" ");
}

function differenceLine({ name, from, to }: Difference): string {
    const label = escaped(name);
    if (from === undefined) return `${label}: + ${code(to ?? "")}`;
    if (to === undefined) return `${label}: − ~~${code(from)}~~`;
    return from === to ? `${label}: ${code(from)}, which may differ` : `${label}: ~~${code(from)}~~ → ${code(to)}`;
}

function folded(summary: string, names: readonly string[]): string {
    return `\n<details><summary>${summary}</summary>\n\n${names.map((name) => `- ${code(name)}\n`).join("")}\n</details>\n`;
}

/** The text as code. The fence has more backticks than any place in the text, which could end the code otherwise. */
export function code(text: string): string {
    const line = text.replace(/\s+/g, " ").trim();
    if (line === "") return "` `";
    const fence = "`".repeat(1 + Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length)));
    const pad = /^`|`$/.test(line) ? " " : "";
    return `${fence}${pad}${line}${pad}${fence}`;
}

/** A sentence of this command, in which users' texts may stand. */
function escaped(text: string): string {
    // `@name` would notify somebody and `#1` would be a link. With a zero-width space inside, they are only text.
    const inert = text.replace(/([@#!~%$])(?=[\w])/g, "$1\u200b");
    return inert.replace(/[\\`*_{}[\]<>()|&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function attribute(text: string): string {
    return text.replace(/[<>&"'`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function cut(text: string, length: number): string {
    return sizeOf(text) <= length ? text : `${text.slice(0, length / 4)}…\n`;
}

function sizeOf(text: string): number {
    return Buffer.byteLength(text);
}
