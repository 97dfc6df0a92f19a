import * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../program/provider";
import { isOfType } from "../../program/registration";
import { settingNames } from "../../session/settings";
import { fromStackKey, packageName } from "../tokens";
import { pluginOptions } from "./registration";

/**
 * The settings of one environment of the service. What is left out comes from the environment variables, else from the stack
 * configuration.
 */
export interface ProviderArgs extends dynamic.ProviderArgs {
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
        const own: pulumi.Inputs = Object.fromEntries(
            Object.entries(args).filter(([, value]) => value !== undefined && value !== null),
        );
        const stack = new pulumi.Config(packageName);
        const inputs: pulumi.Inputs = { ...own };
        const fromStack = settingNames.filter(
            (setting) => own[setting] === undefined && stack.get(setting) !== undefined,
        );
        for (const setting of fromStack)
            inputs[setting] = setting === "secretKey" ? stack.getSecret(setting) : stack.get(setting);
        if (inputs.secretKey !== undefined) inputs.secretKey = pulumi.secret(inputs.secretKey);
        if (inputs.trustNotFound !== undefined)
            inputs.trustNotFound = pulumi.output(inputs.trustNotFound).apply(String);
        if (fromStack.length > 0) inputs[fromStackKey] = fromStack.join(",");
        super(packageName, name, inputs, pulumi.mergeOptions(pluginOptions(), opts));
    }
}
