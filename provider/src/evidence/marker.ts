/**
 * The marker that every create puts into the `metadata` of its object. The service has no idempotency keys: if the answer to a create is lost, the
 * marker finds the object, and proves to a later run whose object it is:
 *
 *     pulumi:<project>/<stack>/<name>:<lineage>-<resource>-<inputs>-<nonce>
 *
 * People read the names. `create/law.ts` decides by the digests, which reveal no value.
 */
import querystring from "node:querystring";
import type { Random } from "../api";
import { parseUrn } from "../urn";
import { digest, digestOfInputs } from "./digest";

/** The metadata key of the marker. A program cannot declare it: the check refuses it. */
export const markerKey = "managed_by";

/** Stands for the lineage in the marker of a create that could not read its stack's state. */
const unknownLineage = "?";

export interface Marker {
    project: string;
    stack: string;
    name: string;
    /**
     * The digest of the birth of the stack's state (`lineageOf`). It tells this stack from others of the same name elsewhere. `undefined` where the
     * state could not be read.
     */
    lineage: string | undefined;
    /** Says which resource of a stack it is (`digestOfResource`). */
    resourceDigest: string;
    /** The digest of the inputs that only a create can set (`digestOfInputs`). */
    inputsDigest: string;
    /**
     * 12 hex digits that only this create has. If the create has an attempt, its first 8 digits come from the attempt (`noncePrefixOf`). The others
     * are random.
     */
    nonce: string;
}

/** Reads what `markerText` writes. Objects on the service have this form: with another one, they would no longer be recognised. */
const pattern = /^pulumi:([^/]*)\/([^/]*)\/(.*):([0-9a-f]{8}|\?)-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{12})$/s;

export function newNonce(random: Random, prefix = ""): string {
    const length = 12 - prefix.length;
    return prefix + Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
}

/**
 * The nonce of a create that has an attempt begins with these 8 digits, a digest of the attempt and the resource. The attempt is a random text that
 * the engine writes into the state before the create, and that stays there if the create never ends: so the state shows which objects that create
 * made. `resource`: the resource's `resourceDigest`.
 */
export function noncePrefixOf(attempt: string, resource: string): string {
    return digest([attempt, resource].join("\n"), 8);
}

export function prefixOf(nonce: string): string {
    return nonce.slice(0, 8);
}

/** A set of nonces. Of some creates only the first 8 digits are known (`noncePrefixOf`): they stand for every nonce that begins with them. */
export class Nonces extends Set<string> {
    override has(nonce: string): boolean {
        return super.has(nonce) || super.has(prefixOf(nonce));
    }
}

/** A key that all tries of a create have in common: an engine may repeat a create in the same run (an `onError` hook), and each try has its own nonce. */
export function attemptOf({ urn, nonce }: { urn: string; nonce: string }): string {
    return `${urn} ${prefixOf(nonce)}`;
}

export function markerText({ project, stack, name, lineage, resourceDigest, inputsDigest, nonce }: Marker): string {
    const names = [project, stack, name].map(encoded).join("/");
    return `pulumi:${names}:${[lineage ?? unknownLineage, resourceDigest, inputsDigest, nonce].join("-")}`;
}

/** The parts of a marker that belong to one create. `attempt`: see `noncePrefixOf`; an adoption has none, because it has not made the object. */
export function newIdentity(random: Random, urn: string, kind: string, createOnlyInputs: unknown, attempt?: string) {
    const resourceDigest = digestOfResource(urn, kind);
    const nonce = newNonce(random, attempt && noncePrefixOf(attempt, resourceDigest));
    return { urn, resourceDigest, inputsDigest: digestOfInputs(createOnlyInputs, nonce), nonce };
}

/** The text of a new marker. `state`: what the create knows of its stack's state. */
export function newMarker(identity: ReturnType<typeof newIdentity>, state?: { birth: string }): string {
    const lineage = state?.birth ? lineageOf(state.birth) : undefined;
    return markerText({ ...namesIn(identity.urn), ...identity, lineage });
}

/** The parts of a marker; `undefined` for any other text. A long name was cut when the marker was made. */
export function parseMarker(text: string | undefined): Marker | undefined {
    const [all, ...parts] = pattern.exec(text ?? "") ?? [];
    if (all === undefined) return undefined;
    const [project = "", stack = "", name = ""] = parts.map(decoded);
    const [, , , lineage, resourceDigest = "", inputsDigest = "", nonce = ""] = parts;
    const known = lineage === unknownLineage ? undefined : lineage;
    return { project, stack, name, lineage: known, resourceDigest, inputsDigest, nonce };
}

export function readMarker(metadata: Record<string, string> | undefined): Marker | undefined {
    return parseMarker(metadata?.[markerKey]);
}

export function markerTextIn(metadata: Record<string, string> | undefined): string | undefined {
    const text = metadata?.[markerKey];
    return pattern.test(text ?? "") ? text : undefined;
}

/** The object as a program sees it: its metadata without the marker. */
export function withoutMarker<T extends { metadata?: Record<string, string> | undefined }>(object: T): T {
    if (object.metadata === undefined || markerTextIn(object.metadata) === undefined) return object;
    const { [markerKey]: _, ...metadata } = object.metadata;
    return { ...object, metadata };
}

/** Whether both texts are markers of the same create. */
export function isSameMarker(a: string | undefined, b: string | undefined): boolean {
    const nonce = parseMarker(a)?.nonce;
    return nonce !== undefined && nonce === parseMarker(b)?.nonce;
}

/** A resource of a stack, as far as the markers of its objects show it. */
export type Owner = Omit<Marker, "inputsDigest" | "nonce">;

/** What the markers of a resource's objects say of the resource. `birth`: when its stack's state began, where that is known. */
export function ownerOf(urn: string, kind: string, birth?: string): Owner {
    const { project, stack, name } = namesIn(urn);
    const names = { project: shownName(project), stack: shownName(stack), name: shownName(name) };
    return { ...names, resourceDigest: digestOfResource(urn, kind), lineage: birth ? lineageOf(birth) : undefined };
}

/** Whether both are the same resource of the same stack. */
export function isSameOwner(a: Owner | undefined, b: Owner): boolean {
    return a?.resourceDigest === b.resourceDigest && isSameStackOwner(a, b);
}

/** Whether both are of the same stack: by the lineage, or where a state could not be read, by the names. */
export function isSameStackOwner(a: Owner, b: Owner): boolean {
    if (a.lineage !== undefined && b.lineage !== undefined) return a.lineage === b.lineage;
    return hasSameNames(a, b);
}

/** Whether the names of project and stack are the same. A stack with a copy of another stack's state has the same lineage, but other names. */
export function hasSameNames(a: Pick<Owner, "project" | "stack">, b: Pick<Owner, "project" | "stack">): boolean {
    return a.project === b.project && a.stack === b.stack;
}

/** `<project>/<stack>/<name>`, for messages. */
export function ownerText({ project, stack, name }: Owner): string {
    return `${project}/${stack}/${name}`;
}

export function namesIn(urn: string): Pick<Marker, "project" | "stack" | "name"> {
    return parseUrn(urn) ?? { project: "unknown", stack: "unknown", name: "unknown" };
}

/** The digest of a state's birth, which is the time when its root resource was recorded, to the nanosecond: no two states have the same. */
export function lineageOf(birth: string): string {
    return digest(birth, 8);
}

/**
 * The digest of a resource's kind, the types of its parents (under other parents a name may come again), and its name. Its own type is left out, as it
 * differs between the plugin and dynamic resources: a stack that moves from one to the other keeps its markers.
 */
export function digestOfResource(urn: string, kind: string): string {
    const { types = "", name = urn } = parseUrn(urn) ?? {};
    return digest([kind, ...types.split("$").slice(0, -1), name].join("\n"), 8);
}

const maxName = 80;

/** The name in a marker: separators such as `/` and `:` are escaped, and a long name is cut, with a digest of the whole at its end. */
function encoded(name: string): string {
    const text = encodeURIComponent(name.toWellFormed());
    return text.length <= maxName ? text : `${text.slice(0, maxName - 10).replace(/%.?$/, "")}~${digest(name, 8)}`;
}

/** The name in the form that `parseMarker` gives, where a long name is cut. Only names in this form can be compared with those of a marker. */
export function shownName(name: string): string {
    return decoded(encoded(name));
}

/** The text without control characters: anybody who can write an object's metadata could otherwise change a user's terminal. */
function decoded(text: string): string {
    return querystring.unescape(text).replace(/\p{Cc}/gu, "");
}
