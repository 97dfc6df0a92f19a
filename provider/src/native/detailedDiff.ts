/** Tells the engine which paths differ (`content[0].url`). The CLI shows these paths, and `replaceOnChanges` needs them. */
import { isDeepStrictEqual } from "node:util";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { type Change, type Difference, isReadableKey } from "../inputs/values";

type ChangeKind = "ADD" | "DELETE" | "UPDATE";

/** The answer to a diff. A reason without a changed input, such as a content that has Failed, is shown as a change of the output `status`. */
export function diffResponse(difference: Difference, { oldInputs = {}, news }: Change): DiffResponse {
    const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
    const response = new DiffResponse().setHasdetaileddiff(true);
    if (difference.kind === "none") return response.setChanges(DIFF_NONE);
    const { kind, because } = difference;
    response.setChanges(DIFF_SOME).setDiffsList(because);
    if (kind === "replace") response.setReplacesList(because);
    for (const name of because) {
        const steps = changesBetween(name, oldInputs[name], news[name]);
        const inputDiff = steps.length > 0;
        for (const [path, step] of inputDiff ? steps : [[name, "UPDATE"] as const]) {
            const change = PropertyDiff.Kind[kind === "replace" ? (`${step}_REPLACE` as const) : step];
            response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(change).setInputdiff(inputDiff));
        }
    }
    return response;
}

function changesBetween(path: string, old: unknown, now: unknown): [string, ChangeKind][] {
    if (isDeepStrictEqual(old, now)) return [];
    if (old === undefined) return [[path, "ADD"]];
    if (now === undefined) return [[path, "DELETE"]];
    if (!isContainer(old) || !isContainer(now) || Array.isArray(old) !== Array.isArray(now)) return [[path, "UPDATE"]];
    const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
    if (![...keys].every(isReadableKey)) return [[path, "UPDATE"]];
    return [...keys].flatMap((key) => changesBetween(path + pathSegment(old, key), old[key], now[key]));
}

function isContainer(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null;
}

/** The key as the engine parses it in a path: `[0]`, `.url` or `["with.a dot"]`. */
function pathSegment(container: object, key: string): string {
    if (Array.isArray(container)) return `[${key}]`;
    return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
}
