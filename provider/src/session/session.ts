/** What all resources of one provider process share: the settings, the client of the service, the journal, and the connection to the engine. */

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
import type { CheckContext, Properties, Timeouts } from "../inputs/values";
import { LifecycleError, type Message, messages, type Reporter } from "../messages";
import { NotFoundTrust } from "../operation/notFound";
import { ObjectClaims } from "../operation/objectClaims";
import { type Operation, PartialFailure, type Services } from "../operation/operation";
import { attemptIn, newAttempt, OwnState } from "../operation/ownState";
import { UserDecision } from "../operation/userDecision";
import { Redactor, tokenSecrets } from "../secrets/redactor";
import { KnownSecrets } from "../secretValues/known";
import { isSameStack } from "../urn";
import { Schedule } from "../wait/schedule";
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
    /** Sends the requests; undici by default. A test puts an emulated service in its place. */
    transport?: Transport;
    journal: Journal;
    /** Makes the reader of the stack's state. `port`: the engine's port, by which the CLI that runs the engine is found. */
    ownState(
        run: Pick<OwnState["options"], "organization" | "warn"> & { port?: string | undefined },
    ): Services["ownState"];
    variables: NodeJS.ProcessEnv;
    engine: Pick<Engine, "say" | "shown" | "watch"> & { port?: string | undefined };
    lifetime: Pick<Lifetime, "signal" | "answerNow" | "answersAreDiscarded" | "cancel" | "during" | "start">;
    /** Spells the names of properties in a message as the program's language does: `playback_policy` in Python. */
    inProgramSpelling?: (text: string) => string;
}

/** A call of the engine. */
export interface Call {
    /** The URN of the resource; "" for a function, and for a dynamic `.get`. */
    urn: string;
    timeouts?: Timeouts;
    /**
     * The declared inputs; only for a create or an update. A program's hook `onError` may make the engine repeat a create or an update in the same
     * run (see `#failureOf`).
     */
    inputs?: Properties;
}

/** The dependencies of a real process. A test makes its own. */
export function realDependencies(): Dependencies {
    // Without this flag, Node collects garbage so late that thousands of objects take hundreds of megabytes.
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
    /** The problems of the settings and of `VIDEOGRAPH_UNRECORDED` that can be found without a request. Each check of a resource reports them. */
    problems: readonly Message[] = [];
    /** The notes and warnings that were shown, each with its row. None is shown twice. */
    readonly #noted = new Set<string>();
    readonly #startedAt: Services["startedAt"];
    /** The last failed create or update after which the resource has an object, by URN. */
    readonly #partialFailures = new Map<string, PartialFailure>();
    #hasReportedInterrupted = false;
    #settings: ResolvedSettings = { sources: {} };
    #redactor = new Redactor([]);
    /** The fingerprint of the base URL and the access token id; `undefined` where they are missing or wrong. */
    #fingerprint: string | undefined;
    #services: Services | undefined;
    #organization: string | undefined;

    constructor(readonly dependencies: Dependencies) {
        this.userDecision = new UserDecision(dependencies.variables.VIDEOGRAPH_UNRECORDED);
        const { clock } = dependencies;
        this.#startedAt = { now: clock.now(), monotonic: clock.monotonic() };
    }

    /**
     * Takes the settings. `own`: the settings of a provider that the program declares. Only the first call counts: the SDK calls this for each
     * resource.
     */
    configure(own: Settings, stack: Settings): void {
        if (this.isConfigured) return;
        this.isConfigured = true;
        this.#settings = resolveSettings(own, stack, this.dependencies.variables);
        const { accessTokenId = "", secretKey, baseUrl = defaultBaseUrl } = this.#settings;
        if (secretKey !== undefined) this.#redactor = new Redactor(tokenSecrets({ accessTokenId, secretKey }));
        const { engine, lifetime } = this.dependencies;
        lifetime.start(engine);
        this.problems = [...problemsIn(this.#settings), ...this.userDecision.problems];
        if (this.problems.length > 0) return;
        if (accessTokenId !== "") this.#fingerprint = fingerprintOf(parseBaseUrl(baseUrl), accessTokenId);
        const warning = addressWarning(this.#settings);
        if (warning !== undefined) this.reporterFor("").info(warning);
    }

    noteOrganization(name: unknown): void {
        if (typeof name === "string" && name !== "") this.#organization ??= name;
    }

    get checkContext(): CheckContext {
        return { region: this.#settings.region, propertiesOf: this.claims.propertiesOf };
    }

    /** The attempt of a new resource: see {@link newAttempt}. It lacks the fingerprint where a preview has no credentials. */
    newAttempt(given: unknown, seed: string | undefined): unknown {
        const { engine, random } = this.dependencies;
        return newAttempt(given, seed, random, { fingerprint: this.#fingerprint, port: engine.port });
    }

    /**
     * The text without the credentials, and with the names of properties as the program's language spells them. `verbatim`: names stay as they are,
     * because the text is about a JSON or YAML file, in which they are the same for every language.
     */
    redacted<T extends string>(text: T, { verbatim = false } = {}): T {
        const { inProgramSpelling } = this.dependencies;
        const redacted = this.#redactor.mask(text);
        return (verbatim || inProgramSpelling === undefined ? redacted : inProgramSpelling(redacted)) as T;
    }

    reporterFor(urn: string): Reporter {
        const say = (severity: "info" | "warning", passing: boolean) => (message: string) =>
            this.dependencies.engine.say(severity, urn, this.redacted(message), passing);
        // With `up --refresh` the engine asks for each difference twice, and it checks each replacement twice. Without this filter, each line would
        // be shown twice.
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

    /**
     * Names, once, the interrupted creates of resources that the program no longer declares. Called before the first delete. By then an `up` has
     * begun all its creates, so it is known which resources the program declares. After the last operation, the engine would show no line any more.
     */
    async reportInterruptedBeforeDelete(urn: string): Promise<void> {
        if (this.#hasReportedInterrupted) return;
        this.#hasReportedInterrupted = true;
        const isMeant = (entry: JournalEntry) => isSameStack(entry.urn, urn) && !this.claims.isDeclared(entry.urn);
        const { journal } = this.dependencies;
        await reportInterrupted(journal, journal.entries(), this.reporterFor("").warn, isMeant);
    }

    /** Runs a call of the engine. Every call passes here. */
    runOperation<T>(call: Call, body: (operation: Operation) => Promise<T>): Promise<T> {
        const { urn, timeouts = {}, inputs } = call;
        const { engine, lifetime } = this.dependencies;
        const { signal, answerNow } = lifetime;
        const reporter = this.reporterFor(urn);
        const openedEntries: JournalEntry[] = [];
        const open = () => this.#openServices();
        const operation = {
            ...{ ...reporter, attempt: inputs && attemptIn(inputs), timeouts, signal, answerNow, openedEntries },
            // Opened at the first use: a check or a diff sends nothing, and has to work without credentials.
            get services() {
                return open();
            },
        };
        let isAnswered = true;
        // `during` keeps the process alive until the engine has the answer.
        return lifetime.during(async () => {
            const stopListening = onAbort(signal, () => {
                // The engine will not take the error of this call, but it still shows a line that comes at once.
                if (lifetime.answersAreDiscarded) reporter.info(messages.interrupted());
            });
            try {
                return await body(operation);
            } catch (error) {
                isAnswered = error instanceof PartialFailure;
                throw this.#failureOf(error, call);
            } finally {
                // With the answer, the engine records the objects of this call's creates, so their journal entries are closed. If the engine drops
                // the answer, the entries stay: nothing else names the objects.
                const isRecorded = isAnswered && !lifetime.answersAreDiscarded;
                if (isRecorded && openedEntries.length > 0) await closeAnswered(operation);
                stopListening();
                // After the answer, the row shows no further line. So the answer waits for the row's lines, unless the process is about to end.
                const lines = engine.shown(urn);
                if (lines !== undefined) await unlessAborted(lines, answerNow).catch(() => undefined);
            }
        });
    }

    /** The error for the engine. It says where a wrong setting comes from, and holds no credentials. */
    #failureOf(error: unknown, { urn, inputs }: Call): LifecycleError {
        const message = this.redacted(explainError(error, this.#settings));
        const before = inputs && this.#partialFailures.get(urn);
        // `before` is set where a hook `onError` has made the engine repeat a call that had failed with an object. If the repetition failed without
        // an id, the engine would forget the object: so it fails with the id of the first failure.
        const known = error instanceof PartialFailure ? error : before;
        if (known === undefined) return new LifecycleError(message);
        const failure = new PartialFailure(known.id, known.outputs, message);
        if (inputs !== undefined) this.#partialFailures.set(urn, failure);
        return failure;
    }

    /** The services, made at the first call. @throws {LifecycleError} without credentials */
    #openServices(): Services {
        this.#services ??= this.#newServices();
        return this.#services;
    }

    #newServices(): Services {
        const { claims, secrets, userDecision } = this;
        const { clock, random, transport, journal, engine, lifetime, ownState } = this.dependencies;
        const account = credentialsOf(this.#settings);
        const api = new VideographApi({ ...account, clock, random, ...(transport && { transport }) });
        const { warn } = this.reporterFor("");
        const known = { api, clock, random, journal, claims, secrets, userDecision, startedAt: this.#startedAt };
        return {
            ...known,
            ownState: ownState({ organization: () => this.#organization, port: engine.port, warn }),
            handledThisRun: new Nonces(),
            trust: new NotFoundTrust(known, account.trustNotFound),
            schedule: new Schedule(api, clock, lifetime.signal),
            lists: new Lists(clock),
        };
    }
}
