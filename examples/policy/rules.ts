// The rules, as functions of what they judge: a unit test needs nothing but them.

/** A resource as a policy sees it: without what the package keeps for itself, with secrets in plain text. */
export interface Resource {
    urn: string;
    type: string;
    name: string;
    props: Record<string, unknown>;
}

/** A resource of a whole stack, with the resources that each of its inputs comes from. */
export interface StackResource extends Resource {
    propertyDependencies: Record<string, { urn: string }[]>;
}

/** What is wrong with a resource. */
export interface Violation {
    message: string;
    urn: string;
}

/** The type of a resource class of pulumi-videograph, in state and in policies. */
const typeOf = (kind: "Content" | "Livestream" | "ContentReadiness") => `pulumi-nodejs:dynamic/videograph:${kind}`;

/** Whether a resource belongs to one of these stacks. */
export function isIn(stacks: readonly string[], { urn }: { urn: string }): boolean {
    const [, stack = ""] = /^urn:pulumi:([^:]+)::/.exec(urn) ?? [];
    return stacks.includes(stack);
}

/** Nobody can watch who was not given a signed address. What is not declared is the service's to choose, so it has to be declared. */
export function publicPlayback({ type, name, props }: Resource): string[] {
    const policies = {
        [typeOf("Content")]: ["playbackPolicy"],
        [typeOf("Livestream")]:
            props.record === true ? ["playbackPolicy", "recordingsPlaybackPolicy"] : ["playbackPolicy"],
    };
    return (policies[type] ?? []).flatMap((property) => {
        const policy = props[property];
        if (!Array.isArray(policy)) return [`${name} does not declare ${property}: set it to ["signed"].`];
        return policy.includes("public") ? [`${name} can be watched by everybody: set ${property} to ["signed"].`] : [];
    });
}

/** Test videos end after ten seconds. */
export function testVideo({ type, name, props }: Resource): string[] {
    if (type !== typeOf("Content") || props.testVideo !== true) return [];
    return [`${name} is a test video, of which only the first seconds are made: take testVideo out.`];
}

export interface Naming {
    /** The longest title, in characters. */
    longestTitle: number;
    /** How the tag begins that says whose video it is. */
    ownerTag: string;
}

/** Titles are for viewers, tags are for programs. */
export function naming({ type, name, props }: Resource, { longestTitle, ownerTag }: Naming): string[] {
    if (type !== typeOf("Content") && type !== typeOf("Livestream")) return [];
    const violations: string[] = [];
    if (typeof props.title === "string" && props.title.length > longestTitle) {
        violations.push(`${name}: the title has ${props.title.length} characters; ${longestTitle} are shown.`);
    }
    const tags = Array.isArray(props.tags) ? props.tags : [];
    if (!tags.some((tag) => typeof tag === "string" && tag.startsWith(ownerTag))) {
        violations.push(`${name}: there is no tag that says whose it is, such as ${ownerTag}marketing.`);
    }
    return violations;
}

/** An `up` that succeeded has to mean that everything plays: each content is waited for, by itself or by a ContentReadiness. */
export function waitedFor(resources: readonly StackResource[]): Violation[] {
    const waited = new Set(
        resources
            .filter(({ type }) => type === typeOf("ContentReadiness"))
            .flatMap(({ propertyDependencies }) => propertyDependencies.contentIds ?? [])
            .map(({ urn }) => urn),
    );
    return resources
        .filter(
            ({ type, urn, props }) => type === typeOf("Content") && props.waitForReady === false && !waited.has(urn),
        )
        .map(({ urn, name }) => ({
            urn,
            message: `Nothing waits for ${name}: take waitForReady out, or put its contentId into a ContentReadiness.`,
        }));
}
