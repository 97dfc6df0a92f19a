/** The service: the settings that lead to it, and what it says to these credentials. */
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
} from "../../api";
import { parseHttpDate } from "../../api/retryAfter";
import { UndiciTransport } from "../../api/undiciTransport";
import { durationText } from "../../lifecycle/wait/duration";
import { append, type Message } from "../../messages";
import { explain } from "../../session/explain";
import { credentialsOf, defaultBaseUrl, type SettingName, variables } from "../../session/settings";
import { type FoundSettings, findSettings, whatIsMissing } from "../connection";
import type { Shell } from "../shell";
import type { StackState } from "../stackState";
import { type Finding, findingsOf } from "./finding";

/** How long one question may take with all its tries, in ms: a person waits. */
const checkTimeoutMs = 15_000;
/** How far the clocks may be apart without a word, in ms. The service tells its own to the second. */
const toleratedSkewMs = 60_000;

export async function* service(
    shell: Shell,
    stack: string | undefined,
    state: StackState | undefined,
): AsyncGenerator<Finding> {
    const found = await findSettings(shell, stack, { thorough: true });
    const { settings } = found;
    const missing = whatIsMissing(found);
    yield credentialsFinding(found, missing, state?.namedProviders ?? []);
    const baseUrl = baseUrlFinding(found);
    yield baseUrl;
    if (settings.trustNotFound === "true") {
        yield findingsOf("Not found").warning(
            `${origin(found, "trustNotFound")} says that a 404 means "deleted" with any credentials: with those of another ` +
                "environment, a refresh empties the state. Remove it once you no longer need it.",
        );
    }
    if (baseUrl.status === "error") return;
    yield proxyFinding(new URL(settings.baseUrl ?? defaultBaseUrl), shell.variables);
    if (missing !== undefined) {
        yield findingsOf("Service").skipped("Not checked: there are no credentials.");
        return;
    }
    let api: VideographApi;
    let transport: DateReader;
    try {
        const credentials = credentialsOf(settings);
        transport = new DateReader(new UndiciTransport(parseBaseUrl(credentials.baseUrl)));
        api = new VideographApi({ ...credentials, transport, clock: shell.clock, userAgent: "pulumi-videograph-cli" });
    } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        yield findingsOf("Service").error(error.message);
        return;
    }
    try {
        yield* answers(shell, api, (error) => explain(error, settings));
        if (transport.serverTime !== undefined) yield clockFinding(shell.clock.now() - transport.serverTime);
    } finally {
        await api.close();
    }
}

function credentialsFinding(
    found: FoundSettings,
    missing: Message | undefined,
    namedProviders: readonly string[],
): Finding {
    const { ok, warning, error } = findingsOf("Credentials");
    if (missing !== undefined) {
        if (namedProviders.length > 0) {
            return warning(
                `None for the default provider, which is fine if every resource uses one of the stack's named providers ` +
                    `(${namedProviders.join(", ")}). Their credentials were not checked.`,
            );
        }
        return error(append(missing, "Resources with a videograph.Provider of their own need none."));
    }
    const [id, secret] = (["accessTokenId", "secretKey"] as const).map((name) => origin(found, name));
    return ok(`access token id from ${id}, secret key from ${secret}`);
}

function origin({ fromStack, overridden }: FoundSettings, name: SettingName): string {
    if (fromStack.includes(name)) return `videograph:${name} of the stack`;
    return overridden.includes(name)
        ? `${variables[name]} (wins over videograph:${name} of the stack)`
        : variables[name];
}

function baseUrlFinding(found: FoundSettings): Finding {
    const { ok, error } = findingsOf("Base URL");
    const { baseUrl } = found.settings;
    try {
        return baseUrl === undefined
            ? ok(`${defaultBaseUrl}, the default`)
            : ok(`${parseBaseUrl(baseUrl)} from ${origin(found, "baseUrl")}`);
    } catch (failure) {
        if (!(failure instanceof ConfigurationError)) throw failure;
        return error(`${origin(found, "baseUrl")}: ${failure.message}`);
    }
}

/** As undici's EnvHttpProxyAgent reads them. Users and passwords of proxies are not shown. */
function proxyFinding(baseUrl: URL, env: NodeJS.ProcessEnv): Finding {
    const { ok, error } = findingsOf("Proxy");
    const http = env.http_proxy ?? env.HTTP_PROXY;
    const proxy = (baseUrl.protocol === "https:" ? (env.https_proxy ?? env.HTTPS_PROXY) : undefined) || http;
    if (!proxy) return ok("none");
    if (isLoopback(baseUrl.hostname)) return ok("none, for the service is on this machine");
    if (!URL.canParse(proxy)) {
        return error(
            "The proxy address in HTTPS_PROXY or HTTP_PROXY is not a valid URL. Write it as http://host:port, or unset it.",
        );
    }
    const exceptions = (env.no_proxy ?? env.NO_PROXY ?? "") === "" ? "" : "; NO_PROXY names exceptions";
    return ok(`${new URL(proxy).host}${exceptions}`);
}

/** Passes requests on, and notes the service's clock: any answer tells it, even a refusal. */
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
            yield ok(`may be read, answered in ${durationText(shell.clock.monotonic() - started)}`);
        } catch (failure) {
            if (!(failure instanceof ApiError)) throw failure;
            yield error(explained(failure));
            // Then the other answers would be the same.
            if (failure instanceof AuthenticationError || failure.status === undefined) break;
        }
    }
}

function clockFinding(ahead: number): Finding {
    const { ok, warning } = findingsOf("Clock");
    if (Math.abs(ahead) <= toleratedSkewMs) return ok("agrees with the service's clock");
    return warning(
        `This machine's clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the service's. Set it by a time server: ` +
            "presigned source URLs and the search for lost objects depend on it.",
    );
}
