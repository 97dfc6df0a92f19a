/** The release that a git tag stands for. The tag, the changelog and every place that names a version have to agree, on a commit of main. */
import { differing, type Places } from "./places.ts";

export interface Repository {
    /** The text of CHANGELOG.md. */
    readonly changelog: string;
    readonly places: Places;
    /** Owner and name of the repository that the release is made in. */
    readonly home: string;
    /** Whether the tag's commit is one of the main branch. */
    readonly onMain: boolean;
    /** All git tags. */
    readonly tags: readonly string[];
}

export interface Release {
    readonly version: string;
    /** The name under which npm offers it: "latest" only for the newest release. */
    readonly distTag: string;
    readonly prerelease: boolean;
    /** Its section of the changelog, without the heading. */
    readonly notes: string;
}

const form = /^v(\d+\.\d+\.\d+)(?:-([a-z]+)(?:\.[0-9a-z.-]+)?)?$/;

/** Throws an error that names everything that does not fit. */
export function releaseOf(tag: string, repository: Repository): Release {
    const { changelog, places, home, onMain, tags } = repository;
    const [, base, label] = form.exec(tag) ?? [];
    if (base === undefined) throw new Error(`${tag} is no version: a release's tag is v1.2.3 or v1.2.3-beta.1`);
    const version = tag.slice(1);
    const problems = differing(places, version);
    if (!places["provider/package.json"]?.includes(`github.com/${home}.git"`))
        problems.push(`provider/package.json does not name ${home}`);
    if (!onMain) problems.push(`The commit of ${tag} is not on the main branch`);
    const notes = sectionOf(changelog, version);
    if (notes === undefined) problems.push(`CHANGELOG.md has no section "## [${version}] - <year-month-day>"`);
    else if (notes === "") problems.push(`The section ${version} of CHANGELOG.md is empty`);
    if (problems.length > 0 || notes === undefined) throw new Error(problems.join("\n"));
    return { version, distTag: distTagOf(base, label, tags), prerelease: label !== undefined, notes };
}

/** `beta` for 1.2.3-beta.1; an older line of releases gets a name of its own, such as `latest-1.2`. */
function distTagOf(base: string, label: string | undefined, tags: readonly string[]): string {
    if (label !== undefined) return label;
    const newer = tags.filter(
        (tag) => /^v\d+\.\d+\.\d+$/.test(tag) && tag.slice(1).localeCompare(base, "en", { numeric: true }) > 0,
    );
    return newer.length === 0 ? "latest" : `latest-${base.replace(/\.\d+$/, "")}`;
}

/** The text below the version's heading; undefined without a heading that has a date. */
function sectionOf(changelog: string, version: string): string | undefined {
    const [, ...sections] = changelog.split(/^## /m);
    const section = sections.find((text) => text.startsWith(`[${version}] - `));
    const [, date, text = ""] = /^\[.+\] - (\S+)\n([\s\S]*)$/.exec(section ?? "") ?? [];
    if (date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
    // The links that Keep a Changelog has at the end of the file belong to no section.
    return text.replace(/^\[[^\]]+\]: .*$/gm, "").trim();
}
