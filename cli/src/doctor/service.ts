/** The service: the settings that lead to it, and what it answers to these credentials. */
import {
    ApiError,
    AuthenticationError,
    ConfigurationError,
    Deadline,
    isLoopback,
    parseBaseUrl,
    type Transport,
    type TransportAnswer,
    type TransportRequest,
    VideographApi,
} from "#provider/api/index";
import { parseHttpDate } from "#provider/api/retryAfter";
import { UndiciTransport } from "#provider/api/undiciTransport";
import { durationText } from "#provider/inputs/duration";
import { append } from "#provider/messages/index";
import { explain } from "#provider/session/explain";
import { credentialsOf, defaultBaseUrl, type SettingName, variables } from "#provider/session/settings";
import { type FoundSettings, findSettings, whatIsMissing } from "../connection";
import type { Shell } from "../shell";
import type { StackState } from "../state";
import { type Finding, findingsOf } from "./finding";

/** How long one request may take with all its tries, in ms: a person waits. */
const checkTimeoutMs = 15_000;
/** The service shows its time to the second. */
const toleratedSkewMs = 60_000;

/** What the machine's variables make unsafe or ignore. */
export function* machine(env: NodeJS.ProcessEnv): Generator<Finding> {
    if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
        yield findingsOf("TLS").warning(
            "NODE_TLS_REJECT_UNAUTHORIZED=0 disables the check of certificates: anybody on the network can read the credentials. " +
                "Unset it; for a company's own certificate authority, set NODE_EXTRA_CA_CERTS to its file.",
        );
    }
    const ignored = ["ALL_PROXY", "all_proxy"].find((name) => env[name]);
    if (ignored !== undefined) {
        yield findingsOf("Proxy settings").warning(
            `${ignored} is not used. Set HTTPS_PROXY (and NO_PROXY for exceptions) instead.`,
        );
    }
    // As gRPC for Node.js reads the environment: only lowercase names, and only proxies by http:.
    const grpc = ["grpc_proxy", "https_proxy", "http_proxy"].find((name) => env[name]?.startsWith("http:"));
    const exceptions = env.no_grpc_proxy ? "no_grpc_proxy" : "no_proxy";
    if (grpc !== undefined && !(env[exceptions] ?? "").split(",").some((entry) => /^127\.0\.0\.(1|0\/8)/.test(entry))) {
        const complete = [env[exceptions] || env.NO_PROXY, "localhost", "127.0.0.1"].filter(Boolean).join(",");
        yield findingsOf("Pulumi's proxy").warning(
            `${grpc} is set, and ${exceptions} does not contain 127.0.0.1: Pulumi's own processes would try to reach each other on this ` +
                `machine through the proxy, and no program would run. Set ${exceptions}=${complete}, in lowercase too.`,
        );
    }
}

export async function* service(
    shell: Shell,
    stack: string | undefined,
    state: StackState | undefined,
): AsyncGenerator<Finding> {
    const found = await findSettings(shell, stack, { thorough: true });
    const { settings } = found;
    const missing = whatIsMissing(found);
    yield credentials(found, state?.namedProviders ?? []);
    const address = addressOf(found);
    yield address;
    if (settings.trustNotFound === "true") {
        yield findingsOf("Not found").warning(
            `${origin(found, "trustNotFound")} makes every 404 mean "deleted", whatever the credentials: with those of another ` +
                "environment, a refresh empties the state. Remove it once you no longer need it.",
        );
    }
    if (address.status === "error") return;
    yield proxy(new URL(settings.baseUrl ?? defaultBaseUrl), shell.variables);
    const { skipped, error } = findingsOf("Service");
    if (missing !== undefined) {
        yield skipped("Not checked: there are no credentials.");
        return;
    }
    const { accessTokenId, secretKey, baseUrl } = credentialsOf(settings);
    const transport = new DateReader(new UndiciTransport(parseBaseUrl(baseUrl)));
    let api: VideographApi;
    try {
        const userAgent = "pulumi-videograph-cli";
        api = new VideographApi({ accessTokenId, secretKey, baseUrl, transport, clock: shell.clock, userAgent });
    } catch (failure) {
        if (!(failure instanceof ConfigurationError)) throw failure;
        yield error(failure.message);
        return;
    }
    try {
        yield* answers(shell, api, (failure) => explain(failure, settings));
        if (transport.serverTime !== undefined) yield clock(shell.clock.now() - transport.serverTime);
    } finally {
        await api.close();
    }
}

function credentials(found: FoundSettings, namedProviders: readonly string[]): Finding {
    const { ok, warning, error } = findingsOf("Credentials");
    const missing = whatIsMissing(found);
    if (missing === undefined) {
        const [id, secret] = (["accessTokenId", "secretKey"] as const).map((name) => origin(found, name));
        return ok(`access token id from ${id}, secret key from ${secret}`);
    }
    if (namedProviders.length > 0) {
        return warning(
            "None for the default provider, which is fine if every resource uses one of the stack's named providers " +
                `(${namedProviders.join(", ")}). Their credentials were not checked.`,
        );
    }
    return error(append(missing, "Resources with an explicit videograph.Provider need none."));
}

function origin({ fromStack, overridden }: FoundSettings, name: SettingName): string {
    if (fromStack.includes(name)) return `videograph:${name} of the stack`;
    return overridden.includes(name)
        ? `${variables[name]} (overrides videograph:${name} of the stack)`
        : variables[name];
}

function addressOf(found: FoundSettings): Finding {
    const { ok, error } = findingsOf("Base URL");
    const text = found.settings.baseUrl;
    try {
        return text === undefined
            ? ok(`${defaultBaseUrl}, the default`)
            : ok(`${parseBaseUrl(text)} from ${origin(found, "baseUrl")}`);
    } catch (failure) {
        if (!(failure instanceof ConfigurationError)) throw failure;
        return error(`${origin(found, "baseUrl")}: ${failure.message}`);
    }
}

/** As undici's EnvHttpProxyAgent reads them. Users and passwords of proxies are not shown. */
function proxy(address: URL, env: NodeJS.ProcessEnv): Finding {
    const { ok, error } = findingsOf("Proxy");
    const http = env.http_proxy ?? env.HTTP_PROXY;
    const url = (address.protocol === "https:" ? (env.https_proxy ?? env.HTTPS_PROXY) : undefined) || http;
    if (!url) return ok("none");
    if (isLoopback(address.hostname)) return ok("none, because the service is on this machine");
    if (!URL.canParse(url)) {
        return error("HTTPS_PROXY or HTTP_PROXY is not a valid URL. Write it as http://host:port, or unset it.");
    }
    return ok(`${new URL(url).host}${env.no_proxy || env.NO_PROXY ? "; NO_PROXY names exceptions" : ""}`);
}

/** Passes requests on, and records the service's clock: any answer shows it, even a refusal. */
class DateReader implements Transport {
    /** In ms since the epoch. */
    serverTime: number | undefined;
    readonly #network: Transport;

    constructor(network: Transport) {
        this.#network = network;
    }

    async send(request: TransportRequest): Promise<TransportAnswer> {
        const answer = await this.#network.send(request);
        this.serverTime = parseHttpDate(answer.headers.date) ?? this.serverTime;
        return answer;
    }

    close(): Promise<void> {
        return this.#network.close();
    }
}

async function* answers(
    shell: Shell,
    api: VideographApi,
    explained: (error: unknown) => string,
): AsyncGenerator<Finding> {
    const limits = () => ({ deadline: Deadline.after(shell.clock, checkTimeoutMs) });
    const firstPage = async (pages: AsyncIterable<unknown>) => {
        for await (const _ of pages) return;
    };
    const questions: [string, () => Promise<unknown>][] = [
        ["Contents", () => firstPage(api.contents(limits()))],
        ["Livestreams", () => firstPage(api.livestreams({ record: false }, limits()))],
        ["Signing keys", () => api.signingKeys(limits())],
    ];
    for (const [check, ask] of questions) {
        const { ok, error } = findingsOf(check);
        const started = shell.clock.monotonic();
        try {
            await ask();
            yield ok(`can be read, answered in ${durationText(shell.clock.monotonic() - started)}`);
        } catch (failure) {
            if (!(failure instanceof ApiError)) throw failure;
            yield error(explained(failure));
            // Then the other answers would be the same.
            if (failure instanceof AuthenticationError || failure.status === undefined) break;
        }
    }
}

function clock(ahead: number): Finding {
    const { ok, warning } = findingsOf("Clock");
    if (Math.abs(ahead) <= toleratedSkewMs) return ok("agrees with the service's clock");
    return warning(
        `This machine's clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the service's. Sync it with a time ` +
            "server: presigned source URLs and the search for lost objects depend on it.",
    );
}
