/**
 * The kinds of resources, and the names by which the engine finds their code. Users' states and programs contain these texts: a changed one would break
 * them.
 */

/** The names of the resource classes. */
const kinds = ["Content", "Clip", "Livestream", "ContentReadiness", "ContentLibrary"] as const;
export type ResourceKind = (typeof kinds)[number];

/** The type of a dynamic resource. Its prefix `pulumi-nodejs:` makes the engine start the SDK's process for dynamic providers. */
export function typeOf(kind: ResourceKind): string {
    return `pulumi-nodejs:dynamic/videograph:${kind}`;
}

/** The name of the npm package. */
export const npmName = "pulumi-videograph";

/** The name of the resource plugin. */
export const packageName = "videograph";

/** The type of a native resource, or the token of a function of the plugin. */
export function nativeTypeOf(name: string): string {
    return `${packageName}:index:${name}`;
}

/** The kind of a dynamic or native type; `undefined` for any other type. */
export function kindOf(type: string | undefined): ResourceKind | undefined {
    return kinds.find((kind) => type === typeOf(kind) || type === nativeTypeOf(kind));
}

/**
 * The code that the SDK runs for a dynamic resource, as the state records it. It loads the provider from `dynamic/provider.ts`. The text never
 * changes, and it is short, because the engine writes it twice for each resource at every step. Where the package is not installed, no other code can
 * say so: without the `catch`, the SDK would print Node's error with its stack at every call.
 */
export function providerText(kind: ResourceKind): string {
    const implementation = kind.charAt(0).toLowerCase() + kind.slice(1);
    // Only the first line of Node's error: the others list all files that have required the package.
    const explain = 'throw{message:/.*/.exec(e)+" [VG2010]"}';
    return `exports.handler=()=>{try{return require("pulumi-videograph/provider").${implementation}}catch(e){${explain}}}`;
}

/** The key of a setting in the stack's configuration. The SDK hands it to a dynamic provider under the same key. */
export function stackSettingKey(name: string): string {
    return `videograph:${name}`;
}

/**
 * The key by which the class `Provider` hands a setting to the dynamic provider. A key of the stack's configuration never has two colons, so it
 * cannot be mistaken for this one.
 */
export function ownSettingKey(name: string): string {
    return stackSettingKey(`own:${name}`);
}

/** A hidden input of each native provider that a program declares: the settings of the stack's configuration. The engine's default provider never has it. */
export const fromStackKey = "__fromStack";
