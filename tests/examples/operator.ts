/**
 * Manifests of `Stack` objects held against the fields of the Pulumi Kubernetes Operator's resource definition: from version 2.9.0,
 * deploy/crds/pulumi.com_stacks.yaml of https://github.com/pulumi/pulumi-kubernetes-operator. Of the lower levels, what a manifest of
 * these examples may use.
 */
import * as z from "zod";

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const flag = z.boolean().optional();
const count = z.int().optional();
const named = z.record(z.string(), z.string()).optional();
const quantities = z.record(z.string(), z.union([z.int(), z.string()])).optional();
const resources = z.strictObject({ limits: quantities, requests: quantities }).optional();
const labelled = z.strictObject({ annotations: named, labels: named }).optional();

const container = z.strictObject({
    ...{ name: z.string(), image: text, resources },
    env: z.array(z.strictObject({ name: z.string(), value: text })).optional(),
    volumeMounts: z
        .array(z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: flag, subPath: text }))
        .optional(),
});
const volume = z.strictObject({
    name: z.string(),
    persistentVolumeClaim: z.strictObject({ claimName: z.string(), readOnly: flag }).optional(),
    emptyDir: z.strictObject({ medium: text, sizeLimit: z.union([z.int(), z.string()]).optional() }).optional(),
});
const pod = z.strictObject({
    containers: z.array(container),
    volumes: z.array(volume).optional(),
    securityContext: z
        .strictObject({ fsGroup: count, runAsUser: count, runAsGroup: count, runAsNonRoot: flag })
        .optional(),
});
const workspace = z.strictObject({
    ...{ image: text, imagePullPolicy: text, pulumiLogLevel: count, resources, securityProfile: text },
    serviceAccountName: text,
    podTemplate: z.strictObject({ metadata: labelled, spec: pod }).optional(),
});
const variable = z.strictObject({
    type: z.string(),
    env: z.strictObject({ name: z.string() }).optional(),
    filesystem: z.strictObject({ path: z.string() }).optional(),
    literal: z.strictObject({ value: z.string() }).optional(),
    secret: z.strictObject({ key: z.string(), name: z.string(), namespace: text }).optional(),
});
const manifest = z.object({
    apiVersion: z.literal("pulumi.com/v1"),
    kind: z.literal("Stack"),
    spec: z.strictObject({
        ...{ stack: z.string(), projectRepo: text, repoDir: text, branch: text, commit: text, shallow: flag },
        ...{
            backend: text,
            secretsProvider: text,
            useLocalStackOnly: flag,
            environment: texts,
            config: z.unknown().optional(),
        },
        ...{ refresh: flag, expectNoRefreshChanges: flag, preview: flag, destroyOnFinalize: flag, runProgram: flag },
        ...{ continueResyncOnCommitMatch: flag, resyncFrequencySeconds: count, retryOnUpdateConflict: flag },
        ...{ retryMaxBackoffDurationSeconds: count, targets: texts, targetDependents: flag, serviceAccountName: text },
        workspaceReclaimPolicy: z.enum(["Retain", "Delete"]).optional(),
        envRefs: z.record(z.string(), variable).optional(),
        workspaceTemplate: z.strictObject({ metadata: labelled, spec: workspace }).optional(),
    }),
});

/** What the operator's API would refuse or ignore in a manifest, one line each. */
export function problemsOfStack(stack: unknown): string[] {
    const { error } = manifest.safeParse(stack);
    return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}
