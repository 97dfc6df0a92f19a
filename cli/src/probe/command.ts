/**
 * `probe`: checks this package's assumptions about the service against a real account. Sends nothing without --yes, and
 * deletes everything that it creates, also after a failure.
 */
import { basename, resolve } from "node:path";
import { VideographApi } from "#provider/api/index";
import { messageFrom, messages } from "#provider/messages/index";
import { CommandError, command, commonOptions, exitCodes, flag, text, UsageError } from "../commandLine";
import { connect } from "../connection";
import { refuseUnwritable, writeText } from "../files";
import type { Shell } from "../shell";
import { findingsOf, printReport, reportOf } from "./report";
import { findService, runScript, type Wanted } from "./script";
import { Service } from "./service";

const kinds = ["contents", "livestreams"] as const;

export const probe = command({
    name: "probe",
    about: `Checks this package's assumptions about the service against a real account.

Creates, changes and deletes one short content and one livestream, and reports for each numbered assumption whether the
account confirmed it, contradicted it, or did not show it, and which promises depend on it. The report is also written
to a file without secrets, with which the emulator behaves as the account did.

Without --yes, it sends nothing, and prints what it would do and what that costs. The probe deletes what it creates,
also after failures and Ctrl-C. If it is killed, delete everything titled "pulumi-videograph probe" yourself.`,
    options: {
        yes: flag("run the probe"),
        source: text("url", "the video for the content: a few seconds of MP4 that the service can download"),
        subtitle: text("url", "a file with subtitles for it, SRT or VTT; without it subtitles are not checked"),
        only: text("contents|livestreams", "create only this kind of object"),
        region: text("region", "of the livestream (default VIDEOGRAPH_REGION, or else us-east-1)"),
        report: text("path", "the report file, replaced (default videograph-probe.json)"),
        stack: commonOptions.stack,
        json: flag("print the report, or the plan, as JSON"),
    },
    async run({ yes, source, subtitle, only, stack, json, ...given }, shell) {
        for (const [name, url] of Object.entries({ source, subtitle })) {
            if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
                throw new UsageError(`--${name} must be an absolute http: or https: URL.`);
        }
        if (!yes) {
            if (json) shell.terminal.printJson({ sent: 0, plan });
            else shell.terminal.print(plan.join("\n"));
            return exitCodes.done;
        }
        const wanted = {
            source,
            subtitle,
            region: given.region ?? (shell.variables.VIDEOGRAPH_REGION?.trim() || "us-east-1"),
            kinds: kinds.filter((kind) => only === undefined || only === kind),
        };
        if (wanted.kinds.includes("contents") && source === undefined) {
            throw new UsageError(
                "Name a short video with --source <url>, or probe livestreams alone with --only livestreams.",
            );
        }
        const file = resolve(shell.cwd, given.report ?? "videograph-probe.json");
        await refuseUnwritable(true, file);
        const report = await runProbe(shell, stack, wanted);
        await writeText(file, `${JSON.stringify(report, undefined, 4)}\n`);
        if (json) shell.terminal.printJson(report);
        else printReport(shell, report, basename(file));
        if (report.problem !== undefined || report.left.length > 0) return exitCodes.failed;
        return report.findings.some(({ verdict }) => verdict === "contradicted") ? exitCodes.found : exitCodes.done;
    },
});

async function runProbe(shell: Shell, stack: string | undefined, wanted: Wanted) {
    const access = await connect(shell, stack);
    const interrupt = new AbortController();
    const onSignal = () => {
        shell.terminal.note("Interrupted: deleting what the probe created. A second Ctrl-C ends it at once.");
        interrupt.abort(new CommandError(messages.interrupted()));
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
    // The probe finds out which form a 404 has. A client that doubts each 404 would stop it.
    const api = new VideographApi({ ...access, clock: shell.clock, trustNotFound: true });
    const service = new Service(shell, access, interrupt.signal);
    const startedAt = new Date(shell.clock.now()).toISOString();
    try {
        await findService(service);
        // After a failure, too, the answers are reported and the objects deleted.
        const problem = await runScript(service, wanted).then(() => undefined, messageFrom);
        const left = await service.deleteCreated(api);
        const findings = findingsOf(service.seen, wanted.kinds.length < kinds.length);
        return { baseUrl: access.baseUrl, startedAt, ...reportOf(findings, problem, left) };
    } finally {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
        await api.close();
    }
}

/** The plan of a run with --yes. */
const plan = [
    "Nothing was sent. With --yes, the probe:",
    "  reads one page of contents, the signing keys, and two ids that do not exist; tries wrong credentials once; sends one empty create",
    "  creates one content from the URL of --source (a test video, of which the service transcodes at most 10 s), reads the list,",
    "  waits until it is Ready, sets its thumbnail, cuts a clip of one second, changes its description, and deletes both",
    "  creates one livestream, to which nothing is broadcast, reads it and the lists, and deletes it",
    "About 100 requests. Everything that it creates is deleted, also after failures and Ctrl-C. After a kill, delete",
    'everything titled "pulumi-videograph probe" yourself. It writes a report as text and as a file that holds no secrets.',
];
