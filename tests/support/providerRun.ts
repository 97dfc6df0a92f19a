/** Runs of the engine, each with a provider process of its own, without an engine: the hosts that either face calls. */
import type { Emulator } from "videograph-emulator";
import { type Clock, systemClock } from "../../provider/dist/api/clock.js";
import { FileJournal } from "../../provider/dist/lifecycle/index.js";
import { content, livestream } from "../../provider/dist/resources/index.js";
import { ResourceHost } from "../../provider/dist/session/resourceHost.js";
import { Session } from "../../provider/dist/session/session.js";

export type Properties = Record<string, unknown>;

export const tokens = [
    { id: "first", secret: "one", environmentId: 1 },
    { id: "rotated", secret: "two", environmentId: 1 },
    { id: "foreign", secret: "three", environmentId: 2 },
];

/** So many times faster than the machine's. */
export function fastClock(speed: number): Clock {
    const monotonic = () => performance.now() * speed;
    return {
        now: () => performance.timeOrigin + monotonic(),
        monotonic,
        sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
    };
}

/** The emulator is real and answers at once; the provider's pauses are shorter than it thinks. */
const usualClock = fastClock(20);

export interface RunSettings {
    token?: "first" | "rotated" | "foreign";
    trustNotFound?: string;
    /** Aborted as by Ctrl-C. */
    signal?: AbortSignal;
    /** Where delays of the emulator matter. */
    clock?: Clock;
}

export function urnOf(name: string, kind = "Content"): string {
    return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/videograph:${kind}::${name}`;
}

/** A run whose journal is in `folder`. */
export function providerRun(emulator: Emulator, folder: string, settings: RunSettings = {}) {
    const rows: string[] = [];
    const { token = "first", trustNotFound, signal = new AbortController().signal, clock = usualClock } = settings;
    const session = new Session({
        clock,
        random: Math.random,
        journal: new FileJournal({ folder }),
        variables: {},
        engine: { say: (_severity, _urn, message) => rows.push(message), watch() {} },
        lifetime: { signal, isEnding: false, during: (operation) => operation(), start() {} },
    });
    const secretKey = tokens.find(({ id }) => id === token)?.secret;
    session.configure(
        {},
        (name) => ({ baseUrl: emulator.url, accessTokenId: token, secretKey, trustNotFound })[name as "baseUrl"],
    );
    return { content: new ResourceHost(session, content), livestream: new ResourceHost(session, livestream), rows };
}
