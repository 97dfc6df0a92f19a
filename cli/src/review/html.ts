/** The review as a page. */
import { escapeHtml, pageOf, posterHtml, rowHtml, type Section } from "../page";
import { endHeadings, headings } from "./markdown";
import { type Review, summaryOf } from "./review";
import { type Ending, endingsOf, type Group, groupOf, groups, type Row } from "./row";
import { type Difference, lengthWords } from "./words";

/** The sections about losses for viewers, also possible ones. */
const bad: readonly Group[] = ["deleted", "replaced", "unknown"];

export function pageOfReview(review: Review): string {
    const { errors, rows, waits, unplaced, project, stack } = review;
    const title = stack === "" ? "Review of the videos" : `Review of ${project}/${stack}`;
    if (errors.length > 0) {
        const all = errors.map((error) => `<li><div><pre>${escapeHtml(error)}</pre></div></li>\n`);
        const summary = ["The preview failed: nothing can be said about its changes."];
        return pageOf({ title, summary, sections: [{ id: "errors", heading: "Errors", isBad: true, rows: all }] });
    }
    const byGroup = Map.groupBy(rows, groupOf);
    const sections = groups.map((group): Section => {
        const all = byGroup.get(group) ?? [];
        return { id: group, heading: headings[group], isBad: bad.includes(group), rows: all.map(reviewRow) };
    });
    const ends = { waits, notes: unplaced };
    const lists = (["waits", "notes"] as const).map((id): Section => {
        const rows = ends[id].map((line) => `<li><div class="quiet">${escapeHtml(line)}</div></li>\n`);
        return { id, heading: endHeadings[id], rows };
    });
    return pageOf({ title, summary: summaryOf(review), sections: [...sections, ...lists], end: endOf(review) });
}

/** The resources of other packages, which the review only counts. */
function endOf({ others }: Review): string {
    const folds = Object.entries(others).map(([operation, names]) => {
        const list = names.map((name) => `<p>${escapeHtml(name)}</p>`).join("");
        return `<details class="other"><summary>Also ${escapeHtml(operation)}: ${names.length}</summary>${list}</details>\n`;
    });
    return folds.join("");
}

function reviewRow(row: Row): string {
    const { action, kind, name, library, title, lengthMs, poster, differences, facts, url, notes = [] } = row;
    const place = library === undefined ? name : `${library}/${name}`;
    const length = lengthMs === undefined ? "" : ` · ${escapeHtml(lengthWords(lengthMs))}`;
    const picture = poster === "signed" ? undefined : poster;
    const stays = url?.state === "stays" && action !== "changed" ? ["The URL stays."] : [];
    const lines = [
        ...differences.map(differenceHtml),
        ...endingsOf(row).map(endingHtml),
        ...[...facts, ...stays].map(escapeHtml),
        ...notes.map((text) => `<span class="quiet">${escapeHtml(text)}</span>`),
    ];
    const quiet = `${kind}${title === undefined ? "" : ` <code>${escapeHtml(place)}</code>`}${length}`;
    return rowHtml(posterHtml(picture, posterWord(row)), title ?? place, quiet, lines);
}

/** The word in place of a picture. */
function posterWord({ action, kind, poster }: Row): string {
    if (kind === "ContentLibrary") return "Library";
    if (poster === "signed") return "Signed";
    if (kind === "Livestream") return "Live";
    return action === "new" ? "New" : "";
}

function endingHtml({ label, says, address, command }: Ending): string {
    const codes = [address, command].flatMap((text) =>
        text === undefined ? [] : [`<code>${escapeHtml(text)}</code>`],
    );
    return `<span class="ends">${[`<b>${label}</b>`, ...(says === undefined ? [] : [escapeHtml(says)]), ...codes].join(" ")}</span>`;
}

function differenceHtml({ name, from, to }: Difference): string {
    const [old, now] = [from, to].map((text) => (text === undefined ? undefined : escapeHtml(text)));
    const label = escapeHtml(name);
    if (old === undefined) return `${label}: + <ins>${now}</ins>`;
    if (now === undefined) return `${label}: − <del>${old}</del>`;
    return old === now ? `${label}: ${old}, which may differ` : `${label}: <del>${old}</del> → <ins>${now}</ins>`;
}
