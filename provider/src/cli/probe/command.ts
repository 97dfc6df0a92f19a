/**
 * `probe`: checks against a real account what this package assumes of the service. Dry unless told otherwise; what it
 * creates it deletes, whatever happens.
 */
import { writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseBaseUrl, VideographApi } from "../../api";
import { UndiciTransport } from "../../api/undiciTransport";
import { parseDuration } from "../../lifecycle/wait/duration";
import { append, type Message, messageFrom, messages } from "../../messages";
import { type Command, CommandError, exitCodes, oneOf, readOptions, UsageError } from "../commandLine";
import { credentialsAtHand } from "../connection";
import { packageVersion } from "../packageVersion";
import type { Shell } from "../shell";
import { probeAccess } from "./access";
import { probeContent } from "./content";
import { Findings } from "./findings";
import { probeLivestream } from "./livestream";
import { RawService } from "./rawService";
import { plan, type Report, tell } from "./report";
import { Traces } from "./traces";

interface Options {
    readonly source: string | undefined;
    readonly subtitle: string | undefined;
    readonly kinds: readonly ("contents" | "livestreams")[];
    readonly region: string;
    readonly timeoutMs: number;
}

export const probeCommand: Command = {
    async run(args, shell) {
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
        const kinds = ["contents", "livestreams"] as const;
        const wanted: Options = {
            source: options.source,
            subtitle: options.subtitle,
            kinds: options.only === undefined ? kinds : [oneOf("--only", kinds, options.only)],
            region: options.region ?? shell.variables.VIDEOGRAPH_REGION ?? "us-east-1",
            timeoutMs: timeoutOf(options.timeout),
        };
        for (const name of ["source", "subtitle"] as const) {
            const url = wanted[name];
            if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
                throw new UsageError(`--${name} must be an absolute http: or https: URL.`);
        }
        if (options.yes !== true) {
            shell.talk.print(plan(wanted));
            return exitCodes.done;
        }
        if (wanted.kinds.includes("contents") && wanted.source === undefined) {
            throw new UsageError(
                "Name a short video with --source <url>, or probe livestreams alone with --only livestreams.",
            );
        }
        const report = await probe(shell, options.stack, wanted);
        const path = resolve(shell.cwd, options.report ?? "videograph-probe.json");
        await writeFile(path, `${JSON.stringify(report, undefined, 4)}\n`);
        if (options.json === true) shell.talk.printJson(report);
        else tell(shell, report, basename(path));
        if (report.problem !== undefined || report.left.length > 0) return exitCodes.failed;
        return report.findings.some(({ verdict }) => verdict === "contradicted") ? exitCodes.found : exitCodes.done;
    },
};

async function probe(shell: Shell, stack: string | undefined, options: Options): Promise<Report> {
    const credentials = await credentialsAtHand(shell, stack);
    const baseUrl = parseBaseUrl(credentials.baseUrl);
    const interrupt = new AbortController();
    const onSignal = () => interrupt.abort(new CommandError(messages.interrupted()));
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
    const transport = new UndiciTransport(baseUrl);
    // The probe deletes what it made itself, and what a 404 looks like is one of the things it finds out.
    const api = new VideographApi({
        ...credentials,
        clock: shell.clock,
        userAgent: "pulumi-videograph-probe",
        trustNotFound: true,
    });
    const service = new RawService(shell, transport, { ...credentials, baseUrl }, interrupt.signal);
    const traces = new Traces(shell, api);
    const findings = new Findings();
    const startedAt = new Date(shell.clock.now()).toISOString();
    try {
        await traces.clean();
        const problem = await problemOf(() => probeAll(shell, service, traces, findings, options));
        shell.talk.progress("Deleting what was created");
        const left = await traces.clean();
        return {
            version: 1,
            tool: `pulumi-videograph ${packageVersion()}`,
            ...{ baseUrl, startedAt, requests: service.requests, problem },
            findings: findings.all(),
            variants: findings.variants(),
            left,
        };
    } finally {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
        await api.close();
        await transport.close();
    }
}

async function probeAll(
    shell: Shell,
    service: RawService,
    traces: Traces,
    findings: Findings,
    { source, subtitle, kinds, region, timeoutMs }: Options,
): Promise<void> {
    const progress = (text: string) => shell.talk.progress(text);
    progress("Asking without creating anything");
    await probeAccess(service, findings, () => shell.clock.now());
    const problems: Message[] = [];
    if (kinds.includes("contents") && source !== undefined) {
        const digits = await traces.begin("Content");
        const created = (id: string) => traces.created(digits, "Content", id);
        const problem = await problemOf(() =>
            probeContent(service, findings, { source, subtitle, digits, created, timeoutMs, progress }),
        );
        if (problem !== undefined) problems.push(problem);
    }
    if (kinds.includes("livestreams") && !service.signal.aborted) {
        const digits = await traces.begin("Livestream");
        const created = (id: string) => traces.created(digits, "Livestream", id);
        const problem = await problemOf(() =>
            probeLivestream(service, findings, { digits, created, region, progress }),
        );
        if (problem !== undefined) problems.push(problem);
    }
    const limits = [...service.limitHeaders];
    findings.judge("rateLimit", limits.length === 0, limits.length === 0 ? "none" : limits.join(", "));
    const [first, ...more] = problems;
    if (first !== undefined) throw new CommandError(more.reduce(append, first));
}

/** What ended the work early; the findings so far stay. */
async function problemOf(work: () => Promise<void>): Promise<Message | undefined> {
    try {
        await work();
        return undefined;
    } catch (error) {
        if (error instanceof CommandError) return messageFrom(error);
        throw error;
    }
}

function timeoutOf(text: string | undefined): number {
    const ms = parseDuration(text ?? "5m");
    if (ms === undefined) throw new UsageError("--timeout must be a duration such as 90s or 10m.");
    return ms;
}
