/** The names by which the engine and programs call for what the plugin serves. Public, and stored in users' state. */
export { nativeTypeOf } from "../typeTokens";

export const packageName = "videograph";

export const lookupNames = ["getContent", "getContents", "getLivestream", "getLivestreams", "getSigningKeys"] as const;
export type LookupName = (typeof lookupNames)[number];

export function lookupToken(name: LookupName): string {
    return `${packageName}:index:${name}`;
}

/**
 * The hidden input of an explicit provider that names the settings which the program took from the stack's configuration:
 * they are not the provider's own, so the environment wins over them.
 */
export const fromStackKey = "__fromStack";
