/**
 * One life of one or two stacks, all of it decided by a seed: programs that change, runs of the CLI with faults, kills,
 * interrupts, lost checkpoints and wrong tokens in between, people who change things outside. Then the faults stop, and
 * what must hold is checked.
 */
import { FakeClock } from "../support/fakeClock.ts";
import type { Build } from "./build.ts";
import { Checks, describe } from "./checks.ts";
import { Dice } from "./dice.ts";
import { type Checkpoints, EngineRun } from "./engine.ts";
import { latestAcceptance, pickOutage } from "./faults.ts";
import { type Hazard, usualHazards } from "./hazards.ts";
import { Machine, type SimulatedProcess } from "./machine.ts";
import { type ProcessOptions, type ProviderProcess, startProvider } from "./providerProcess.ts";
import { type Sender, SimulatedService, type Token } from "./service.ts";
import {
    createdAs,
    type Declared,
    type Face,
    faceOf,
    faces,
    ProgramWriter,
    type Properties,
    type Saved,
    Stack,
} from "./stack.ts";

const endings = ["providerKilled", "bothKilled", "engineKilled", "machineFails", "interrupted"] as const;
type Ending = "orderly" | (typeof endings)[number];
type Command = "up" | "refresh" | "up --refresh" | "destroy";

/** No request outlives a killed engine for longer, in ms. */
const longestRequest = 65_000;
/** After its interrupt the engine kills the process, in ms. */
const graceAfterInterrupt = 5_000;
/** A run that takes longer has not ended, in ms: the longest wait is that for a content, 60 minutes. */
const longestRun = 3 * 3_600_000;
const hour = 3_600_000;

/** After the first Ctrl-C an `up` through the plugin has ended, in ms, as long as all requests are answered (N1). */
const longestCancel = 2_000;

/** How a run goes. */
interface RunPlan {
    command: Command;
    token: Token;
    ending: Ending;
    checkpoints: Checkpoints;
    replaced: ReadonlySet<string>;
}

/** A provider process of a run. */
interface Running extends ProviderProcess {
    face: Face;
    process: SimulatedProcess;
    sender: Sender;
}

/** The violations of one seed, each in a sentence; none when all is well. `log` hears what happens. */
export async function live(
    seed: number,
    build: Build,
    log: (line: string) => void = () => undefined,
    only: readonly Hazard[] = usualHazards,
): Promise<string[]> {
    // What is about the two faces has dice of its own, and so has the engine's pace: lives without native types are what they were before these.
    const dice = {
        all: new Dice(seed, only),
        face: new Dice(seed ^ 0x5eed_face, only),
        lag: new Dice(seed ^ 0x1a6, only),
    };
    const life = new Life(dice, build, log);
    try {
        await life.play();
        await life.conclude();
    } catch (error) {
        life.checks.violated(`it broke: ${error instanceof Error ? error.stack : error}`);
    }
    return life.checks.violations;
}

class Life {
    readonly checks: Checks;
    readonly #dice: Dice;
    readonly #faceDice: Dice;
    readonly #lagDice: Dice;
    /** Of the engine. */
    readonly #isSlow: boolean;
    readonly #clock = new FakeClock();
    readonly #machine: Machine;
    readonly #service: SimulatedService;
    readonly #build: Build;
    readonly #log: (line: string) => void;
    readonly #writer: ProgramWriter;
    readonly #stacks: Stack[];
    readonly #retries: { times: number; pause: number };
    readonly #skipsCheckpoints: boolean;
    /** The dynamic resources will become native ones. */
    readonly #migrates: boolean;
    #token: Token = "first";
    #trustsNotFound = false;
    /** What the rows of all runs said. */
    #said: string[] = [];
    /** How often the last runs called the provider. */
    #calls = 0;

    constructor(
        { all: dice, face: faceDice, lag }: Record<"all" | "face" | "lag", Dice>,
        build: Build,
        log: (line: string) => void,
    ) {
        this.#dice = dice;
        this.#faceDice = faceDice;
        this.#lagDice = lag;
        this.#isSlow = lag.hazard("slowEngine", 0.3);
        this.#build = build;
        this.#log = log;
        this.#machine = new Machine(this.#clock, dice);
        this.#service = new SimulatedService(this.#clock, dice, build.errors, (line) =>
            log(`    ${this.#clock.elapsed} ${line}`),
        );
        this.#writer = new ProgramWriter(dice);
        this.#stacks = this.#newStacks();
        this.checks = new Checks(this.#service, this.#machine, this.#stacks);
        this.#retries = { times: dice.hazard("retries", 0.4) ? dice.pick([1, 2]) : 0, pause: dice.pick([0, 5_000]) };
        this.#skipsCheckpoints = dice.hazard("checkpoints", 0.1);
        if (faceDice.hazard("native", 0.35)) for (const stack of this.#stacks) stack.face = "native";
        this.#migrates = faceDice.hazard("migrations", 0.35);
        for (const stack of this.#stacks) if (this.#migrates || stack.face === "native") this.#completeImport(stack);
        for (const place of ["here", "elsewhere"] as const) {
            for (let left = dice.below(4); left > 0; left--) this.#addForeignObject(place);
        }
    }

    /** Most lives have one stack. Two are clones of one project with a `file://.` each, or stacks of one project. */
    #newStacks(): Stack[] {
        const dice = this.#dice;
        const first = new Stack("dev", "/home/user/one");
        const others = [
            ...(dice.hazard("clones", 0.12) ? [new Stack("dev", "/home/user/two")] : []),
            ...(dice.hazard("moves", 0.12) ? [new Stack("prod", "/home/user/one")] : []),
        ];
        const stacks = [first, ...others];
        for (const stack of stacks) {
            stack.all = this.#writer.write();
            if (dice.hazard("readiness", 0.2)) {
                stack.all.push({ name: "library", kind: "ContentReadiness", inputs: {}, deleteBeforeReplace: false });
            }
            stack.program = [...stack.all];
        }
        if (dice.hazard("imports", 0.1)) this.#declareImport(first);
        return stacks;
    }

    #declareImport(stack: Stack): void {
        const kind = this.#dice.pick(["Content", "Livestream"] as const);
        const importId = this.#service.addForeign("here", kind, { title: "Old" });
        // Before a ContentReadiness, whose inputs it gives.
        stack.all.unshift({ name: "imported", kind, inputs: { title: "Old", importId }, deleteBeforeReplace: false });
        stack.program = [...stack.all];
        this.#service.imported.add(importId);
        this.#service.owners.set(`here ${importId}`, stack);
    }

    /** What was imported and shows an odd policy, or nothing at all, can only be managed with what a create needs. */
    #completeImport({ all }: Stack): void {
        const isOdd = ["title", "playback_policy", "playbackPolicy"].some((name) =>
            this.#service.hides("Content", name),
        );
        for (const declared of all) {
            const { kind, inputs } = declared;
            if (inputs.importId === undefined) continue;
            if (kind === "Livestream" && this.#service.hides(kind, "title")) {
                declared.besidesImport = { region: "us-east-1" };
            }
            if (kind === "Content" && isOdd)
                declared.besidesImport = { content: [{ url: "https://media.test/one.mp4" }] };
        }
    }

    async play(): Promise<void> {
        const dice = this.#dice;
        // No object of ours is as old as one that was there before.
        await this.#clock.advance(1_000);
        for (let left = 2 + dice.below(4) + this.#stacks.length - 1; left > 0 && !this.checks.failed; left--) {
            const stack = dice.pick(this.#stacks);
            stack.program = this.#writer.edit(stack.all);
            this.#moveThings(stack);
            if (this.#migrates && this.#faceDice.chance(0.4)) this.#migrate(stack);
            this.#changeOutside();
            if (dice.hazard("rotation", 0.1)) this.#token = "rotated";
            await this.#run(stack, this.#plan(stack));
            const shifted = this.#shiftClocks();
            const pause = dice.pick([0, 500, 10_000, 300_000, 5 * hour]) + (shifted ? 60_000 : 0);
            await this.#clock.advance(pause);
            if (pause > 30_000) this.#machine.disk.flush();
        }
    }

    /**
     * The project's program imports the native types from now on. Its stacks move with their next `up` each. The guide asks for
     * an `up` that ended before: the provider of the old type would not see that a native resource has what it deletes.
     */
    #migrate({ folder }: Stack): void {
        const stacks = this.#stacks.filter((stack) => stack.folder === folder);
        const isTwice = ({ id, pendingDelete }: Saved) => pendingDelete === true && this.#service.imported.has(id);
        if (stacks.some(({ saved }) => saved.some(isTwice))) return;
        for (const stack of stacks) stack.face = "native";
    }

    /** The next run: any command, faults and end. */
    #plan(stack: Stack): RunPlan {
        const dice = this.#dice;
        const service = this.#service;
        const foreign = dice.hazard("foreignToken", 0.12);
        const command = this.#command(stack, foreign);
        service.faultRate = dice.pick([0, 0, 0.1, 0.4]);
        service.refusesUpdates = dice.hazard("refusedUpdates", 0.08);
        service.outage = dice.hazard("gateway404", 0.12) ? pickOutage(dice, this.#clock.now()) : undefined;
        return {
            command,
            token: foreign ? "foreign" : this.#token,
            ending: dice.chance(0.45) ? dice.pick(endings) : "orderly",
            checkpoints: this.#checkpoints(),
            replaced: new Set(
                !foreign && dice.hazard("replace", 0.12)
                    ? stack.program
                          .slice(0, 1)
                          // The option `import` does not say what a create needs, and the preview that it is missing.
                          .filter(({ inputs }) => stack.face === "dynamic" || inputs.importId === undefined)
                          .map(({ name }) => name)
                    : [],
            ),
        };
    }

    #checkpoints(): Checkpoints {
        const dice = this.#dice;
        const skipped = this.#skipsCheckpoints;
        const [from, until] = dice.hazard("checkpoints", 0.12)
            ? dice.pick([
                  [2, 3],
                  [2, 99],
                  [4, 99],
                  [1, 99],
              ])
            : [99, 99];
        return {
            skipped,
            fails: (write) =>
                !skipped && write >= (from ?? 99) && write < (until ?? 99) ? true : skipped && from === 1,
        };
    }

    /** Under another environment's token what is new would be created there, and nobody could know better. */
    #command(stack: Stack, foreign: boolean): Command {
        const dice = this.#dice;
        if (foreign) {
            stack.program = stack.program.filter((declared) => stack.recorded(declared) !== undefined);
            return dice.pick(["refresh", "up", "destroy"]);
        }
        const roll = dice.random();
        return roll < 0.67 ? "up" : roll < 0.72 ? "up --refresh" : roll < 0.9 ? "refresh" : "destroy";
    }

    /** The faults have stopped. */
    async conclude(): Promise<void> {
        if (this.checks.failed) return;
        const { checks } = this;
        Object.assign(this.#service, { faultRate: 0, refusesUpdates: false, outage: undefined });
        // What killed processes had sent arrives before the next run, which takes no time here when it has nothing to do.
        await this.#clock.advance(longestRequest + latestAcceptance);
        // All that a rotated token finds missing, without a sibling to vouch for it, has to be confirmed by the user.
        for (const stack of this.#stacks) {
            if (this.#dice.hazard("destroyed", 0.3)) await this.#end(stack);
            else await this.#settle(stack);
            if (checks.failed) return;
        }
        for (const stack of this.#stacks) {
            await this.#end(stack);
            if (checks.failed) return;
        }
    }

    /** The program is applied until there is nothing left to do. */
    async #settle(stack: Stack): Promise<void> {
        const { checks } = this;
        stack.program = [...stack.all];
        this.#writer.repair(stack.all);
        let failures = await this.#orderly(stack, "up");
        // A Failed content is replaced by the next `up`; what was deleted, or was created under a rotated token, needs a refresh.
        for (let round = 0; round < 4 && failures.length > 0; round++) {
            await this.#clock.advance(30_000);
            this.#trustsNotFound = round > 0;
            this.#dropLostImports(stack);
            if (round > 0) await this.#orderly(stack, "refresh");
            failures = await this.#orderly(stack, "up");
        }
        if (failures.length > 0) checks.violated(`the last up still fails: ${failures.join(" | ")}`);
        // A killed process that nobody has reaped yet may pass for alive, and its create for one under way.
        await this.#clock.advance(longestRequest);
        // What interrupted creates under other credentials may have left behind is looked for once.
        await this.#orderly(stack, "up");
        await this.#nothingToDo(stack);
        checks.everythingAsDeclared(stack, "beforeRefresh", this.#said);
        this.#trustsNotFound = true;
        await this.#orderly(stack, "refresh");
        this.#dropLostImports(stack);
        await this.#clock.advance(longestRequest);
        await this.#orderly(stack, "up");
        checks.everythingAsDeclared(stack, "afterRefresh", this.#said);
        checks.nothingUnowned(stack, this.#said);
        await this.#nothingToDo(stack);
    }

    async #nothingToDo(stack: Stack): Promise<void> {
        const before = this.#service.requests;
        const failures = await this.#orderly(stack, "up");
        if (failures.length > 0) this.checks.violated(`an up without changes fails: ${failures.join(" | ")}`);
        // Of an object that was deleted outside a second one may be left. It is looked for until a refresh has shown the first gone.
        const isDrifted = stack.saved.some(({ id }) => this.checks.deletedOutside.has(id));
        if (this.#service.requests > before && !isDrifted && !this.#machine.mistakesProcesses)
            this.checks.violated("an up without changes sends requests");
    }

    /** `destroy`, and `stack rm`. */
    async #end(stack: Stack): Promise<void> {
        if (stack.all.length === 0) return;
        this.#trustsNotFound = false;
        const recorded = new Set(stack.saved.map(({ id }) => id));
        const before = this.#said.length;
        this.#calls = 0;
        for (let round = 0; round < 3; round++) {
            const failures = await this.#orderly(stack, "destroy");
            if (failures.length === 0) break;
            if (round === 2) this.checks.violated(`the last destroy still fails: ${failures.join(" | ")}`);
            this.#trustsNotFound = true;
            await this.#clock.advance(30_000);
        }
        this.checks.destroyed(stack, {
            recorded,
            called: this.#calls > 0,
            said: this.#said.slice(before),
            everSaid: this.#said,
        });
        stack.all = [];
        stack.program = [];
    }

    /** An object that was to be imported and was deleted cannot be imported any more. */
    #dropLostImports(stack: Stack): void {
        const there = new Set(this.#service.objects("here").map(({ id }) => id));
        const isLost = (declared: Declared) =>
            declared.inputs.importId !== undefined &&
            !there.has(String(declared.inputs.importId)) &&
            stack.recorded(declared) === undefined;
        stack.all = stack.all.filter((declared) => !isLost(declared));
        stack.program = [...stack.all];
    }

    #orderly(stack: Stack, command: Command): Promise<string[]> {
        const checkpoints = { skipped: this.#skipsCheckpoints, fails: () => false };
        return this.#run(stack, { command, token: this.#token, ending: "orderly", checkpoints, replaced: new Set() });
    }

    /** One run of the CLI, to whatever end. What failed, if it ended by itself. */
    async #run(stack: Stack, plan: RunPlan): Promise<string[]> {
        const { command, token, ending } = plan;
        this.#log(
            `${stack.folder} ${stack.name}: ${command}${[...plan.replaced].map((name) => ` --replace ${name}`).join("")} with the ` +
                `${token} token, ${ending}, faults ${this.#service.faultRate}: ${programText(stack)}`,
        );
        const known = new Set(stack.saved.map(({ id }) => id));
        const isPreviewed = command === "up" && stack.face === "native" && this.#faceDice.chance(0.3);
        const promised = isPreviewed ? await this.#preview(stack, plan) : new Map();
        const start = this.#clock.elapsed;
        const { engine, killed, created } = await this.#execute(stack, plan);
        // An `onError` hook repeats waits, too.
        if (this.#clock.elapsed - start > longestRun * (1 + this.#retries.times))
            this.checks.violated(`${command} took ${this.#clock.elapsed - start} ms`);
        for (const line of engine.failures) this.#log(`  failed: ${line}`);
        this.#log(`  ${killed ? "killed" : "ended"}; state: ${stack.saved.map(stateText).join(", ")}`);
        this.#log(`  there: ${this.#service.ours("here").map(describe).join(", ")}`);
        this.checks.afterRun(stack, command === "refresh" ? known : new Set());
        if (!killed) this.checks.nothingForgotten(engine, created);
        if (!killed && engine.failures.length === 0) this.checks.asPreviewed(engine, promised);
        return killed ? ["killed"] : engine.failures;
    }

    /** A preview, in processes of its own: it sends nothing, whatever it finds. */
    async #preview(stack: Stack, plan: RunPlan): Promise<ReadonlyMap<string, Properties>> {
        const { signal } = new AbortController();
        const options = { recordedState: this.#recordedState(stack), signal };
        const process = this.#machine.start();
        const provider = this.#startProvider("native", stack, plan, { ...options, process });
        const before = this.#service.requests;
        const cli = this.#machine.start();
        const engine = this.#newEngine(stack, plan, [provider], cli);
        const promised = await this.#clock.runUntil(engine.preview());
        await this.#clock.runUntil(engine.cancel());
        process.kill();
        cli.kill();
        for (const failure of engine.failures) this.checks.violated(`the preview fails: ${failure}`);
        if (this.#service.requests > before) this.checks.violated("a preview sends requests");
        return promised;
    }

    #newEngine(stack: Stack, plan: RunPlan, running: readonly Running[], cli: SimulatedProcess): EngineRun {
        const engine = new EngineRun(stack, Object.fromEntries(running.map((one) => [one.face, one.provider])), cli, {
            checkpoints: plan.checkpoints,
            replaced: plan.replaced,
            retries: this.#retries,
            sleep: (ms) => this.#clock.sleep(ms),
            lag: async () => {
                if (this.#isSlow) await this.#clock.sleep(this.#lagDice.random() * 3_000);
            },
        });
        for (const { sender } of running) sender.engine = engine;
        return engine;
    }

    async #execute(stack: Stack, plan: RunPlan) {
        const dice = this.#dice;
        const { ending, command } = plan;
        const deadAt = ending === "orderly" ? undefined : 1 + dice.below(dice.pick([10, 40, 160]));
        let onEnd: () => void = () => undefined;
        const end = new Promise<"killed">((resolve) => {
            onEnd = () => resolve("killed");
        });
        const machine = this.#machine;
        const cli = machine.start({ killAt: ending === "engineKilled" ? deadAt : undefined, onKill: onEnd });
        const interrupt = new AbortController();
        const running = this.#startProviders(stack, plan, { deadAt, onKill: onEnd, signal: interrupt.signal });
        const engine = this.#newEngine(stack, plan, running, cli);
        const work = execute(engine, command);
        if (ending === "interrupted") this.#interrupt(engine, interrupt, running);
        const how = await this.#clock.runUntil(Promise.race([work.then(() => "done" as const), end]));
        if (how === "killed") {
            engine.stop();
            cli.kill();
            await this.#clearUp(ending, running, interrupt);
        } else {
            this.#judgeCancel(engine);
            // The engine ends an idle process in order: for the package that is no more than a kill.
            await this.#clock.runUntil(Promise.race([engine.end(async () => killAll(running)), end]));
            cli.kill();
        }
        this.#calls += engine.calls;
        const senders = running.map(({ sender }) => sender);
        // What a run has changed that was killed, or whose checkpoints were lost, no state may know.
        if (how === "killed" || engine.lostCheckpoint) {
            for (const id of senders.flatMap(({ updated }) => [...updated])) this.checks.changedOutside.add(id);
        }
        // Nor what changes from now on: a provider may outlive its engine, and a request its provider.
        for (const sender of senders) sender.updated = this.checks.changedOutside;
        return { engine, killed: how === "killed", created: senders.flatMap(({ created }) => [...created]) };
    }

    /** One process for each face that the state or the program has. A kill hits one of them. */
    #startProviders(
        stack: Stack,
        plan: RunPlan,
        { deadAt, onKill, signal }: { deadAt: number | undefined; onKill: () => void; signal: AbortSignal },
    ): Running[] {
        const inUse = new Set([stack.face, ...stack.saved.map(({ urn }) => faceOf(urn))]);
        const needed = faces.filter((face) => inUse.has(face));
        const doomed = needed.length > 1 ? this.#faceDice.pick(needed) : needed[0];
        const { ending } = plan;
        // The plugin hears of an interrupt before anything is killed.
        const isKilled = ending !== "orderly" && ending !== "engineKilled" && !isCancel(ending, needed);
        const recordedState = this.#recordedState(stack);
        return needed.map((face) => {
            const killAt = isKilled && face === doomed ? deadAt : undefined;
            const process = this.#machine.start({ killAt, onKill });
            return this.#startProvider(face, stack, plan, { process, recordedState, signal });
        });
    }

    /**
     * The plugin is told of the first Ctrl-C, and a second one may follow. A dynamic provider knows nothing before the second:
     * the engine waits a little for what is under way.
     */
    #interrupt(engine: EngineRun, interrupt: AbortController, running: readonly Running[]): void {
        const { Interrupted } = this.#build.lifecycle;
        const second = async () => {
            interrupt.abort(new Interrupted());
            await this.#clock.sleep(graceAfterInterrupt);
            killAll(running);
        };
        void this.#clock.sleep(this.#dice.random() * this.#dice.pick([1_000, 60_000])).then(() => {
            engine.stop();
            if (!isCancel("interrupted", facesOf(running))) void second();
            else if (this.#faceDice.chance(0.25)) void this.#clock.sleep(this.#faceDice.random() * 10_000).then(second);
            else engine.cancelledAt = this.#clock.elapsed;
            void engine.cancel();
        });
    }

    /** After the first Ctrl-C nothing is waited for but requests under way, and `onError` hooks. */
    #judgeCancel({ cancelledAt }: EngineRun): void {
        if (this.#isSlow) return;
        const took = this.#clock.elapsed - (cancelledAt ?? this.#clock.elapsed);
        const { times, pause } = this.#retries;
        const underWay = this.#service.faultRate === 0 ? longestCancel : longestRequest;
        if (took > underWay + times * (pause + underWay)) this.checks.violated(`the first Ctrl-C took ${took} ms`);
    }

    /** What a kill leaves behind: a provider that outlives its engine goes on with what is under way, then ends. */
    async #clearUp(ending: Ending, running: readonly Running[], interrupt: AbortController): Promise<void> {
        if (ending === "machineFails") {
            killAll(running);
            this.#machine.restart();
        } else if (ending === "engineKilled") {
            interrupt.abort(new this.#build.lifecycle.Interrupted());
            const quiet = Promise.all(running.map((one) => one.quiet()));
            const ended = Promise.race([quiet, this.#clock.sleep(longestRequest)]).then(() => killAll(running));
            // The next run may begin before it has ended.
            if (!this.#dice.hazard("outliving", 0.4)) await this.#clock.runUntil(ended);
        } else killAll(running);
    }

    /** What `pulumi stack export` prints, where a provider can find the CLI. */
    #recordedState(stack: Stack) {
        const isKnown = !this.#dice.hazard("noCli", 0.3);
        const project = this.#stacks.filter(({ folder }) => folder === stack.folder);
        return new this.#build.ExportedState(async ([, command, , name]) => {
            if (!isKnown) return undefined;
            if (command === "ls") return JSON.stringify(project.map(({ name }) => ({ name })));
            const asked = project.find((one) => one.name === name);
            if (asked === undefined) return undefined;
            const pending = asked.pending.map((resource) => ({ type: "creating", resource }));
            return JSON.stringify({ deployment: { resources: asked.saved, pending_operations: pending } });
        });
    }

    #startProvider(
        face: Face,
        stack: Stack,
        { command, token }: RunPlan,
        world: Pick<ProcessOptions, "process" | "recordedState" | "signal">,
    ): Running {
        // A destroy wants nothing.
        const wanted = command === "destroy" ? [] : stack.program;
        const identities = new Map(wanted.map((declared) => [declared.name, createdAs(declared)]));
        const { process } = world;
        const sender: Sender = { process, stack, identities, updated: new Set(), created: new Set() };
        const provider = startProvider(face, this.#build, {
            ...world,
            transport: this.#service.transportFor(sender),
            random: this.#dice.random,
            folder: stack.folder,
            ...this.#settings(face, token),
            say: (severity, message) => {
                this.#said.push(message);
                this.#log(`      ${severity}: ${message}`);
            },
        });
        return { ...provider, face, process, sender };
    }

    /** The environment's variables, or the stack's configuration, which the plugin is given as well. */
    #settings(face: Face, token: Token): Pick<ProcessOptions, "variables" | "settings"> {
        const trustNotFound = this.#trustsNotFound ? "true" : undefined;
        if (face === "native" && this.#faceDice.chance(0.5)) {
            const credentials = { accessTokenId: token, secretKey: "secret", baseUrl: "https://video.test" };
            return { variables: {}, settings: { ...credentials, trustNotFound } };
        }
        const variables = {
            VIDEOGRAPH_ACCESS_TOKEN_ID: token,
            VIDEOGRAPH_SECRET_KEY: "secret",
            VIDEOGRAPH_BASE_URL: "https://video.test",
            ...(trustNotFound && { VIDEOGRAPH_TRUST_NOT_FOUND: trustNotFound }),
        };
        return { variables, settings: {} };
    }

    /** `stack rename`, `state move`, a resource that gets another name. */
    #moveThings(stack: Stack): void {
        const dice = this.#dice;
        if (dice.hazard("renames", 0.05)) {
            this.#log(`${stack.name} is renamed`);
            stack.rename(`${stack.name}2`);
        }
        if (dice.hazard("aliases", 0.05) && stack.all.length > 0) {
            const declared = dice.pick(stack.all);
            const name = `${declared.name}renamed`;
            if (!stack.all.some((other) => other.name === name || other.alias === declared.name))
                Object.assign(declared, { alias: declared.name, name });
        }
        const other = this.#stacks.find((one) => one.folder === stack.folder && one !== stack);
        if (other !== undefined && dice.chance(0.3)) this.#moveState(stack, other);
    }

    /** `pulumi state move`: the other stack has the resource now, in state and program. The name may be declared again. */
    #moveState(from: Stack, to: Stack): void {
        if (from.all.length === 0) return;
        const declared = this.#dice.pick(from.all);
        const saved = from.recorded(declared);
        if (
            saved === undefined ||
            declared.kind === "ContentReadiness" ||
            to.all.some(({ name, alias }) => name === declared.name || alias === declared.name)
        )
            return;
        this.#log(`${declared.name} is moved from ${from.name} to ${to.name}`);
        from.saved = from.saved.filter((one) => one !== saved);
        to.saved.push(saved);
        to.showsOldNames = true;
        to.all.unshift({ ...declared, alias: undefined, inputs: { ...declared.inputs } });
        saved.urn = to.urnOf(declared, faceOf(saved.urn));
        this.#service.owners.set(`here ${saved.id}`, to);
        // With it goes what else an ambiguous create of it has made.
        for (const id of this.#service.sharingMarker(saved.id)) this.#service.owners.set(`here ${id}`, to);
        // Two programs that adopt one object, which has no marker, would change it in turn: nobody could tell.
        const isGone = this.#dice.chance(0.3) || declared.inputs.importId !== undefined;
        if (isGone) from.all = from.all.filter((one) => one !== declared);
        from.program = this.#writer.edit(from.all);
        to.program = [...to.all];
    }

    /** An object that was created less than 30 s ago is known as such by the wall clock alone: then nobody sets it. */
    #shiftClocks(): boolean {
        const dice = this.#dice;
        if (!dice.hazard("clocks", 0.1)) return false;
        const slept = dice.chance(0.5);
        const ms = slept ? dice.pick([10 * 60_000, 5 * hour]) : dice.pick([-30 * 60_000, 30 * 60_000, 3 * 60_000]);
        this.#log(slept ? `the machine sleeps for ${ms} ms` : `the wall clock is set by ${ms} ms`);
        this.#machine.shiftWallClock(ms);
        if (slept) this.#service.passTime(ms);
        return true;
    }

    #changeOutside(): void {
        const dice = this.#dice;
        if (dice.chance(0.15)) this.#addForeignObject(dice.pick(["here", "elsewhere"]));
        const saved = new Set(this.#stacks.flatMap((stack) => stack.saved.map(({ id }) => id)));
        const recorded = this.#service.ours("here").filter(({ id }) => saved.has(id));
        const object = recorded[dice.below(recorded.length)];
        if (object === undefined) return;
        if (dice.chance(0.15)) {
            this.#service.retitle(object, "Changed outside");
            this.checks.changedOutside.add(object.id);
        }
        if (dice.chance(0.08)) {
            this.#log(`somebody deletes ${describe(object)}`);
            this.#service.remove(object);
            this.checks.deletedOutside.add(object.id);
        }
    }

    /** Somebody else's, with a title like ours, and sometimes another stack's marker. */
    #addForeignObject(place: "here" | "elsewhere"): void {
        const dice = this.#dice;
        const metadata = dice.pick([
            [],
            [{ key: "managed_by", value: "pulumi:other/stack/thing:11111111-22222222-33333333-0-0123456789ab" }],
        ]);
        const title = dice.pick(["Trailer", "Other"]);
        this.#service.addForeign(place, dice.pick(["Content", "Livestream"]), { title, metadata });
    }
}

function killAll(running: readonly Running[]): void {
    for (const { process } of running) process.kill();
}

function facesOf(running: readonly Running[]): Face[] {
    return running.map(({ face }) => face);
}

/** Whether every provider hears of the first Ctrl-C. */
function isCancel(ending: Ending, running: readonly Face[]): boolean {
    return ending === "interrupted" && !running.includes("dynamic");
}

function execute(engine: EngineRun, command: Command): Promise<void> {
    switch (command) {
        case "up":
            return engine.up();
        case "up --refresh":
            return engine.refresh().then(() => (engine.failures.length > 0 ? undefined : engine.up()));
        case "refresh":
            return engine.refresh();
        case "destroy":
            return engine.destroy();
    }
}

function programText({ program }: Stack): string {
    return program.map(({ name, kind, inputs }) => `${name} ${kind} ${JSON.stringify(inputs)}`).join(", ");
}

function stateText({ urn, id, failed, pendingDelete }: Saved): string {
    return `${urn.split("::").at(-1)}=${id}${failed ? "!" : ""}${pendingDelete ? " to be deleted" : ""}`;
}
