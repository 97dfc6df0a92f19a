/**
 * The machine that runs Pulumi: a disk, a wall clock that may jump, and processes that can be killed between any two things
 * they do.
 */
import type { FakeClock } from "../support/fakeClock.ts";
import type { Dice } from "./dice.ts";
import { SimulatedDisk } from "./disk.ts";

/** What never comes. */
const never = () => new Promise<never>(() => undefined);

export class Machine {
    readonly disk: SimulatedDisk;
    readonly #clock: FakeClock;
    readonly #dice: Dice;
    /** By pid: until when `kill(pid, 0)` succeeds. A killed process that nobody has reaped yet still counts as alive. */
    readonly #aliveUntil = new Map<number, number>();
    /** How far the wall clock is ahead of virtual time, in ms. */
    #wallOffset: number;
    readonly #started = new Map<number, string>();
    #starts = 0;
    #nextPid = 1_000;
    readonly #reapingMs: number;
    /** Whether the system says when a process was started, and whether it is a dead one that was not reaped yet. */
    readonly #tellsOfProcesses: boolean;

    /** A process may pass for an earlier one with the same pid: what that one left behind is looked for by a later run. */
    mistakesProcesses = false;

    constructor(clock: FakeClock, dice: Dice) {
        this.#clock = clock;
        this.#dice = dice;
        this.disk = new SimulatedDisk(dice.random);
        this.#wallOffset = dice.hazard("clocks", 0.3) ? (dice.random() - 0.5) * 8 * 60_000 : 0;
        this.#tellsOfProcesses = dice.chance(0.5);
        this.#reapingMs = dice.hazard("pids", 0.3) ? 5_000 : 0;
    }

    /** As the package sees time: the wall clock, a monotonic one, and sleeps that a killed process does not end. */
    clockFor(process: SimulatedProcess) {
        return {
            now: () => this.#clock.now() + this.#wallOffset,
            monotonic: () => this.#clock.elapsed,
            sleep: async (ms: number, until?: AbortSignal) => {
                try {
                    await this.#clock.sleep(ms, until);
                } finally {
                    await process.step();
                }
            },
        };
    }

    /** Somebody, or NTP, sets the wall clock; or the machine has slept, and its processes have not noticed. */
    shiftWallClock(ms: number): void {
        this.#wallOffset += ms;
    }

    start(options: { killAt?: number | undefined; onKill?: () => void } = {}): SimulatedProcess {
        const pid = this.#nextPid++;
        this.#started.set(pid, String(this.#starts++));
        this.#aliveUntil.set(pid, Number.POSITIVE_INFINITY);
        // Where the system does not tell when it was started, a process knows itself by a text of its own.
        const identity = { pid, host: "simulated", started: this.#started.get(pid) };
        return new SimulatedProcess(this, identity, options.killAt, () => {
            // After a restart it may be another one's.
            if (this.#started.get(pid) !== identity.started) return;
            this.#aliveUntil.set(pid, this.#clock.now() + this.#reapingMs);
            options.onKill?.();
        });
    }

    isAlive({ pid, started }: ProcessIdentity): boolean {
        const until = this.#aliveUntil.get(pid) ?? 0;
        if (!this.#tellsOfProcesses) return until > this.#clock.now();
        return until === Number.POSITIVE_INFINITY && started === this.#started.get(pid);
    }

    /** The machine fails and comes back: pids begin anew, and may be those of unrelated processes. */
    restart(): void {
        this.disk.crash();
        this.#aliveUntil.clear();
        if (!this.#dice.hazard("pids", 0.7)) return;
        this.#nextPid = 1_000 + this.#dice.below(3);
        this.mistakesProcesses ||= !this.#tellsOfProcesses;
    }
}

export interface ProcessIdentity {
    pid: number;
    host: string;
    started?: string | undefined;
}

export class SimulatedProcess {
    readonly machine: Machine;
    readonly identity: ProcessIdentity;
    readonly #killAt: number;
    readonly #onKill: () => void;
    #steps = 0;
    #dead = false;

    /** Dies at its step `killAt`, calling `onKill`. */
    constructor(
        machine: Machine,
        identity: ProcessIdentity,
        killAt = Number.POSITIVE_INFINITY,
        onKill: () => void = () => undefined,
    ) {
        this.machine = machine;
        this.identity = identity;
        this.#killAt = killAt;
        this.#onKill = onKill;
    }

    get isDead(): boolean {
        return this.#dead;
    }

    kill(): void {
        if (this.#dead) return;
        this.#dead = true;
        this.#onKill();
    }

    /** Before and after everything that the process does to the world. Nothing of a dead one goes on, not even an error. */
    async step(): Promise<void> {
        if (!this.#dead && ++this.#steps >= this.#killAt) this.kill();
        if (this.#dead) await never();
    }

    /** Does something to the world. */
    async does<T>(deed: () => Promise<T>): Promise<T> {
        await this.step();
        try {
            return await deed();
        } finally {
            await this.step();
        }
    }
}
