/**
 * `probe`: checks this package's assumptions about the service against a real account. Sends nothing without --yes, and
 * deletes everything that it creates, also after a failure.
 */
import { basename, resolve } from "node:path";
import { parseBaseUrl, VideographApi } from "#provider/api/index";
import { UndiciTransport } from "#provider/api/transport";
import { append, type Message, messageFrom, messages } from "#provider/messages/index";
import {
    type Command,
    CommandError,
    durationOf,
    exitCodes,
    oneOf,
    packageVersion,
    readOptions,
    UsageError,
} from "../commandLine";
import { completeCredentials } from "../connection";
import { writeNew } from "../files";
import type { Shell } from "../shell";
import { Findings } from "./findings";
import { RawService } from "./rawService";
import { plan, printReport, type Report } from "./report";
import { askAround, liveContent, liveLivestream, type Stage, type Wanted } from "./script";
import { Traces } from "./traces";

export const probe: Command = async (args, shell) => {
    const { yes, stack, report: file, json, ...wanted } = optionsOf(args, shell);
    if (!yes) {
        if (json) shell.terminal.printJson({ sent: 0, plan: plan(wanted) });
        else shell.terminal.print(plan(wanted).join("\n"));
        return exitCodes.done;
    }
    if (wanted.kinds.includes("contents") && wanted.source === undefined) {
        throw new UsageError(
            "Name a short video with --source <url>, or probe livestreams alone with --only livestreams.",
        );
    }
    const report = await run(shell, stack, wanted);
    await writeNew(file, `${JSON.stringify(report, undefined, 4)}\n`, true);
    if (json) shell.terminal.printJson(report);
    else printReport(shell, report, basename(file));
    if (report.problem !== undefined || report.left.length > 0) return exitCodes.failed;
    return report.findings.some(({ verdict }) => verdict === "contradicted") ? exitCodes.found : exitCodes.done;
};

function optionsOf(args: string[], shell: Shell) {
    const options = readOptions(args, {
        yes: { type: "boolean" },
        source: { type: "string" },
        subtitle: { type: "string" },
        only: { type: "string" },
        region: { type: "string" },
        timeout: { type: "string" },
        report: { type: "string" },
        stack: { type: "string" },
        json: { type: "boolean" },
    });
    const { source, subtitle, stack, yes = false, json = false, only, timeout = "5m" } = options;
    for (const [name, url] of Object.entries({ source, subtitle })) {
        if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
            throw new UsageError(`--${name} must be an absolute http: or https: URL.`);
        }
    }
    const kinds = ["contents", "livestreams"] as const;
    return {
        ...{ source, subtitle, stack, yes, json, timeoutMs: durationOf("--timeout", timeout) },
        kinds: only === undefined ? kinds : [oneOf("--only", kinds, only)],
        region: options.region ?? shell.variables.VIDEOGRAPH_REGION ?? "us-east-1",
        report: resolve(shell.cwd, options.report ?? "videograph-probe.json"),
    };
}

async function run(shell: Shell, stack: string | undefined, wanted: Wanted): Promise<Report> {
    const credentials = await completeCredentials(shell, stack);
    const baseUrl = parseBaseUrl(credentials.baseUrl);
    const interrupt = new AbortController();
    const onSignal = () => interrupt.abort(new CommandError(messages.interrupted()));
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
    const transport = new UndiciTransport(baseUrl);
    // The form of a 404 is one of the things that the probe checks.
    const userAgent = "pulumi-videograph-probe";
    const api = new VideographApi({ ...credentials, clock: shell.clock, userAgent, trustNotFound: true });
    const service = new RawService(shell, transport, { ...credentials, baseUrl }, interrupt.signal);
    const traces = new Traces(shell, api);
    const findings = new Findings();
    const startedAt = new Date(shell.clock.now()).toISOString();
    try {
        const problem = await probeAll({ service, findings, wanted, shell, traces });
        shell.terminal.progress("Deleting what was created");
        const left = await traces.clean();
        const { requests } = service;
        const tool = `pulumi-videograph ${packageVersion()}`;
        const variants = Object.assign({}, ...findings.all().map((finding) => finding.variants));
        return { version: 1, tool, baseUrl, startedAt, requests, problem, findings: findings.all(), variants, left };
    } finally {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
        await api.close();
        await transport.close();
    }
}

const lives = { contents: liveContent, livestreams: liveLivestream };

/** Why the work ended early; the findings until then are kept. */
async function probeAll(stage: Stage): Promise<Message | undefined> {
    const { service, findings, wanted, shell } = stage;
    shell.terminal.progress("Asking without creating anything");
    let problem = await problemOf(askAround(stage));
    if (problem !== undefined) return problem;
    for (const kind of wanted.kinds) {
        if (service.signal.aborted) continue;
        const another = await problemOf(lives[kind](stage));
        problem = problem && another ? append(problem, another) : (problem ?? another);
    }
    const limits = [...service.limitHeaders];
    findings.saw("rateLimit", limits.length === 0, limits.join(", ") || "none");
    return problem;
}

async function problemOf(work: Promise<void>): Promise<Message | undefined> {
    try {
        await work;
        return undefined;
    } catch (error) {
        if (error instanceof CommandError) return messageFrom(error);
        throw error;
    }
}
