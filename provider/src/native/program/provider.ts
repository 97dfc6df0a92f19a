import * as pulumi from "@pulumi/pulumi";
import { type ProviderArgs as DynamicArgs, stackSettings, withSecretKey } from "../../program/provider";
import { isOfType } from "../../program/registration";
import { fromStackKey, packageName } from "../../typeTokens";
import { pluginOptions } from "./registration";

/**
 * The settings of one environment of the service. What is left out comes from the environment variables, else from the stack
 * configuration.
 */
export interface ProviderArgs extends DynamicArgs {
    /** Whether a 404 always means that an object was deleted. Default: `VIDEOGRAPH_TRUST_NOT_FOUND`, else `videograph:trustNotFound`. */
    trustNotFound?: pulumi.Input<boolean | undefined> | undefined;
}

/**
 * One environment of the service, for programs that use several. Pass it as `provider` in the resource options, and in the second
 * argument of lookups. Its own arguments win over the environment variables and the stack configuration.
 */
export class Provider extends pulumi.ProviderResource {
    /** Whether the object is a Provider, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Provider {
        return isOfType(object, `pulumi:providers:${packageName}`);
    }

    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        const inputs = { ...withSecretKey(args), [fromStackKey]: stackSettings() };
        super(packageName, name, inputs, pulumi.mergeOptions(pluginOptions(), opts));
    }
}
