/** Everything that all resources of one provider process share: configuration, environment, journal, engine, lifetime. */

import { setFlagsFromString } from "node:v8";
import {
    type Clock,
    defaultBaseUrl,
    fingerprintOf,
    onAbort,
    parseBaseUrl,
    type Random,
    systemClock,
    type Transport,
    unlessAborted,
    VideographApi,
} from "../api";
import { closeAnswered, reportInterrupted } from "../create/ledger";
import { Journal, journalFolder } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalFile";
import { Lists } from "../evidence/lists";
import { Nonces } from "../evidence/marker";
import type { CheckContext, Timeouts } from "../inputs/values";
import { LifecycleError, type Message, messages, type Reporter } from "../messages";
import { NotFoundTrust } from "../operation/notFound";
import { ObjectClaims } from "../operation/objectClaims";
import { type Operation, PartialFailure, type Services } from "../operation/operation";
import { newAttempt, OwnState } from "../operation/ownState";
import { UserDecision } from "../operation/userDecision";
import { Redactor, tokenSecrets } from "../secrets/redactor";
import { KnownSecrets } from "../secretValues/known";
import { isSameStack } from "../urn";
import { Watcher } from "../wait/watcher";
import { Engine } from "./engine";
import { cliOfRun } from "./engineCli";
import { addressWarning, explainError } from "./explain";
import { Lifetime } from "./lifetime";
import { cliVariables } from "./pulumiCommand";
import { credentialsOf, problemsIn, type ResolvedSettings, resolveSettings, type Settings } from "./settings";
import { stateExporter } from "./stateExporter";

export interface Dependencies {
    clock: Clock;
    random: Random;
    /** The network; undici by default. */
    transport?: Transport;
    journal: Journal;
    /** The stack's own state. `port`: the engine's. */
    ownState(
        run: Pick<OwnState["options"], "organization" | "warn"> & { port?: string | undefined },
    ): Services["ownState"];
    variables: NodeJS.ProcessEnv;
    engine: Pick<Engine, "say" | "shown" | "watch"> & { port?: string | undefined };
    lifetime: Pick<Lifetime, "signal" | "answerNow" | "answersAreDiscarded" | "cancel" | "during" | "start">;
    /** A message with the names of properties as the program's language spells them. */
    inProgramSpelling?: (text: string) => string;
}

/** A call of the engine. */
export interface Call {
    /** See {@link Reporter}. */
    urn: string;
    timeouts?: Timeouts;
    /** See {@link Operation}. */
    attempt?: string | undefined;
    /** Whether it is a create or an update, which an `onError` hook makes the engine repeat. */
    mayBeRepeated?: boolean;
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
    readonly secrets = new KnownSecrets();
    readonly userDecision: UserDecision;
    isConfigured = false;
    /** The lines that this process has put on rows, so that each is shown once. */
    readonly #noted = new Nonces();
    readonly #startedAt: Services["startedAt"];
    /** The last partial failure of a create or an update, by URN. */
    readonly #partialFailures = new Map<string, PartialFailure>();
    #hasReportedInterrupted = false;
    #settings: ResolvedSettings = { sources: {} };
    #redactor = new Redactor([]);
    #services: Services | undefined;
    #organization: string | undefined;

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
        if (secretKey !== undefined) this.#redactor = new Redactor(tokenSecrets({ accessTokenId, secretKey }));
        const { engine, lifetime } = this.dependencies;
        lifetime.start(engine);
        const warning = this.problems().length === 0 && addressWarning(this.#settings);
        if (warning) this.reporterFor("").info(warning);
    }

    noteOrganization(name: unknown): void {
        if (typeof name === "string" && name !== "") this.#organization ??= name;
    }

    get checkContext(): CheckContext {
        return { region: this.#settings.region, propertiesOf: this.claims.propertiesOf };
    }

    /** The problems of what the user has set, as far as they can be found without a request. */
    problems(): Message[] {
        return [...problemsIn(this.#settings), ...this.userDecision.problems];
    }

    /** The attempt for a new resource: see {@link newAttempt}. A preview needs no credentials, so their fingerprint may be unknown. */
    newAttempt(given: unknown, seed: string | undefined): unknown {
        const { accessTokenId, baseUrl = defaultBaseUrl } = this.#settings;
        const isKnown = accessTokenId !== undefined && problemsIn(this.#settings).length === 0;
        const fingerprint = isKnown ? fingerprintOf(parseBaseUrl(baseUrl), accessTokenId) : undefined;
        const { engine, random } = this.dependencies;
        return newAttempt(given, seed, random, { fingerprint, port: engine.port });
    }

    /** The text without the configuration's secrets, in the program's spelling; `verbatim` if it is about a file, whose names no language changes. */
    redacted<T extends string>(text: T, { verbatim = false } = {}): T {
        const { inProgramSpelling } = this.dependencies;
        const redacted = this.#redactor.mask(text);
        return (verbatim || inProgramSpelling === undefined ? redacted : inProgramSpelling(redacted)) as T;
    }

    reporterFor(urn: string): Reporter {
        const say = (severity: "info" | "warning", passing: boolean) => (message: string) =>
            this.dependencies.engine.say(severity, urn, this.redacted(message), passing);
        // A run with --refresh asks for every difference twice, and a replacement is checked twice: their lines would be there twice.
        const once = (show: (message: string) => void) => (message: string) => {
            const note = `${urn} ${message}`;
            if (!this.#noted.has(note)) show(message);
            this.#noted.add(note);
        };
        return {
            urn,
            progress: say("info", true),
            info: once(say("info", false)),
            warn: once(say("warning", false)),
        };
    }

    /** Reports interrupted creates before the first delete: in an `up`, all creates have begun by then. After the last operation the engine shows no line. */
    async reportInterruptedBeforeDelete(urn: string): Promise<void> {
        if (this.#hasReportedInterrupted || urn === "") return;
        this.#hasReportedInterrupted = true;
        const isMeant = (entry: JournalEntry) => isSameStack(entry.urn, urn) && !this.claims.isDeclared(entry.urn);
        const { journal } = this.dependencies;
        await reportInterrupted(journal, journal.entries(), this.reporterFor("").warn, isMeant);
    }

    /** Runs a call of the engine, whichever it is: all pass here. */
    runOperation<T>(call: Call, body: (operation: Operation) => Promise<T>): Promise<T> {
        const { urn, timeouts = {}, attempt } = call;
        const { engine, lifetime } = this.dependencies;
        const { signal, answerNow } = lifetime;
        const reporter = this.reporterFor(urn);
        const openedEntries: JournalEntry[] = [];
        const open = () => this.#openServices();
        const operation = {
            ...{ ...reporter, attempt, timeouts, signal, answerNow, openedEntries },
            // At the first use: a check or a difference sends nothing, and works without credentials.
            get services() {
                return open();
            },
        };
        let isAnswered = true;
        // Without `during` the process could end before the answer has left.
        return lifetime.during(async () => {
            const stopListening = onAbort(signal, () => {
                // The engine drops the answer, with its error, but still shows a line that comes at once.
                if (lifetime.answersAreDiscarded) reporter.info(messages.interrupted());
            });
            try {
                return await body(operation);
            } catch (error) {
                isAnswered = error instanceof PartialFailure;
                throw this.#failureOf(error, call);
            } finally {
                // The state will name its creates, unless the engine discards the answer.
                const isRecorded = isAnswered && !lifetime.answersAreDiscarded;
                if (isRecorded && openedEntries.length > 0) await closeAnswered(operation);
                stopListening();
                // A row whose operation has ended keeps the line that it shows, so its lines come before the answer, unless that has to leave now.
                const lines = engine.shown(urn);
                if (lines !== undefined) await unlessAborted(lines, answerNow).catch(() => undefined);
            }
        });
    }

    /** The error for the engine: with the origin of the settings that it is about, and without the configuration's secrets. */
    #failureOf(error: unknown, { urn, mayBeRepeated }: Call): LifecycleError {
        const message = this.redacted(explainError(error, this.#settings));
        const before = mayBeRepeated ? this.#partialFailures.get(urn) : undefined;
        // The engine forgets a partial failure if the repetition that an `onError` hook asks for fails in any other way: so that fails with its id.
        const known = error instanceof PartialFailure ? error : before;
        if (known === undefined) return new LifecycleError(message);
        const failure = new PartialFailure(known.id, known.outputs, message);
        if (mayBeRepeated && urn !== "") this.#partialFailures.set(urn, failure);
        return failure;
    }

    /** Opens what requests need, once. @throws {LifecycleError} without credentials. */
    #openServices(): Services {
        this.#services ??= this.#newServices();
        return this.#services;
    }

    #newServices(): Services {
        const { claims, secrets, userDecision } = this;
        const { clock, random, transport, journal, engine, lifetime, ownState } = this.dependencies;
        const { trustNotFound, ...credentials } = credentialsOf(this.#settings);
        const api = new VideographApi({ ...credentials, clock, random, ...(transport && { transport }) });
        const { warn } = this.reporterFor("");
        const known = { api, clock, random, journal, claims, secrets, userDecision, startedAt: this.#startedAt };
        return {
            ...known,
            ownState: ownState({ organization: () => this.#organization, port: engine.port, warn }),
            handledThisRun: new Nonces(),
            trust: new NotFoundTrust(known, trustNotFound),
            watcher: new Watcher(api, clock, lifetime.signal),
            lists: new Lists(clock),
        };
    }
}
