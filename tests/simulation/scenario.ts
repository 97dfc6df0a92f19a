/**
 * One life of a stack, all of it decided by a seed: a program that changes, runs of the CLI with faults, kills, interrupts
 * and wrong tokens in between, people who change things outside. Then the faults stop, and what must hold is checked.
 */
import { FakeClock, seededRandom } from "../support/fakeClock.ts";
import type { Build } from "./build.ts";
import { SimulatedDisk } from "./disk.ts";
import { type Declared, EngineRun, type Kind, type Provider, type Saved, urnOf } from "./engine.ts";
import { SimulatedProcess } from "./process.ts";
import { SimulatedService, type StoredObject, type Token, tokens } from "./service.ts";

type Ending = "orderly" | "providerKilled" | "bothKilled" | "engineKilled" | "machineFails" | "interrupted";
type Command = "up" | "refresh" | "destroy";

/** No request outlives a killed engine for longer, in ms. */
const longestRequest = 65_000;
/** After its interrupt the engine kills the process, in ms. */
const graceAfterInterrupt = 5_000;
/** A run that takes longer has not ended, in ms: the longest wait is that for a content, 60 minutes. */
const longestRun = 3 * 3_600_000;

/** The violations of one seed, each in a sentence; none when all is well. `tell` hears what happens. */
export async function live(
    seed: number,
    build: Build,
    tell: (line: string) => void = () => undefined,
): Promise<string[]> {
    const scenario = new Scenario(seed, build, tell);
    try {
        await scenario.play();
        await scenario.conclude();
    } catch (error) {
        scenario.violations.push(`it broke: ${error instanceof Error ? error.stack : error}`);
    }
    return scenario.violations;
}

class Scenario {
    readonly violations: string[] = [];
    readonly #random: () => number;
    readonly #clock = new FakeClock();
    readonly #service: SimulatedService;
    readonly #disk: SimulatedDisk;
    readonly #build: Build;
    readonly #tell: (line: string) => void;
    readonly #state: Saved[] = [];
    #pids = 0;
    readonly #all: Declared[];
    #program: Declared[];
    #token: Token = "first";
    #trustsNotFound = false;

    constructor(seed: number, build: Build, tell: (line: string) => void) {
        this.#random = seededRandom(seed);
        this.#build = build;
        this.#tell = tell;
        this.#service = new SimulatedService(
            this.#clock,
            this.#random,
            {
                listsHaveMetadata: this.#chance(0.3),
                newestFirst: this.#chance(0.5),
                pageSize: this.#pick([3, 10]),
                largestPage: this.#pick([3, 30, 100]),
                createdStatus: this.#pick([200, 201]),
                terseCreate: this.#chance(0.3),
                titles: this.#pick(["kept", "trimmed", "collapsed"]),
                visibleDelay: this.#pick([0, 0, 3_000]),
                listDelay: this.#pick([0, 0, 4_000]),
                latency: this.#pick([1, 50, 400]),
                processing: this.#pick([0, 5_000, 120_000]),
                deleting: this.#pick([0, 20_000]),
            },
            build.errors,
            (line) => tell(`    ${this.#clock.elapsed} ${line}`),
        );
        this.#disk = new SimulatedDisk(this.#random);
        const titles = ["Trailer", "Trailer", " Key  note"];
        this.#all = titles.slice(0, 1 + this.#below(3)).map((title, index) => ({
            name: `resource${index}`,
            kind: this.#chance(0.7) ? "Content" : "Livestream",
            inputs: { title },
            deleteBeforeReplace: this.#chance(0.2),
        }));
        for (const declared of this.#all) this.#rewrite(declared, true);
        this.#program = [...this.#all];
        for (const place of ["here", "elsewhere"] as const) {
            for (let left = this.#below(4); left > 0; left--) this.#foreignObject(place);
        }
    }

    async play(): Promise<void> {
        for (let left = 2 + this.#below(4); left > 0 && this.violations.length === 0; left--) {
            this.#changeProgram();
            this.#changeOutside();
            if (this.#chance(0.1)) this.#token = "rotated";
            const wrong = this.#chance(0.12) && (this.#chance(0.6) || this.#isSettled());
            const command = this.#command(wrong);
            this.#service.faultRate = this.#pick([0, 0, 0.1, 0.4]);
            const endings: Ending[] = ["providerKilled", "bothKilled", "engineKilled", "machineFails", "interrupted"];
            await this.#run(
                command,
                wrong ? "foreign" : this.#token,
                this.#chance(0.45) ? this.#pick(endings) : "orderly",
            );
            await this.#clock.advance(this.#pick([0, 500, 10_000, 300_000]));
        }
    }

    /** The faults have stopped. */
    async conclude(): Promise<void> {
        if (this.violations.length > 0) return;
        this.#service.faultRate = 0;
        // What killed processes had sent arrives before the next run, which takes no time here when it has nothing to do.
        await this.#clock.advance(longestRequest);
        this.#program = [...this.#all];
        for (const declared of this.#all) {
            if (declared.kind === "Content") declared.inputs.content = this.#source(false);
        }
        let failures = await this.#run("up", this.#token, "orderly");
        // A Failed content is replaced by the next `up`; what is gone, or was created under a token that is gone, needs a refresh.
        // All that a rotated token finds gone, without a sibling to vouch for it, has to be confirmed by the user.
        this.#trustsNotFound = true;
        for (let round = 0; round < 3 && failures.length > 0; round++) {
            await this.#clock.advance(30_000);
            await this.#run("refresh", this.#token, "orderly");
            failures = await this.#run("up", this.#token, "orderly");
        }
        if (failures.length > 0) this.#violated(`the last up still fails: ${failures.join(" | ")}`);
        this.#nothingUnowned();
        await this.#run("refresh", this.#token, "orderly");
        await this.#run("up", this.#token, "orderly");
        this.#everythingAsDeclared();
        this.#nothingUnowned();
        const before = this.#service.requests;
        await this.#run("up", this.#token, "orderly");
        if (this.#service.requests > before) this.#violated("an up without changes sends requests");
        await this.#run("destroy", this.#token, "orderly");
        for (const object of this.#ours()) this.#violated(`${describe(object)} survives the destroy`);
    }

    #nothingUnowned(): void {
        const ids = new Map<string, number>();
        for (const { id } of this.#state) ids.set(id, (ids.get(id) ?? 0) + 1);
        for (const object of this.#ours()) {
            const owners = ids.get(object.id) ?? 0;
            if (owners === 0) this.#violated(`${describe(object)} is unowned`);
            if (owners > 1) this.#violated(`${describe(object)} has ${owners} owners`);
        }
    }

    #everythingAsDeclared(): void {
        for (const declared of this.#program) {
            const saved = this.#state.filter((one) => one.urn === urnOf(declared));
            if (saved.length !== 1) {
                this.#violated(`${declared.name} has ${saved.length} places in the state`);
                continue;
            }
            const object = this.#ours().find(({ id }) => id === saved[0]?.id);
            if (object === undefined) {
                this.#violated(`the object ${saved[0]?.id} of ${declared.name} is not there`);
                continue;
            }
            const { title, description } = declared.inputs;
            if (collapsed(object.fields.title) !== collapsed(title))
                this.#violated(`${describe(object)} has not its title`);
            if (description !== undefined && object.fields.description !== description) {
                this.#violated(`${describe(object)} has not its description`);
            }
            if (
                declared.kind === "Content" &&
                declared.inputs.waitForReady !== false &&
                saved[0]?.outputs.status !== "Ready"
            ) {
                this.#violated(`${describe(object)} is recorded as ${saved[0]?.outputs.status}`);
            }
        }
    }

    /** One run of the CLI, to whatever end. What failed, if it ended by itself. */
    async #run(command: Command, token: Token, ending: Ending): Promise<string[]> {
        this.#tell(
            `${command} with the ${token} token, ${ending}, faults ${this.#service.faultRate}: ${this.#programText()}`,
        );
        const known = new Set(this.#state.map(({ id }) => id));
        const deadAt = ending === "orderly" ? undefined : 1 + this.#below(this.#pick([10, 40, 160]));
        let ended: () => void = () => undefined;
        const end = new Promise<void>((resolve) => {
            ended = resolve;
        });
        const engineProcess = new SimulatedProcess(ending === "engineKilled" ? deadAt : undefined, ended);
        const providerProcess = new SimulatedProcess(
            ending === "orderly" || ending === "engineKilled" ? undefined : deadAt,
            ended,
        );
        const interrupt = new AbortController();
        const { provider, quiet } = this.#startProvider(token, providerProcess, interrupt.signal);
        const engine = new EngineRun(this.#state, provider, engineProcess);
        const start = this.#clock.now();
        const work =
            command === "up" ? engine.up(this.#program) : command === "refresh" ? engine.refresh() : engine.destroy();
        if (ending === "interrupted") {
            // A second Ctrl-C: the engine waits a little for what is under way.
            const { Interrupted } = this.#build.lifecycle;
            void this.#clock.sleep(this.#random() * this.#pick([1_000, 60_000])).then(() => {
                engine.stop();
                interrupt.abort(new Interrupted("The run was interrupted."));
                return this.#clock.sleep(graceAfterInterrupt).then(() => providerProcess.kill());
            });
        }
        const how = await this.#clock.runUntil(Promise.race([work.then(() => "done"), end.then(() => "killed")]));
        if (how === "killed") {
            engine.stop();
            if (ending === "engineKilled") {
                interrupt.abort(new this.#build.lifecycle.Interrupted("The engine is gone."));
                await this.#clock.runUntil(Promise.race([quiet(), this.#clock.sleep(longestRequest)]));
            }
            // The engine notices that its provider is gone, or is gone itself.
            engineProcess.kill();
            if (ending === "machineFails") this.#disk.crash();
        }
        providerProcess.kill();
        if (this.#clock.now() - start > longestRun) this.#violated(`${command} took ${this.#clock.now() - start} ms`);
        for (const line of engine.failures) this.#tell(`  failed: ${line}`);
        this.#tell(
            `  ${how}; state: ${this.#state.map(stateText).join(", ")}; there: ${this.#ours().map(describe).join(", ")}`,
        );
        this.violations.push(...this.#service.harm.splice(0));
        if (command === "refresh") this.#nothingDropped(known);
        if (this.#service.live("elsewhere").some(({ ours }) => ours))
            this.#violated("something was created in another environment");
        return how === "killed" ? ["killed"] : engine.failures;
    }

    /** A refresh may forget what is gone, and nothing else. */
    #nothingDropped(known: Set<string>): void {
        const left = new Set(this.#state.map(({ id }) => id));
        for (const object of this.#ours()) {
            if (known.has(object.id) && !left.has(object.id)) this.#violated(`the refresh dropped ${describe(object)}`);
        }
    }

    #startProvider(token: Token, process: SimulatedProcess, signal: AbortSignal) {
        const { Adapter, Session, lifecycle, resources } = this.#build;
        const clock = {
            now: () => this.#clock.now(),
            monotonic: () => this.#clock.monotonic(),
            sleep: async (ms: number, until?: AbortSignal) => {
                try {
                    await this.#clock.sleep(ms, until);
                } finally {
                    await process.step();
                }
            },
        };
        const underWay = new Set<Promise<unknown>>();
        const runtime = new Session({
            clock,
            random: this.#random,
            transport: this.#service.transportFor(process),
            journal: new lifecycle.FileJournal({
                folder: "/journal",
                files: this.#disk.filesFor(process),
                processes: { self: { pid: ++this.#pids, host: "simulated" }, isAlive: () => false },
            }),
            variables: {
                VIDEOGRAPH_ACCESS_TOKEN_ID: token,
                VIDEOGRAPH_SECRET_KEY: "secret",
                VIDEOGRAPH_BASE_URL: "https://video.test",
                ...(this.#trustsNotFound && { VIDEOGRAPH_TRUST_NOT_FOUND: "true" }),
            },
            engine: { say: () => undefined, watch: () => undefined },
            lifetime: {
                signal,
                start: () => undefined,
                during: (operation) => {
                    const running = operation();
                    underWay.add(running);
                    const done = () => underWay.delete(running);
                    running.then(done, done);
                    return running;
                },
            },
        });
        runtime.configure({}, () => undefined);
        const provider: Provider = {
            Content: new Adapter(runtime, "Content", resources.content),
            Livestream: new Adapter(runtime, "Livestream", resources.livestream, "streamKey"),
        };
        return { provider, quiet: () => Promise.allSettled([...underWay]) };
    }

    #changeProgram(): void {
        for (const declared of this.#all) this.#rewrite(declared, false);
        this.#program = this.#all.filter(() => this.#chance(0.9));
    }

    #rewrite({ kind, inputs }: Declared, first: boolean): void {
        const changes = (share: number) => first || this.#chance(share);
        if (changes(0.2)) inputs.title = this.#pick(["Trailer", " Key  note"]);
        if (changes(0.2)) inputs.description = this.#pick([undefined, "one", "two"]);
        if (changes(0.2)) inputs.metadata = this.#pick([undefined, { season: "1" }, { season: "2" }]);
        if (kind === "Livestream") {
            if (changes(0.2)) inputs.region = this.#pick(["us-east-1", "us-west-1"]);
            if (changes(0.1)) inputs.record = this.#chance(0.5);
            return;
        }
        if (changes(0.25)) inputs.content = this.#source(this.#chance(0.15));
        if (changes(0.1)) inputs.waitForReady = this.#pick([undefined, undefined, false]);
    }

    #source(broken: boolean): unknown {
        return [{ url: `https://media.test/${broken ? "broken" : this.#pick(["one", "two"])}.mp4` }];
    }

    #changeOutside(): void {
        if (this.#chance(0.15)) this.#foreignObject(this.#pick(["here", "elsewhere"]));
        const recorded = this.#ours().filter(({ id }) => this.#state.some((saved) => saved.id === id));
        const object = recorded[this.#below(recorded.length)];
        if (object === undefined) return;
        if (this.#chance(0.15)) object.fields.title = "Changed outside";
        if (this.#chance(0.08)) {
            this.#tell(`somebody deletes ${describe(object)}`);
            object.goneAt = this.#clock.now();
        }
    }

    /** Somebody else's, with a title like ours, and sometimes another stack's mark. */
    #foreignObject(place: "here" | "elsewhere"): void {
        const marks = [[], [{ key: "managed_by", value: "pulumi:other/stack/thing:0123456789ab" }]];
        const kind: Kind = this.#chance(0.5) ? "Content" : "Livestream";
        const fields = {
            title: this.#pick(["Trailer", "Other"]),
            metadata: this.#pick(marks),
            record: this.#chance(0.5),
        };
        this.#service.addForeign(place, kind, fields);
    }

    /** Under a wrong token nothing may be created: that would be a user's wish. */
    #command(wrong: boolean): Command {
        if (wrong) return this.#pick(["refresh", "refresh", "destroy"]);
        const roll = this.#random();
        return roll < 0.72 ? "up" : roll < 0.9 ? "refresh" : "destroy";
    }

    #isSettled(): boolean {
        return this.#state.every(({ failed, pendingDelete }) => !failed && !pendingDelete);
    }

    #ours(): StoredObject[] {
        return this.#service.live(tokens.first).filter(({ ours }) => ours);
    }

    #violated(what: string): void {
        this.violations.push(what);
    }

    #programText(): string {
        return this.#program.map(({ name, kind, inputs }) => `${name} ${kind} ${JSON.stringify(inputs)}`).join(", ");
    }

    #chance(share: number): boolean {
        return this.#random() < share;
    }

    /** A whole number below `most`; 0 when there is none. */
    #below(most: number): number {
        return Math.floor(this.#random() * most);
    }

    #pick<T>(items: readonly T[]): T {
        return items[this.#below(items.length)] as T;
    }
}

/** Titles as the service may show them. */
function collapsed(title: unknown): string {
    return String(title).trim().replace(/\s+/g, " ");
}

function describe({ kind, id, fields }: StoredObject): string {
    return `${kind} ${id} (${JSON.stringify(fields.metadata ?? [])})`;
}

function stateText({ urn, id, failed, pendingDelete }: Saved): string {
    return `${urn.split("::").at(-1)}=${id}${failed ? "!" : ""}${pendingDelete ? " to be deleted" : ""}`;
}
