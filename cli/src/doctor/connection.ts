/** The connection: the settings for it, and the service's answers to these credentials. */
import {
    ApiError,
    AuthenticationError,
    type CallOptions,
    Deadline,
    defaultBaseUrl,
    parseBaseUrl,
    type Transport,
    VideographApi,
} from "#provider/api/index";
import { parseHttpDate } from "#provider/api/requester";
import { durationText } from "#provider/inputs/duration";
import { append } from "#provider/messages/index";
import { explainError } from "#provider/session/explain";
import {
    baseUrlProblems,
    credentialsOf,
    missingCredentials,
    type ResolvedSettings,
    type SettingName,
    variables,
} from "#provider/session/settings";
import { findSettings, transportTo } from "../connection";
import type { Shell } from "../shell";
import { type Finding, findingsOf } from "./finding";

/** The time for one request with all its tries, in ms: a person waits. */
const checkTimeoutMs = 15_000;
/** A difference of clocks up to this is no problem. The service shows its time in whole seconds. */
const toleratedSkewMs = 60_000;

export async function* checkConnection(shell: Shell, stack: string | undefined): AsyncGenerator<Finding> {
    const { settings, problem } = await findSettings(shell, stack);
    if (problem !== undefined) yield findingsOf("Configuration").warning(problem.message);
    yield checkCredentials(settings);
    const address = checkAddress(settings);
    yield address;
    if (settings.trustNotFound === "true") {
        yield findingsOf("Not found").warning(
            `${originOf(settings, "trustNotFound")} makes every 404 mean "deleted", whatever the credentials: with those of another ` +
                "environment, a refresh empties the state. Remove it once you no longer need it.",
        );
    }
    if (address.status === "error") return;
    yield* checkProxy(shell.variables);
    if (missingCredentials(settings) === undefined) yield* checkAnswers(shell, settings);
    else yield findingsOf("Service").skipped("Not checked: there are no credentials.");
}

function checkCredentials(settings: ResolvedSettings): Finding {
    const { ok, error } = findingsOf("Credentials");
    const missing = missingCredentials(settings);
    if (missing !== undefined)
        return error(append(missing, "Resources with an explicit videograph.Provider need none."));
    const [id, secret] = (["accessTokenId", "secretKey"] as const).map((name) => originOf(settings, name));
    return ok(`access token id from ${id}, secret key from ${secret}`);
}

function originOf({ sources }: ResolvedSettings, name: SettingName): string {
    return sources[name] === "stack" ? `videograph:${name} of the stack` : variables[name];
}

function checkAddress(settings: ResolvedSettings): Finding {
    const { ok, error } = findingsOf("Base URL");
    const text = settings.baseUrl;
    if (text === undefined) return ok(`${defaultBaseUrl}, the default`);
    const from = originOf(settings, "baseUrl");
    const [problem] = baseUrlProblems(text, from);
    return problem === undefined ? ok(`${parseBaseUrl(text)} from ${from}`) : error(problem);
}

/** Finds a proxy that would come between Pulumi's own processes on this machine. */
function* checkProxy(env: NodeJS.ProcessEnv): Generator<Finding> {
    // gRPC for Node.js reads only lowercase names, and only proxies by http:.
    const grpc = ["grpc_proxy", "https_proxy", "http_proxy"].find((name) => env[name]?.startsWith("http:"));
    const exceptions = env.no_grpc_proxy ? "no_grpc_proxy" : "no_proxy";
    if (grpc === undefined || /(^|,)127\.0\.0\.(1|0\/8)/.test(env[exceptions] ?? "")) return;
    const complete = [env[exceptions] || env.NO_PROXY, "localhost", "127.0.0.1"].filter(Boolean).join(",");
    yield findingsOf("Pulumi's proxy").warning(
        `${grpc} is set, and ${exceptions} does not contain 127.0.0.1: Pulumi's own processes would try to reach each other on this ` +
            `machine through the proxy, and no program would run. Set ${exceptions}=${complete}, in lowercase too.`,
    );
}

async function* checkAnswers(shell: Shell, settings: ResolvedSettings): AsyncGenerator<Finding> {
    const { clock } = shell;
    const access = credentialsOf(settings);
    const network = transportTo(shell, parseBaseUrl(access.baseUrl));
    let serverTime: number | undefined;
    // Every answer shows the service's time in its header, even a refusal.
    const transport: Transport = {
        async send(request) {
            const answer = await network.send(request);
            serverTime = parseHttpDate(answer.headers.date) ?? serverTime;
            return answer;
        },
        close: () => network.close(),
    };
    const api = new VideographApi({ ...access, transport, clock });
    const first = (pages: AsyncIterable<unknown>) => pages[Symbol.asyncIterator]().next();
    const questions: [string, (limits: CallOptions) => Promise<unknown>][] = [
        ["Contents", (limits) => first(api.contents.lists[0].pages(limits))],
        ["Livestreams", (limits) => first(api.livestreams.lists[0].pages(limits))],
        ["Signing keys", (limits) => api.signingKeys(limits)],
    ];
    try {
        for (const [check, ask] of questions) {
            const { ok, error } = findingsOf(check);
            const started = clock.monotonic();
            try {
                await ask({ deadline: new Deadline(clock, checkTimeoutMs) });
                yield ok(`can be read, answered in ${durationText(clock.monotonic() - started)}`);
            } catch (failure) {
                if (!(failure instanceof ApiError)) throw failure;
                yield error(explainError(failure, settings));
                // With refused credentials, or without a connection, every further check would fail in the same way.
                if (failure instanceof AuthenticationError || failure.status === undefined) break;
            }
        }
        if (serverTime !== undefined) yield checkClock(clock.now() - serverTime);
    } finally {
        await api.close();
    }
}

function checkClock(aheadMs: number): Finding {
    const { ok, warning } = findingsOf("Clock");
    if (Math.abs(aheadMs) <= toleratedSkewMs) return ok("agrees with the service's clock");
    return warning(
        `This machine's clock is ${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} the service's. Sync it with a time ` +
            "server: presigned source URLs and the search for lost objects depend on it.",
    );
}
