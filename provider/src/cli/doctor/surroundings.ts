/** What the machine adds: TLS checks that are off, ignored proxies, the CI job's time limit. */
import { durationText } from "../../lifecycle/wait/duration";
import { contentTimeouts } from "../../resources/timeouts";
import type { Shell } from "../shell";
import type { StackState } from "../stackState";
import { type Finding, findingsOf } from "./finding";

/** GitHub ends a job after six hours at most. `timeout-minutes` may be less, and is in no variable. */
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
    const job = ciJob(variables, Math.max(contentTimeouts.create, ...(state?.createTimeoutsMs ?? [])));
    if (job !== undefined) yield job;
}

function ciJob(variables: NodeJS.ProcessEnv, longestMs: number): Finding | undefined {
    const { ok, warning, skipped } = findingsOf("CI job");
    const limitMs = jobLimitMs(variables);
    const create = `a create ${durationText(longestMs)} (customTimeouts.create)`;
    if (limitMs === undefined) {
        if (!isCi(variables)) return undefined;
        return skipped(`how long the job may last is in no variable here; it should be longer than ${create}.`);
    }
    const text = `the job may last ${durationText(limitMs)}, ${create}`;
    if (limitMs > longestMs) return ok(text);
    return warning(
        `${text}: the job would be killed first. Nothing is lost as long as the journal's folder survives, but give the job more time, ` +
            "or the resource a shorter customTimeouts.create.",
    );
}

export function isCi({ CI }: NodeJS.ProcessEnv): boolean {
    return CI !== undefined && CI !== "" && CI !== "false";
}

function jobLimitMs({ CI_JOB_TIMEOUT, BUILDKITE_TIMEOUT, GITHUB_ACTIONS }: NodeJS.ProcessEnv): number | undefined {
    // GitLab says it in seconds, Buildkite in minutes, or `false`.
    if (Number(CI_JOB_TIMEOUT) > 0) return Number(CI_JOB_TIMEOUT) * 1000;
    if (Number(BUILDKITE_TIMEOUT) > 0) return Number(BUILDKITE_TIMEOUT) * 60_000;
    return GITHUB_ACTIONS === "true" ? githubJobMs : undefined;
}
