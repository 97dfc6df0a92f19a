/**
 * The kinds of resource, and the texts by which the engine finds the implementation of each, and of functions: for the two faces,
 * not the core. Public, and stored in users' state.
 */

/** The names of the resource classes. */
const kinds = ["Content", "Clip", "Livestream", "ContentReadiness", "ContentLibrary"] as const;
export type ResourceKind = (typeof kinds)[number];

/** The type token of a dynamic resource. The prefix routes it to the SDK's dynamic-provider process. */
export function typeOf(kind: ResourceKind): string {
    return `pulumi-nodejs:dynamic/videograph:${kind}`;
}

/** The name of the npm package. */
export const npmName = "pulumi-videograph";

/** The name of the resource plugin. */
export const packageName = "videograph";

/** The token of a resource type, or of a function, of the resource plugin. */
export function nativeTypeOf(name: string): string {
    return `${packageName}:index:${name}`;
}

/** The kind that a type token of either face names. */
export function kindOf(type: string | undefined): ResourceKind | undefined {
    return kinds.find((kind) => type === typeOf(kind) || type === nativeTypeOf(kind));
}

/**
 * The text in state that stands for the implementation: an export of `dynamic/provider.ts`. It never changes, and it is short: the engine writes it
 * twice for each resource, at every step. Where the package is not installed, nothing else can say so: the SDK prints Node's error, with its
 * stack, at every call of the provider.
 */
export function providerText(kind: ResourceKind): string {
    const implementation = kind.charAt(0).toLowerCase() + kind.slice(1);
    // Its first line alone: the SDK prints the stack.
    const explain = 'throw{message:/.*/.exec(e)+" [VG2010]"}';
    return `exports.handler=()=>{try{return require("pulumi-videograph/provider").${implementation}}catch(e){${explain}}}`;
}

/** The key of a setting in the stack's configuration, and in the inputs of a dynamic provider. */
export function stackSettingKey(name: string): string {
    return `videograph:${name}`;
}

/** The key of an explicit dynamic provider's own setting. No configuration can have such a key. */
export function ownSettingKey(name: string): string {
    return stackSettingKey(`own:${name}`);
}

/** A hidden input that all explicit native providers have, and default providers never: the settings of the stack's configuration. */
export const fromStackKey = "__fromStack";
