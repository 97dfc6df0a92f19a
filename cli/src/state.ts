/** The records of this package's resources in the state of a stack, from `pulumi stack export`. */
import { lineageOf, parseMarker } from "#provider/evidence/marker";
import { metaOf } from "#provider/inputs/recordedMeta";
import type { Properties } from "#provider/lifecycle/index";
import { messages } from "#provider/messages/index";
import { findProject } from "#provider/session/project";
import { parseExport, type RecordedObject, type StackExport } from "#provider/session/stackExport";
import { attemptIn, declared } from "#provider/session/state";
import type { ResourceKind } from "#provider/typeTokens";
import { parseUrn } from "#provider/urn";
import type { Kind } from "./account";
import { CommandError, type PluginSource, pluginSource } from "./commandLine";
import type { Shell } from "./shell";

/** A resource of this package that has an object: managed, only read, or waiting for its deletion. */
export interface Recorded {
    readonly kind: Kind;
    readonly id: string;
    readonly name: string;
    /** Whether the resource only reads the object, as `Content.get` does. */
    readonly external: boolean;
    /** Of the marker of its create; `undefined` when it was adopted. */
    readonly nonce: string | undefined;
    /** Of the credentials that the object was last seen with. */
    readonly fingerprint: string;
}

export interface UnendedCreate {
    readonly attempt: string;
    /** Of one object; none for a library. Secrets among them are encrypted. */
    readonly inputs: Properties;
}

export interface StackIdentity {
    readonly project: string;
    readonly stack: string;
}

export interface StackState {
    readonly resources: readonly Recorded[];
    /** The creates that began and never ended in the state. The engine keeps those of killed runs. */
    readonly creating: readonly UnendedCreate[];
    /** Those that a recorded create has taken care of: the stems of their nonces. */
    readonly settled: ReadonlySet<string>;
    /** Of its birth, as in a marker; `undefined` where the state does not have one. */
    readonly lineage: string | undefined;
    /** `undefined` when no resource shows it. */
    readonly identity: StackIdentity | undefined;
    /** Of its native types, if it has any. */
    readonly plugin: PluginSource | undefined;
}

/** The state of a stack; of the selected one by default. */
export async function exportedState(shell: Shell, stack: string | undefined): Promise<StackState> {
    const args = ["stack", "export", ...ofStack(stack)];
    const exported = parseExport(await shell.pulumi(...args));
    if (exported !== undefined) return stateOf(exported);
    throw new CommandError(
        messages.unknownOutput({ command: `pulumi ${args.join(" ")}`, what: "the state of a stack" }),
    );
}

/** The names of a stack, also of one without resources. */
export async function identityOf(
    shell: Shell,
    { identity }: StackState,
    stack: string | undefined,
): Promise<StackIdentity> {
    if (identity !== undefined) return identity;
    const parts = stack?.split("/") ?? [];
    const project = parts.length === 3 ? parts[1] : findProject(shell.cwd)?.name;
    if (project === undefined) throw new CommandError(messages.projectUnknown({ folder: shell.cwd }));
    return { project, stack: parts.at(-1) ?? (await shell.pulumi("stack", "--show-name")).trim() };
}

export function ofStack(stack: string | undefined): string[] {
    return stack === undefined ? [] : ["--stack", stack];
}

function stateOf({ birth, root, resources, creates, providers }: StackExport): StackState {
    const { stack = "", project = "" } = parseUrn(root) ?? {};
    const natives = providers.filter(({ type }) => type === "pulumi:providers:videograph");
    return {
        resources: resources.flatMap(recorded),
        creating: creates.flatMap(({ kind, inputs, isUpdate }) => {
            const attempt = attemptIn(inputs);
            if (isUpdate || attempt === undefined) return [];
            return [{ attempt, inputs: kind in kinds ? declared(inputs) : {} }];
        }),
        settled: new Set(resources.flatMap(({ meta }) => metaOf({ __meta: meta }).settled ?? [])),
        lineage: birth === "" ? undefined : lineageOf(birth),
        identity: stack === "" || project === "" ? undefined : { project, stack },
        plugin: natives.map(({ inputs: { version } }) => pluginSource(version)).at(-1),
    };
}

/** On the service a clip is a content. */
const kinds: { readonly [kind in ResourceKind]?: Kind } = {
    Content: "Content",
    Clip: "Content",
    Livestream: "Livestream",
};

/** Only of kinds that have an object on the service. */
function recorded({ kind, id, urn, isExternal: external, meta }: RecordedObject): Recorded[] {
    const own = kinds[kind];
    if (own === undefined) return [];
    const { mark: marker, env: fingerprint } = metaOf({ __meta: meta });
    return [
        { kind: own, id, name: parseUrn(urn)?.name ?? "", external, nonce: parseMarker(marker)?.nonce, fingerprint },
    ];
}
