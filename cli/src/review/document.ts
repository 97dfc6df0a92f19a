/** The review as JSON, for programs. docs/command-line.md documents it. */
import { countsOf, deletionsOf, type Review, summaryOf } from "./review";
import type { Row } from "./row";

/** Grows when a field changes its meaning or goes. New fields do not count: a script can ignore them. */
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
        notes: notes.map(({ urn, severity, text }) => ({ urn, severity, text })),
    };
}

const urlFields = { stays: "url", ends: "endingUrl", mayEnd: "mayEndUrl" } as const;

function rowDocument({ action, kind, name, number, library, urn, id, title, lengthMs, ...row }: Row) {
    const { url, hidden, differences, facts } = row;
    const urls = url && { [urlFields[url.state]]: url.address };
    return { action, kind, name, number, library, urn, id, title, lengthMs, ...urls, hidden, differences, facts };
}
