/** Which objects the state of a stack knows, read from what `pulumi stack export` prints. */
import * as z from "zod";
import type { Properties } from "../lifecycle";
import { metaOf } from "../lifecycle/state/recordedMeta";
import { kindOf } from "../typeTokens";
import { parseUrn } from "../urn";
import type { Kind } from "./account";
import { keyOf } from "./names";
import { findProject } from "./project";
import { PulumiError, pulumi, pulumiJson } from "./pulumi";
import type { Shell } from "./shell";

const bag = z.record(z.string(), z.unknown()).optional().catch(undefined);
const resource = z.object({
    urn: z.string(),
    type: z.string().optional(),
    id: z.string().optional(),
    external: z.boolean().optional(),
    created: z.string().optional(),
    inputs: bag,
    outputs: bag,
    customTimeouts: z.object({ create: z.number().optional() }).optional().catch(undefined),
});
const deployment = z.object({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(z.object({ type: z.string().optional(), resource })).nullish(),
});
type Deployment = z.infer<typeof deployment>;
const exportSchema = z.object({ deployment: deployment.nullish() });

/** A resource of this package that has an object, whether it owns it, only reads it, or is yet to delete it. */
export interface Recorded {
    readonly kind: Kind;
    /** Empty while it is being created. */
    readonly id: string;
    /** The last part of the URN: resources of other parents may have the same. */
    readonly name: string;
    /** Whether it only reads the object, as `Content.get` makes it. */
    readonly external: boolean;
    /** The marker of its create; `undefined` when it was taken over. */
    readonly marker: string | undefined;
    /** Of the credentials that it was last seen with. */
    readonly fingerprint: string;
    /** When the state was first given it, in ms since the epoch of the machine that ran. */
    readonly recordedOn: number | undefined;
    /** Secrets among them are encrypted. */
    readonly inputs: Properties;
}

export interface StackState {
    readonly resources: readonly Recorded[];
    /** The creations that began and were not recorded as ended. The engine forgets those of killed runs never. */
    readonly creating: readonly Recorded[];
    /** The names of the explicit providers that have settings of this package. */
    readonly namedProviders: readonly string[];
    /** The versions of the native plugin that its resources need. */
    readonly pluginVersions: readonly string[];
    /** The `customTimeouts.create` of this package's resources, in ms. */
    readonly createTimeoutsMs: readonly number[];
    /** Whose state it is; `undefined` when it has no resource that would tell. */
    readonly identity: StackIdentity | undefined;
}

/** The two names in a marker. */
export interface StackIdentity {
    readonly project: string;
    readonly stack: string;
}

/** The name of the resource that manages an object, by the object's key. */
export function managedBy(resources: readonly Recorded[]): ReadonlyMap<string, string> {
    const managing = resources.filter(({ external }) => !external);
    return new Map(managing.map((recorded) => [keyOf(recorded), recorded.name]));
}

/** The state of a stack, by the Pulumi CLI; of the selected one by default. */
export async function exportedState(shell: Shell, stack: string | undefined): Promise<StackState> {
    const ofStack = stack === undefined ? [] : ["--stack", stack];
    const exported = await pulumiJson(shell, exportSchema, "the state of a stack", "stack", "export", ...ofStack);
    return stateOf(exported.deployment ?? {});
}

/** The state of the stack at hand, for a command that can do without: outside of a project there is no such stack. */
export async function stateAtHand(shell: Shell, stack: string | undefined): Promise<StackState> {
    if (stack === undefined && findProject(shell.cwd) === undefined) return stateOf({});
    try {
        return await exportedState(shell, stack);
    } catch (error) {
        if (stack !== undefined || !(error instanceof PulumiError)) throw error;
        shell.talk.warn(`What the stack has already is not known: ${error.message}`);
        return stateOf({});
    }
}

/** The names of a stack whose state has no resource; `undefined` outside of a project. */
export async function identityOfStack(shell: Shell, stack: string | undefined): Promise<StackIdentity | undefined> {
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

function stateOf({ resources, pending_operations }: Deployment): StackState {
    const operations = pending_operations ?? [];
    return {
        resources: (resources ?? []).flatMap(recorded),
        creating: operations.flatMap(({ type, resource }) => (type === "creating" ? recorded(resource) : [])),
        namedProviders: (resources ?? []).flatMap(({ type, urn, inputs = {} }) => {
            const isOurs =
                type === "pulumi:providers:videograph" ||
                (type === "pulumi:providers:pulumi-nodejs" && "videograph:ownSettings" in inputs);
            return isOurs && !nameOf(urn).startsWith("default") ? [nameOf(urn)] : [];
        }),
        pluginVersions: (resources ?? []).flatMap(({ type, inputs }) =>
            type === "pulumi:providers:videograph" && typeof inputs?.version === "string" ? [inputs.version] : [],
        ),
        createTimeoutsMs: (resources ?? []).flatMap(({ type, customTimeouts }) =>
            kindOf(type) !== undefined && customTimeouts?.create ? [customTimeouts.create * 1000] : [],
        ),
        identity: (resources ?? []).map(({ urn }) => identityOf(urn)).find((identity) => identity !== undefined),
    };
}

/** Only of kinds that have an object on the service. */
function recorded({
    type,
    id = "",
    urn,
    external = false,
    created,
    inputs = {},
    outputs = {},
}: z.infer<typeof resource>): Recorded[] {
    const kind = kindOf(type);
    if (kind === undefined || kind === "ContentReadiness") return [];
    const { marker, env } = metaOf(outputs);
    const recordedOn = Date.parse(created ?? "");
    return [
        {
            ...{ kind, id, name: nameOf(urn), external, marker, fingerprint: env, inputs },
            recordedOn: Number.isNaN(recordedOn) ? undefined : recordedOn,
        },
    ];
}

export function nameOf(urn: string): string {
    return parseUrn(urn)?.name ?? "";
}

function identityOf(urn: string): StackIdentity | undefined {
    const { stack, project } = parseUrn(urn) ?? {};
    return !stack || !project ? undefined : { project, stack };
}
