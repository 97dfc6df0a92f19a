/** Writes orphans into an import file, by which `pulumi import` puts them into the state under their old names. */
import { isDeepStrictEqual } from "node:util";
import type { VideographApi } from "../../api";
import type { Properties } from "../../lifecycle";
import { isFailed } from "../../lifecycle/wait/status";
import { describe, type ImportEntry } from "../entry";
import { writeNew } from "../files";
import type { Shell } from "../shell";
import { exportedState, type StackIdentity } from "../stackState";
import type { Done, Kept } from "./done";
import type { Options } from "./options";
import type { Found } from "./search";
import { grouped, type Marked, nameKey, StateIndex } from "./verdict";

export async function writeEntries(
    shell: Shell,
    api: VideographApi,
    { orphans, identity }: Found,
    path: string,
    options: Options,
): Promise<Done> {
    const state = new StateIndex(await exportedState(shell, options.stack));
    const namesakes = grouped(orphans, nameKey);
    const kept: Kept[] = [];
    const entries: ImportEntry[] = [];
    for (const object of orphans) {
        const entry = entryOf(object, namesakes.get(nameKey(object))?.length ?? 0, state, {
            fingerprint: api.fingerprint,
            identity,
        });
        if (typeof entry === "string") kept.push({ object, reason: entry });
        else entries.push(entry);
    }
    if (entries.length === 0) return { deleted: [], kept, importFile: undefined };
    await writeNew(path, `${JSON.stringify({ resources: entries }, undefined, 4)}\n`, options.force);
    return { deleted: [], kept, importFile: path };
}

/** The entry, or why there can be none. */
function entryOf(
    object: Marked,
    ofItsName: number,
    state: StateIndex,
    { fingerprint, identity }: { fingerprint: string; identity: StackIdentity },
): ImportEntry | string {
    const { status } = object;
    if (isFailed(status)) return `its status is ${status}: delete it`;
    if (state.namesakes(object).length > 0) {
        return "the state has another object under its name: delete this one";
    }
    if (ofItsName > 1) {
        return "there are several of its name: choose one by --id, and delete the others";
    }
    const described = describe(object, object.name, { fingerprint, identity }, sentFor(object, state));
    if ("problem" in described) return described.problem;
    const { inputs, outputs, ...entry } = described.entry;
    // The program that created it has no importId. Its source would count as a new one if it gave up one of the entry.
    const without = ({ importId: _, ...rest }: Properties) => rest;
    return { ...entry, inputs: without(inputs), outputs: without(outputs) };
}

/**
 * What its create was sent, for the inputs that the service does not tell. The state has the inputs of interrupted creates;
 * only where all of this name agree, and on this title, they are surely this object's. Secrets among them are encrypted,
 * which no input may be: they are left out.
 */
function sentFor(object: Marked, state: StateIndex): Properties {
    const [first, ...others] = state.creating(object);
    if (first === undefined || first.inputs.title !== object.title) return {};
    return others.every(({ inputs }) => isDeepStrictEqual(inputs, first.inputs)) ? first.inputs : {};
}
