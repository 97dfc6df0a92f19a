/** The review as a page. */
import { escapeHtml, pageOf, posterHtml, rowHtml, type Section } from "../page";
import { headings } from "./markdown";
import type { Note } from "./plan";
import { type Review, summaryOf } from "./review";
import { type Group, groupOf, groups, type Row } from "./row";
import { type Difference, lengthWords } from "./words";

/** Where viewers lose something, or may. */
const bad: readonly Group[] = ["deleted", "replaced", "unknown"];

export function pageOfReview(review: Review): string {
    const { errors, rows, notes, project, stack } = review;
    const title = stack === "" ? "Review of the videos" : `Review of ${project}/${stack}`;
    if (errors.length > 0) {
        const all = errors.map((error) => `<li><div><pre>${escapeHtml(error)}</pre></div></li>\n`);
        const summary = ["The preview failed: nothing can be said about its changes."];
        return pageOf({ title, summary, sections: [{ id: "errors", heading: "Errors", isBad: true, rows: all }] });
    }
    const byGroup = Map.groupBy(rows, groupOf);
    const noted = new Set<string>();
    const rowWithNotes = (row: Row) => {
        const own = noted.has(row.urn) ? [] : (notes.get(row.urn) ?? []);
        noted.add(row.urn);
        return reviewRow(row, own);
    };
    const sections = groups.map((group): Section => {
        const all = byGroup.get(group) ?? [];
        return { id: group, heading: headings[group], isBad: bad.includes(group), rows: all.map(rowWithNotes) };
    });
    return pageOf({ title, summary: summaryOf(review), sections, end: endOf(review, noted) });
}

/** What belongs to no row. */
function endOf({ waits, others, notes }: Review, noted: ReadonlySet<string>): string {
    const left = [...notes].flatMap(([urn, all]) => (noted.has(urn) ? [] : all.map(({ text }) => text)));
    const lines = [...waits, ...left].map((line) => `<p class="quiet">${escapeHtml(line)}</p>\n`);
    const folds = Object.entries(others).map(([operation, names]) => {
        const list = names.map((name) => `<p>${escapeHtml(name)}</p>`).join("");
        return `<details class="other"><summary>Also ${escapeHtml(operation)}: ${names.length}</summary>${list}</details>\n`;
    });
    return [...lines, ...folds].join("");
}

function reviewRow(row: Row, notes: readonly Note[]): string {
    const { action, kind, name, library, title, lengthMs, poster, differences, facts, url } = row;
    const place = library === undefined ? name : `${library}/${name}`;
    const length = lengthMs === undefined ? "" : ` · ${escapeHtml(lengthWords(lengthMs))}`;
    const picture = poster === "signed" ? undefined : poster;
    const ends =
        url?.state === "ends"
            ? [`<span class="ends"><b>This URL ends:</b> <code>${escapeHtml(url.address)}</code></span>`]
            : [];
    const stays = url?.state === "stays" && action !== "changed" ? ["The URL stays."] : [];
    const lines = [
        ...differences.map(differenceHtml),
        ...ends,
        ...[...facts, ...stays].map(escapeHtml),
        ...notes.map(({ text }) => `<span class="quiet">${escapeHtml(text)}</span>`),
    ];
    const quiet = `${kind}${title === undefined ? "" : ` <code>${escapeHtml(place)}</code>`}${length}`;
    return rowHtml(posterHtml(picture, posterWord(row)), title ?? place, quiet, lines);
}

/** What stands in place of a picture. */
function posterWord({ action, kind, poster }: Row): string {
    if (kind === "ContentLibrary") return "Library";
    if (poster === "signed") return "Signed";
    if (kind === "Livestream") return "Live";
    return action === "new" ? "New" : "";
}

function differenceHtml({ name, from, to }: Difference): string {
    const [old, now] = [from, to].map((text) => (text === undefined ? undefined : escapeHtml(text)));
    const label = escapeHtml(name);
    if (old === undefined) return `${label}: + <ins>${now}</ins>`;
    if (now === undefined) return `${label}: − <del>${old}</del>`;
    return old === now ? `${label}: ${old}, which may differ` : `${label}: <del>${old}</del> → <ins>${now}</ins>`;
}
