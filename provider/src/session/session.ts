/** Everything that all resources of one provider process share: configuration, environment, journal, engine, lifetime. */

import { setFlagsFromString } from "node:v8";
import {
    type Clock,
    defaultBaseUrl,
    fingerprintOf,
    onAbort,
    parseBaseUrl,
    type Random,
    Redactor,
    SharedSecrets,
    systemClock,
    type Transport,
    unlessAborted,
    VideographApi,
} from "../api";
import { reportInterrupted } from "../create/ledger";
import { Journal, journalFolder } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalFile";
import { Lists } from "../evidence/lists";
import { outputTexts } from "../inputs/outputText";
import { mayBeSecret } from "../inputs/redactor";
import type { CheckContext } from "../inputs/values";
import { type Message, messages, type Reporter } from "../messages";
import { NotFoundTrust } from "../operation/notFoundTrust";
import { ObjectClaims } from "../operation/objectClaims";
import type { Operation, Services } from "../operation/operation";
import { OwnState } from "../operation/ownState";
import { UserDecision } from "../operation/userDecision";
import { isSameStack } from "../urn";
import { Watcher } from "../wait/watcher";
import { Engine } from "./engine";
import { cliOfRun } from "./engineCli";
import { addressWarning, explainError } from "./explain";
import { Lifetime } from "./lifetime";
import { cliVariables } from "./pulumiCommand";
import {
    baseUrlName,
    baseUrlProblems,
    credentialsOf,
    type ResolvedSettings,
    resolveSettings,
    type Settings,
} from "./settings";
import { stateExporter } from "./stateExporter";

export interface Dependencies {
    clock: Clock;
    random: Random;
    /** The network; undici by default. */
    transport?: Transport;
    journal: Journal;
    /** The reader of the stack's own state. */
    ownState(run: Run): Services["ownState"];
    variables: NodeJS.ProcessEnv;
    engine: Pick<Engine, "say" | "shown" | "watch"> & { port?: string | undefined };
    lifetime: Pick<Lifetime, "signal" | "answerNow" | "answersAreDiscarded" | "cancel" | "during" | "start">;
    /** A message with the names of properties as the program's language spells them. */
    inProgramSpelling?: (text: string) => string;
}

/** What the reading of the own state needs to know of the run. */
interface Run {
    /** The stack's organization, where the program has told it. */
    organization(): string | undefined;
    /** The engine's port. */
    port: string | undefined;
    /** A line on the stack's row. */
    warn(message: Message): void;
}

/** The dependencies of a provider process that the engine started. */
export function realDependencies(): Dependencies {
    // By itself Node keeps several times as much garbage as there is in use: hundreds of megabytes for thousands of objects.
    setFlagsFromString("--heap-growing-percent=40");
    return {
        clock: systemClock,
        random: Math.random,
        journal: new Journal({ folder: journalFolder() }),
        ownState: ({ organization, port, warn }) => {
            const clock = systemClock;
            const exported = stateExporter({ findCli: () => cliOfRun(port), env: cliVariables(process.env), clock });
            const skipsCheckpoints = /^(1|true)$/i.test(process.env.PULUMI_SKIP_CHECKPOINTS ?? "");
            return new OwnState({ exported, clock, organization, warn, skipsCheckpoints });
        },
        variables: process.env,
        engine: new Engine(),
        lifetime: new Lifetime(),
    };
}

export class Session {
    readonly claims = new ObjectClaims();
    readonly secrets = new SharedSecrets();
    readonly userDecision: UserDecision;
    isConfigured = false;
    /** The lines that this process has put on rows, so that each is shown once. */
    readonly #noted = new Set<string>();
    readonly #startedAt: Services["startedAt"];
    #hasReportedInterrupted = false;
    #settings: ResolvedSettings = { sources: {} };
    #redactor = new Redactor([]);
    #services: Services | undefined;
    #organization: string | undefined;
    /** The secret texts that are known; `undefined` for dynamic providers, which get secrets as plain values from the engine. */
    #secretTexts: Set<string> | undefined;

    constructor(readonly dependencies: Dependencies) {
        this.userDecision = new UserDecision(dependencies.variables.VIDEOGRAPH_UNRECORDED);
        const { clock } = dependencies;
        this.#startedAt = { now: clock.now(), monotonic: clock.monotonic() };
    }

    /** Takes the settings: an explicit provider's `own`, and the stack's. The first call counts. */
    configure(own: Settings, stack: Settings): void {
        if (this.isConfigured) return;
        this.isConfigured = true;
        this.#settings = resolveSettings(own, stack, this.dependencies.variables);
        const { accessTokenId = "", secretKey } = this.#settings;
        if (secretKey !== undefined) {
            const basic = Buffer.from(`${accessTokenId}:${secretKey}`).toString("base64");
            const key = { name: "secretKey", value: secretKey };
            this.#redactor = new Redactor([key, { name: "authorization", value: basic }]);
        }
        const { engine, lifetime } = this.dependencies;
        lifetime.start(engine);
        const warning = this.problems().length === 0 && addressWarning(this.#settings);
        if (warning) this.reporterFor(undefined).info(warning);
    }

    noteOrganization(name: unknown): void {
        if (typeof name === "string" && name !== "") this.#organization ??= name;
    }

    /** Notes texts that the engine has marked as secrets: messages do not quote them. */
    noteSecrets(texts: Iterable<string>): void {
        this.#secretTexts ??= new Set();
        for (const text of texts) this.#secretTexts.add(text);
    }

    get checkContext(): CheckContext {
        const { propertiesOf, isLivestream } = this.claims;
        return { region: this.#settings.region, propertiesOf, isLivestream };
    }

    /** The problems of the settings that can be found without a request. */
    problems(): Message[] {
        const texts = outputTexts(this.#settings).map(({ problem }) => problem);
        const { baseUrl, sources } = this.#settings;
        const name = baseUrlName(sources.baseUrl);
        const ofBaseUrl = texts.length > 0 || baseUrl === undefined ? texts : baseUrlProblems(baseUrl, name);
        return [...ofBaseUrl, ...this.userDecision.problems];
    }

    /** The fingerprint of the credentials, where they are known: a preview needs none. */
    get fingerprint(): string | undefined {
        const { accessTokenId, baseUrl = defaultBaseUrl } = this.#settings;
        const isKnown = accessTokenId !== undefined && baseUrlProblems(baseUrl).length === 0;
        return isKnown ? fingerprintOf(parseBaseUrl(baseUrl), accessTokenId) : undefined;
    }

    userMessage(error: unknown): Message {
        return this.redacted(explainError(error, this.#settings));
    }

    /** The text without the configuration's secrets, in the program's spelling; `verbatim` if it is about a file, whose names no language changes. */
    redacted<T extends string>(text: T, { verbatim = false } = {}): T {
        const { inProgramSpelling } = this.dependencies;
        const redacted = this.#redactor.redact(text);
        return (verbatim || inProgramSpelling === undefined ? redacted : inProgramSpelling(redacted)) as T;
    }

    reporterFor(resource: string | undefined): Reporter {
        const say = (severity: "info" | "warning", passing: boolean) => (message: string) =>
            this.dependencies.engine.say(severity, resource, this.redacted(message), passing);
        // A run with --refresh asks for every difference twice, and a replacement is checked twice.
        const once = (show: (message: string) => void) => (message: string) => {
            const note = `${resource} ${message}`;
            if (!this.#noted.has(note)) show(message);
            this.#noted.add(note);
        };
        return {
            urn: resource,
            progress: say("info", true),
            info: once(say("info", false)),
            warn: once(say("warning", false)),
        };
    }

    /** Reports interrupted creates before the first delete, which in an `up` follows all creates: after the last operation no message is shown. */
    async reportInterruptedBeforeDelete(urn: string | undefined): Promise<void> {
        if (this.#hasReportedInterrupted || urn === undefined) return;
        this.#hasReportedInterrupted = true;
        const isMeant = (entry: JournalEntry) => isSameStack(entry.urn, urn) && !this.claims.isDeclared(entry.urn);
        const { journal } = this.dependencies;
        await reportInterrupted(journal, journal.entries(), this.reporterFor(undefined).warn, isMeant);
    }

    operate<T>(
        { urn, timeouts, attempt }: Pick<Operation, "timeouts" | "attempt"> & { urn: string | undefined },
        body: (operation: Operation) => Promise<T>,
    ): Promise<T> {
        const { lifetime } = this.dependencies;
        const { signal, answerNow } = lifetime;
        return lifetime.during(async () => {
            const reporter = this.reporterFor(urn);
            const interrupted = () => {
                // The engine drops the answer, with its error, but still shows a line that comes at once.
                if (lifetime.answersAreDiscarded) reporter.info(messages.interrupted());
            };
            const stopListening = onAbort(signal, interrupted);
            let isOver = false;
            try {
                this.#services ??= this.#newServices();
                const context = { attempt, timeouts, services: this.#services, signal, answerNow, openedEntries: [] };
                return await body({ ...reporter, ...context, isOver: () => isOver });
            } finally {
                isOver = true;
                stopListening();
                // The answer follows its lines, unless it has to leave now.
                await unlessAborted(this.dependencies.engine.shown(urn), answerNow).catch(() => undefined);
            }
        });
    }

    #newServices(): Services {
        const credentials = credentialsOf(this.#settings);
        const { clock, random, transport, journal, engine, lifetime } = this.dependencies;
        const api = new VideographApi({ ...credentials, clock, random, ...(transport && { transport }) });
        return {
            api,
            clock,
            random,
            journal,
            ownState: this.dependencies.ownState({
                organization: () => this.#organization,
                port: engine.port,
                warn: this.reporterFor(undefined).warn,
            }),
            userDecision: this.userDecision,
            handledThisRun: new Set<string>(),
            startedAt: this.#startedAt,
            trust: new NotFoundTrust({ api, clock, claims: this.claims }, credentials.trustNotFound),
            watcher: new Watcher(api, clock, lifetime.signal),
            claims: this.claims,
            isSecret: (text) => this.#secretTexts?.has(text) ?? mayBeSecret(text),
            secrets: this.secrets,
            lists: new Lists(clock),
        };
    }
}
