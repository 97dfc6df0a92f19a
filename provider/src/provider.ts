import * as pulumi from "@pulumi/pulumi";
import { resolveSettings, type SettingName, type Settings, settingNames } from "./settings";

/** Tells the provider process which settings are an explicit provider's own, and so win over the environment. */
export const ownSettingsKey = "videograph:ownSettings";

/** The settings of one environment of the service. What is left out comes from the environment variables or the stack configuration. */
export interface ProviderArgs {
    /** The access token id; decides which environment of the service is used. */
    accessTokenId?: pulumi.Input<string> | undefined;
    /** The secret key of the access token. */
    secretKey?: pulumi.Input<string> | undefined;
    /** The base address. Default `https://api.videograph.ai`. */
    baseUrl?: pulumi.Input<string> | undefined;
    /** The default for `Livestream.region`. */
    region?: pulumi.Input<string> | undefined;
}

/** One environment of the service, for programs that use several: pass it as `provider` to resources and lookups. */
export class Provider extends pulumi.ProviderResource {
    /** @internal */
    public readonly ownSettings: { [name in SettingName]?: pulumi.Input<string> };

    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        const own = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
        const stack = new pulumi.Config("videograph");
        const inputs: pulumi.Inputs = { [ownSettingsKey]: Object.keys(own).join(",") };
        for (const setting of settingNames) {
            const value = own[setting] ?? (setting === "secretKey" ? stack.getSecret(setting) : stack.get(setting));
            if (value !== undefined)
                inputs[`videograph:${setting}`] = setting === "secretKey" ? pulumi.secret(value) : value;
        }
        super("pulumi-nodejs", name, inputs, opts);
        this.ownSettings = own;
    }
}

/** The settings of a lookup in the program's own process; `undefined` while a preview does not know them yet. */
export function settingsFor(provider: Provider | undefined): pulumi.Output<Settings> {
    const stack = new pulumi.Config("videograph");
    return pulumi
        .all([provider?.ownSettings ?? {}, stack.getSecret("secretKey")])
        .apply(([own, secretKey]) =>
            resolveSettings(own, (name) => (name === "secretKey" ? secretKey : stack.get(name)), process.env),
        );
}
