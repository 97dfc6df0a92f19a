/** A page of videos as one file: no script, and nothing is loaded but pictures. The emulator's page is made of the same pieces. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of more bytes would take a browser seconds. */
const maxLength = 4_900_000;

export interface Section {
    readonly id: string;
    readonly heading: string;
    /** Whether the section tells of losses for viewers: it is marked then. */
    readonly isBad?: boolean;
    /** The rows, each HTML. */
    readonly rows: readonly string[];
}

interface Page {
    readonly title: string;
    /** The sentences below the title. */
    readonly summary: readonly string[];
    readonly sections: readonly Section[];
    /** HTML after the sections. */
    readonly end?: string;
}

/** The styles that only this page has, beside those of the shared pieces. */
const ownStyle = `
header p { margin-block: 0.3rem; }
header p:first-of-type { font-weight: 600; }
nav a { display: inline-block; padding-block: 0.6rem; margin-inline-end: 1rem; }
.poster { width: 112px; height: 63px; color: var(--quiet); }
.rows > li { padding-block: 0.5rem; contain-intrinsic-block-size: auto 64px; }
.bad .rows { border-inline-start: 4px solid var(--bad); }
section.bad, section.bad h2 + * { color: inherit; }
.bad > h2, .ends b { color: var(--bad); }
.says { font-size: 0.87rem; margin-block-start: 0.25rem; list-style: none; }
.says code, dd code { font-size: 0.95em; }
del, ins { text-decoration: none; padding-inline: 0.2rem; border-radius: 0.2rem; background: var(--ground); }
del { text-decoration: line-through; color: var(--quiet); }
details.other { margin-block: 0.8rem; font-size: 0.87rem; }
@media (width < 45rem) { .poster { width: 64px; height: 36px; } }
@media print {
    .rows > li { content-visibility: visible; break-inside: avoid; }
    nav { display: none; }
}
`;

export function pageOf({ title, summary, sections, end = "" }: Page): string {
    const pieces = readFileSync(join(__dirname, "pieces.css"), "utf8").replace(/\/\*[\s\S]*?\*\/\n?/g, "");
    const shown = sections.filter(({ rows }) => rows.length > 0);
    const links = shown.map(
        ({ id, heading, rows }) =>
            `<a href="#${id}">${escapeHtml(heading.split(":", 1).join())} ${numberText(rows.length)}</a>`,
    );
    const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
${pieces}${ownStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
${summary.map((sentence) => `<p>${escapeHtml(sentence)}</p>\n`).join("")}${links.length > 1 ? `<nav>${links.join(" ")}</nav>\n` : ""}</header>
<main>
`;
    return `${head}${sectionsHtml(shown, maxLength - Buffer.byteLength(head + end))}${end}</main>\n</body>\n</html>\n`;
}

/** The sections as HTML. What does not fit is left out row by row, never in the middle of one. */
function sectionsHtml(sections: readonly Section[], room: number): string {
    const total = sections.reduce((sum, { rows }) => sum + rows.length, 0);
    let text = "";
    let shown = 0;
    let size = 0;
    for (const { id, heading, isBad, rows } of sections) {
        text += `<section id="${id}"${isBad ? ' class="bad"' : ""}>\n<h2>${escapeHtml(heading)} <span class="quiet">${numberText(rows.length)}</span></h2>\n<ul class="rows">\n`;
        for (const row of rows) {
            size += Buffer.byteLength(row);
            if (size + 300 * sections.length > room)
                return `${text}</ul>\n</section>\n<p><b>and ${numberText(total - shown)} more</b></p>\n`;
            text += row;
            shown++;
        }
        text += "</ul>\n</section>\n";
    }
    return text;
}

/** A row: a picture beside a title, a line in a quiet colour, and sentences. `lines`: the sentences as HTML. */
export function rowHtml(poster: string, title: string, quiet: string, lines: readonly string[]): string {
    const says = lines.length === 0 ? "" : `<ul class="says">${lines.map((line) => `<li>${line}</li>`).join("")}</ul>`;
    return `<li>${poster}<div><h3 dir="auto">${escapeHtml(title)}</h3><p class="facts">${quiet}</p>${says}</div></li>\n`;
}

/** The picture of a video; `word` where there is none. */
export function posterHtml(address: string | undefined, word: string): string {
    if (address === undefined) return `<div class="poster">${escapeHtml(word)}</div>`;
    return `<div class="poster"><img src="${escapeHtml(address)}" alt="" loading="lazy"></div>`;
}

const escapes: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
};

export function escapeHtml(text: string): string {
    return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

function numberText(number: number): string {
    return number.toLocaleString("en-US");
}
