/**
 * The marker that every create leaves in the object's `metadata`. It finds the object of a create that got no response (the
 * service knows no idempotency key), and proves to a later run that an object is its own:
 *
 *     pulumi:<project>/<stack>/<name>:<lineage>-<resource>-<inputs>-<nonce>
 *
 * The names are for people. The one law compares the rest, which shows nobody the values behind it.
 */
import querystring from "node:querystring";
import type { Random } from "../api";
import { parseUrn } from "../urn";
import { digest, digestOfInputs } from "./digest";

/** The metadata key of the marker, which `inputs/properties.ts` and `lifecycle/inPlace.ts` add. Programs cannot use it. */
export const markerKey = "managed_by";

/** The lineage of a marker when the stack's own state could not be read. It proves nothing. */
const unknownLineage = "?";

export interface Marker {
    project: string;
    stack: string;
    name: string;
    /** The lineage of the stack's state: `lineageOf` its birth; `undefined` where the state could not be read. */
    lineage: string | undefined;
    /** The digest of the resource within its stack: `digestOfResource`. */
    resourceDigest: string;
    /** The digest of the inputs that only a create can set, keyed by the nonce: `digestOfInputs`. */
    inputsDigest: string;
    /** 12 hex digits, which belong to one create: the prefix that its attempt gives, if it has an attempt, and random digits. */
    nonce: string;
}

const pattern = /^pulumi:([^/]*)\/([^/]*)\/(.*):([0-9a-f]{8}|\?)-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{12})$/s;

export function newNonce(random: Random, prefix = ""): string {
    const length = 12 - prefix.length;
    return prefix + Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
}

/**
 * The digits with which the nonces of one attempt of the engine begin, for one resource (`resourceDigest`). The attempt stays in
 * the state if the create never ends, so an object with this prefix was made by this attempt.
 */
export function noncePrefixOf(attempt: string, resource: string): string {
    return digest([attempt, resource].join("\n"), 8);
}

export function prefixOf(nonce: string): string {
    return nonce.slice(0, 8);
}

/** Nonces of creates. Of some creates only the attempt is known: 8 digits, which stand for every nonce that begins with them. */
export class Nonces extends Set<string> {
    override has(nonce: string): boolean {
        return super.has(nonce) || super.has(prefixOf(nonce));
    }
}

/** The attempt that a create is a try of: an engine repeats a create in the same run (an `onError` hook). */
export function attemptOf({ urn, nonce }: { urn: string; nonce: string }): string {
    return `${urn} ${prefixOf(nonce)}`;
}

export function markerText({ project, stack, name, lineage, resourceDigest, inputsDigest, nonce }: Marker): string {
    const names = [project, stack, name].map(encoded).join("/");
    return `pulumi:${names}:${[lineage ?? unknownLineage, resourceDigest, inputsDigest, nonce].join("-")}`;
}

/** The identity of a new create: its URN, a new nonce and both digests. `attempt`: none for an adoption, or where the engine gives none. */
export function newIdentity(random: Random, urn: string, kind: string, createOnlyInputs: unknown, attempt?: string) {
    const resourceDigest = digestOfResource(urn, kind);
    const nonce = newNonce(random, attempt && noncePrefixOf(attempt, resourceDigest));
    return { urn, resourceDigest, inputsDigest: digestOfInputs(createOnlyInputs, nonce), nonce };
}

/** The marker of one create, with what its stack's state said when it began. */
export function newMarker(identity: ReturnType<typeof newIdentity>, state?: { birth: string }): string {
    const lineage = state?.birth ? lineageOf(state.birth) : undefined;
    return markerText({ ...namesIn(identity.urn), ...identity, lineage });
}

/** The parts of a marker; `undefined` for any other text. The names are as a program writes them, unless they were cut. */
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

/** Whether two markers are of one create. */
export function isSameMarker(a: string | undefined, b: string | undefined): boolean {
    const nonce = parseMarker(a)?.nonce;
    return nonce !== undefined && nonce === parseMarker(b)?.nonce;
}

/** A resource of a stack, as the marker of its object shows it. */
export type Owner = Omit<Marker, "inputsDigest" | "nonce">;

/** The resource as an owner of objects. `birth`: that of its stack's state, where it is known. */
export function ownerOf(urn: string, kind: string, birth?: string): Owner {
    const { project, stack, name } = namesIn(urn);
    const names = { project: shownName(project), stack: shownName(stack), name: shownName(name) };
    return { ...names, resourceDigest: digestOfResource(urn, kind), lineage: birth ? lineageOf(birth) : undefined };
}

/** Whether both are one resource, by the digests. Where a state could not be read, the names of project and stack stand for its lineage. */
export function isSameOwner(a: Owner | undefined, b: Owner): boolean {
    return a?.resourceDigest === b.resourceDigest && isSameStackOwner(a, b);
}

/** Whether both are of one stack, as `isSameOwner` decides it. */
export function isSameStackOwner(a: Owner, b: Owner): boolean {
    if (a.lineage !== undefined && b.lineage !== undefined) return a.lineage === b.lineage;
    return hasSameNames(a, b);
}

/** Whether both are of one stack by its names. A stack with a copy of this one's state has its lineage, but not its names. */
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

/** The digest of the birth of a stack's state: the time when its root resource was recorded, to the nanosecond. */
export function lineageOf(birth: string): string {
    return digest(birth, 8);
}

/**
 * The digest of a resource within any stack: of its kind, the types of its parents (names repeat under different parents), and its name. Its own
 * type does not count, because it differs between the faces.
 */
export function digestOfResource(urn: string, kind: string): string {
    const { types = "", name = urn } = parseUrn(urn) ?? {};
    return digest([kind, ...types.split("$").slice(0, -1), name].join("\n"), 8);
}

const maxName = 80;

/** The name without `/`, `:` and other possible separators; a long name is cut, with a digest of the whole. */
function encoded(name: string): string {
    const text = encodeURIComponent(name.toWellFormed());
    return text.length <= maxName ? text : `${text.slice(0, maxName - 10).replace(/%.?$/, "")}~${digest(name, 8)}`;
}

/** A name as `parseMarker` gives it: a long one is cut. */
export function shownName(name: string): string {
    return decoded(encoded(name));
}

/** The text without control characters, which whoever can write an object's metadata would otherwise send to the terminal. */
function decoded(text: string): string {
    return querystring.unescape(text).replace(/\p{Cc}/gu, "");
}
