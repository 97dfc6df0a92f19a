/** What the service says of subtitles: before a content is Ready, for a language twice, and in its list. */
import type { Findings } from "./findings";
import type { RawService } from "./rawService";

interface Place {
    readonly service: RawService;
    readonly findings: Findings;
    /** The content's. */
    readonly path: string;
}

/** Whether a content that is not Ready takes one. */
export async function probeEarlySubtitle(
    { service, findings, path }: Place,
    url: string | undefined,
    isReady: boolean,
): Promise<void> {
    if (url === undefined || isReady) {
        findings.notShown("subtitleBeforeReady", url === undefined ? without : "the content was Ready at once");
        return;
    }
    const { ok, status } = await addSubtitle(service, path, url);
    const form = ok ? "accepted" : status;
    const forms = ["accepted", 400, 404, 409, 422];
    findings.choose("subtitleBeforeReady", forms, form, ok ? "it does" : `HTTP ${status}`);
}

/** Whether a Ready content takes one, and the same language again in its place. */
export async function probeSubtitles({ service, findings, path }: Place, url: string | undefined): Promise<void> {
    if (url === undefined) {
        for (const name of ["subtitle", "subtitleList", "subtitleAgain"] as const) findings.notShown(name, without);
        return;
    }
    await addSubtitle(service, path, url);
    const again = await addSubtitle(service, path, url);
    findings.judge("subtitle", again.ok, `HTTP ${again.status}`);
    if (!again.ok) {
        for (const name of ["subtitleList", "subtitleAgain"] as const) findings.notShown(name, "there is none");
        return;
    }
    const list = await service.send("GET", `${path}/subtitles`);
    const count = list.items?.length ?? 0;
    const form = list.status === 404 ? 404 : count > 0 ? "shown" : "empty";
    const seen = list.ok ? `${count} in the list` : `HTTP ${list.status}`;
    findings.choose("subtitleList", ["shown", "empty", 404], form, seen);
    if (count === 0) findings.notShown("subtitleAgain", "the list does not show it");
    else findings.judge("subtitleAgain", count === 1, seen);
}

const without = "no --subtitle was named";

function addSubtitle(service: RawService, path: string, url: string) {
    const body = { url, name: "Probe", language_code: "en", support_closed_captions: false };
    return service.send("POST", `${path}/subtitles`, { body });
}
