/** One operation of the lifecycle without a session: virtual time, and what the process knows of objects. */
import { FileJournal, Managers, NotFoundTrust, type Operation } from "../../provider/dist/lifecycle/index.js";
import { FakeClock, seededRandom } from "./fakeClock.ts";
import { urnOf } from "./providerRun.ts";
import { memoryFiles } from "./scriptedLife.ts";

export interface BareSettings {
    /** Of the credentials in use. */
    fingerprint?: string;
    trustAll?: boolean;
    urn?: string | undefined;
    signal?: AbortSignal;
}

export function bareOperation(settings: BareSettings = {}) {
    const { fingerprint = "now", trustAll = false, signal = new AbortController().signal } = settings;
    const clock = new FakeClock();
    const trust = new NotFoundTrust({ fingerprint, trustAll, clock });
    const managers = new Managers();
    const urn = "urn" in settings ? settings.urn : urnOf("mine");
    const journal = new FileJournal({ folder: "/journal", files: memoryFiles() });
    const environment = { clock, trust, managers, journal, random: seededRandom(1), unrecorded: [] };
    const operation = { environment, urn, signal, timeouts: {} } as unknown as Operation;
    return { operation, clock, trust, managers, journal };
}
