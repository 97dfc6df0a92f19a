import * as pulumi from "@pulumi/pulumi";
import { type ProviderArgs as DynamicArgs, settingsIn } from "../../program/provider";
import { isOfType } from "../../program/registration";
import { fromStackKey } from "../../session/settings";
import { packageName } from "../../typeTokens";
import { pluginOptions } from "./registration";

/**
 * The settings of one environment of the service. What is left out comes from the environment variables, else from the stack
 * configuration.
 */
export interface ProviderArgs extends DynamicArgs {
    /** Whether a 404 always means that an object was deleted. Default: `VIDEOGRAPH_TRUST_NOT_FOUND`, else `videograph:trustNotFound`. */
    trustNotFound?: pulumi.Input<boolean> | undefined;
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
        const { own, values: inputs } = settingsIn(args);
        const fromStack = Object.keys(inputs).filter((setting) => own[setting] === undefined);
        if (inputs.trustNotFound !== undefined)
            inputs.trustNotFound = pulumi.output(inputs.trustNotFound).apply(String);
        inputs[fromStackKey] = fromStack.join(",");
        super(packageName, name, inputs, pulumi.mergeOptions(pluginOptions(), opts));
    }
}
