// One manifest per stack for the Pulumi Kubernetes Operator, which then does on many machines what fleet.ts does on one. What all
// stacks share is in kubernetes/common.yaml.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Settings, stackName } from "./shares";

export function writeManifests(settings: Settings): void {
    const folder = join(__dirname, "kubernetes");
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < settings.stacks; index++) {
        const name = stackName(index);
        const text = manifestsOf(name, settings)
            .map((manifest) => stringify(manifest, { indent: 4 }))
            .join("---\n");
        writeFileSync(join(folder, `${name}.yaml`), `# Written by "npm run fleet -- manifests".\n${text}`);
    }
    console.log(`Wrote ${settings.stacks} manifests to ${folder}`);
}

export function manifestsOf(name: string, { operator }: Settings): object[] {
    const { organization, repository, branch, namespace } = operator;
    const metadata = { namespace, labels: { "app.kubernetes.io/part-of": "video-library" } };
    const stack = {
        apiVersion: "pulumi.com/v1",
        kind: "Stack",
        metadata: { name, ...metadata },
        spec: {
            serviceAccountName: "library",
            stack: `${organization}/fleet/${name}`,
            projectRepo: repository,
            branch,
            shallow: true,
            // Also when there is no new commit: with the refresh this finds and undoes drift.
            continueResyncOnCommitMatch: true,
            resyncFrequencySeconds: 86_400,
            refresh: true,
            // A stack that another run has locked is tried again: an `up` that is repeated changes nothing.
            retryOnUpdateConflict: true,
            // Deleting this object must not delete videos.
            destroyOnFinalize: false,
            // No pod is kept between runs: a fleet would hold the memory of all of them.
            workspaceReclaimPolicy: "Delete",
            envRefs: {
                PULUMI_ACCESS_TOKEN: fromSecret("pulumi", "accessToken"),
                VIDEOGRAPH_ACCESS_TOKEN_ID: fromSecret("videograph", "accessTokenId"),
                VIDEOGRAPH_SECRET_KEY: fromSecret("videograph", "secretKey"),
            },
            workspaceTemplate: { spec: workspace },
        },
    };
    return [stack];
}

function fromSecret(name: string, key: string): object {
    return { type: "Secret", secret: { name, key } };
}

const workspace = {
    // The provider needs Node 22.19 or newer.
    image: "pulumi/pulumi-nodejs-22:3.270.0",
    resources: { requests: { memory: "1Gi" } },
};
