/** The review as JSON, for programs. docs/command-line.md documents it. */
import { countsOf, deletionsOf, type Review, summaryOf } from "./review";
import type { Row } from "./row";

/** Raised when a field changes its meaning or goes; new fields do not raise it. */
const version = 1;

export function documentOf(review: Review) {
    const { project, stack, errors, rows, stays, waits, others, notes, isFirst } = review;
    const { unknown: _, ...counts } = countsOf(review);
    return {
        ...{ version, project, stack, errors, isFirst },
        summary: summaryOf(review).join(" "),
        counts: { ...counts, stays },
        deletions: deletionsOf(review),
        rows: rows.map(rowDocument),
        waits,
        others,
        notes: [...notes].flatMap(([urn, all]) => all.map(({ severity, text }) => ({ urn, severity, text }))),
    };
}

function rowDocument({ action, kind, name, library, urn, id, title, lengthMs, url, hidden, differences, facts }: Row) {
    const urls = { [url?.state === "ends" ? "endingUrl" : "url"]: url?.address };
    return { action, kind, name, library, urn, id, title, lengthMs, ...urls, hidden, differences, facts };
}
