/** What the machine adds: TLS checks that are off, ignored proxies, the CI job's time limit. */
import { durationText, parseDuration } from "../../lifecycle/wait/duration";
import type { Shell } from "../shell";
import type { StackState } from "../stackState";
import { type Finding, findingsOf } from "./finding";

/** The default of `customTimeouts.create` of a Content. */
const defaultCreateMs = 60 * 60_000;

/** GitHub ends a job after six hours, and says so in no variable. */
const githubJobMs = 6 * 3_600_000;

export function* surroundings({ variables }: Shell, state: StackState | undefined): Generator<Finding> {
    if (variables.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
        yield findingsOf("TLS").warning(
            "NODE_TLS_REJECT_UNAUTHORIZED=0 turns the check of certificates off: anybody on the network can read the credentials. " +
                "Unset it; for a company's own certificate authority, set NODE_EXTRA_CA_CERTS to its file.",
        );
    }
    const ignored = ["ALL_PROXY", "all_proxy"].find((name) => variables[name]);
    if (ignored !== undefined) {
        yield findingsOf("Proxy settings").warning(
            `${ignored} is not used. Set HTTPS_PROXY (and NO_PROXY for exceptions) instead.`,
        );
    }
    const limitMs = jobLimitMs(variables);
    if (limitMs !== undefined) yield jobLimit(limitMs, state);
}

function jobLimit(limitMs: number, state: StackState | undefined): Finding {
    const { ok, warning } = findingsOf("CI job");
    const longestMs = Math.max(defaultCreateMs, ...(state?.resources ?? []).map(createTimeoutMs));
    const text = `the job may last ${durationText(limitMs)}, a create ${durationText(longestMs)} (customTimeouts.create)`;
    if (limitMs > longestMs) return ok(text);
    return warning(
        `${text}: the job would be killed first. Nothing is lost as long as the journal's folder survives, but give the job more time, ` +
            "or the resource a shorter customTimeouts.create.",
    );
}

function createTimeoutMs({ inputs: { __timeouts: timeouts } }: StackState["resources"][number]): number {
    const create = (timeouts as { create?: unknown } | undefined)?.create;
    return (typeof create === "string" ? parseDuration(create) : undefined) ?? 0;
}

function jobLimitMs(variables: NodeJS.ProcessEnv): number | undefined {
    // GitLab says it in seconds.
    const seconds = Number(variables.CI_JOB_TIMEOUT ?? "");
    if (seconds > 0) return seconds * 1000;
    return variables.GITHUB_ACTIONS === "true" ? githubJobMs : undefined;
}
