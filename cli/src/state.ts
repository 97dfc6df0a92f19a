/** What the state of a stack records about this package's resources, read from `pulumi stack export`. */
import * as z from "zod";
import { entryUrn, packedEntries } from "#provider/evidence/library";
import { lineageOf, parseMarker, resourceDigest } from "#provider/evidence/marker";
import { metaOf } from "#provider/inputs/recordedMeta";
import type { Properties } from "#provider/lifecycle/index";
import { kindOf, typeOf } from "#provider/typeTokens";
import { parseUrn } from "#provider/urn";
import type { Kind } from "./account";
import { findProject, PulumiError, pulumi, pulumiJson } from "./pulumi";
import type { Shell } from "./shell";

const bag = z.record(z.string(), z.unknown()).catch({});
const resourceSchema = z.object({
    urn: z.string(),
    type: z.string().catch(""),
    id: z.string().catch(""),
    external: z.boolean().catch(false),
    created: z.string().optional(),
    inputs: bag,
    outputs: bag,
});
type Resource = z.infer<typeof resourceSchema>;

const exportSchema = z.object({
    deployment: z
        .object({
            resources: z.array(resourceSchema).nullish(),
            pending_operations: z.array(z.object({ type: z.string().optional(), resource: resourceSchema })).nullish(),
        })
        .nullish(),
});

/** A resource of this package that has an object: managed, only read, or waiting for its deletion. */
export interface Recorded {
    readonly kind: Kind;
    /** Empty in an operation that creates. */
    readonly id: string;
    readonly name: string;
    /** As in a marker: `resourceDigest`. */
    readonly digest: string;
    /** Whether the resource only reads the object, as `Content.get` does. */
    readonly external: boolean;
    /** Of the marker of its create; `undefined` when it was adopted. */
    readonly nonce: string | undefined;
    /** Of the credentials that the object was last seen with. */
    readonly fingerprint: string;
    /** Secrets among them are encrypted. */
    readonly inputs: Properties;
}

export interface StackIdentity {
    readonly project: string;
    readonly stack: string;
}

export interface StackState {
    readonly resources: readonly Recorded[];
    /** The creates that began and never ended in the state. The engine keeps those of killed runs. */
    readonly creating: readonly Recorded[];
    /** Of its birth, as in a marker; `undefined` where the state does not have one. */
    readonly lineage: string | undefined;
    /** `undefined` when no resource shows it. */
    readonly identity: StackIdentity | undefined;
    /** The names of the explicit providers that have settings of this package. */
    readonly namedProviders: readonly string[];
    /** Whether it has a provider of the native types. */
    readonly native: boolean;
    /** The versions of the native plugin that its resources need. */
    readonly pluginVersions: readonly string[];
}

const emptyState = stateOf([], []);

export function nameOf(urn: string): string {
    return parseUrn(urn)?.name ?? "";
}

/** The state of a stack; of the selected one by default. */
export async function exportedState(shell: Shell, stack: string | undefined): Promise<StackState> {
    const { deployment } = await pulumiJson(
        shell,
        exportSchema,
        "the state of a stack",
        "stack",
        "export",
        ...ofStack(stack),
    );
    return stateOf(deployment?.resources ?? [], deployment?.pending_operations ?? []);
}

/** For a command that can do without a state: outside of a project there is none. */
export async function stateAtHand(shell: Shell, stack: string | undefined): Promise<StackState> {
    if (stack === undefined && findProject(shell.cwd) === undefined) return emptyState;
    try {
        return await exportedState(shell, stack);
    } catch (error) {
        if (stack !== undefined || !(error instanceof PulumiError)) throw error;
        shell.talk.warn(`it is unknown which objects the stack already has. ${error.message}`);
        return emptyState;
    }
}

/** The names of a stack, also of one without resources; `undefined` outside of a project. */
export async function identityOf(
    shell: Shell,
    state: StackState,
    stack: string | undefined,
): Promise<StackIdentity | undefined> {
    if (state.identity !== undefined) return state.identity;
    const parts = stack?.split("/") ?? [];
    const project = parts.length === 3 ? parts[1] : findProject(shell.cwd)?.name;
    if (project === undefined) return undefined;
    try {
        return { project, stack: parts.at(-1) ?? (await pulumi(shell, "stack", "--show-name")).trim() };
    } catch (error) {
        if (error instanceof PulumiError) return undefined;
        throw error;
    }
}

export function ofStack(stack: string | undefined): string[] {
    return stack === undefined ? [] : ["--stack", stack];
}

function stateOf(resources: Resource[], operations: { type?: string | undefined; resource: Resource }[]): StackState {
    const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack");
    const { stack = "", project = "" } = parseUrn(resources[0]?.urn) ?? {};
    const explicit = resources.filter(
        ({ type, inputs, urn }) =>
            !nameOf(urn).startsWith("default") &&
            (type === nativeProvider ||
                (type === "pulumi:providers:pulumi-nodejs" && "videograph:ownSettings" in inputs)),
    );
    return {
        resources: resources.flatMap(recorded),
        creating: operations.flatMap(({ type, resource }) => (type === "creating" ? recorded(resource) : [])),
        lineage: root?.created === undefined ? undefined : lineageOf(root.created),
        identity: stack === "" || project === "" ? undefined : { project, stack },
        namedProviders: explicit.map(({ urn }) => nameOf(urn)),
        native: resources.some(({ type }) => type === nativeProvider),
        pluginVersions: resources.flatMap(({ type, inputs: { version } }) =>
            type === nativeProvider && typeof version === "string" ? [version] : [],
        ),
    };
}

const nativeProvider = "pulumi:providers:videograph";

/** Only of kinds that have an object on the service. */
function recorded({ type, id, urn, external, inputs, outputs }: Resource): Recorded[] {
    const kind = kindOf(type);
    if (kind === undefined || kind === "ContentReadiness") return [];
    if (kind === "ContentLibrary") {
        return packedEntries(outputs).flatMap(([key, one, __meta]) => {
            const entry = {
                type: typeOf("Content"),
                id: one,
                urn: entryUrn(urn, key),
                external,
                inputs: {},
                outputs: { __meta },
            };
            return recorded(entry);
        });
    }
    const { marker, env: fingerprint } = metaOf(outputs);
    const nonce = parseMarker(marker)?.nonce;
    const name = nameOf(urn);
    const digest = resourceDigest(urn, kind);
    // On the service a clip is a content.
    return [{ kind: kind === "Clip" ? "Content" : kind, id, name, digest, external, nonce, fingerprint, inputs }];
}
