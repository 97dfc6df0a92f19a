/** The tokens of the plugin's resources and functions. Public, and stored in users' state. */
import type { LookupName } from "../lookups/definitions";

export { nativeTypeOf } from "../typeTokens";

export const packageName = "videograph";

export function lookupToken(name: LookupName): string {
    return `${packageName}:index:${name}`;
}

/**
 * The hidden input of an explicit provider that names the settings which the program took from the stack's configuration:
 * they are not the provider's own, so the environment wins over them.
 */
export const fromStackKey = "__fromStack";
