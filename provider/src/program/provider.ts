import * as pulumi from "@pulumi/pulumi";
import {
    ownSettingsKey,
    type ResolvedSettings,
    resolveSettings,
    type SettingName,
    settingNames,
} from "../session/settings";

/**
 * The settings of one environment of the service. A setting that is left out comes from the environment variables, or else from the
 * stack configuration.
 */
export interface ProviderArgs {
    /** The access token id. A token belongs to exactly one environment of the service. Default: `VIDEOGRAPH_ACCESS_TOKEN_ID`, or else `videograph:accessTokenId`. */
    accessTokenId?: pulumi.Input<string | undefined> | undefined;
    /** The secret key of the access token; always a secret. Default: `VIDEOGRAPH_SECRET_KEY`, or else `videograph:secretKey`. */
    secretKey?: pulumi.Input<string | undefined> | undefined;
    /** The base URL of the API. Default: `VIDEOGRAPH_BASE_URL`, else `videograph:baseUrl`, else `https://api.videograph.ai`. `http:` is refused unless the host is this machine. */
    baseUrl?: pulumi.Input<string | undefined> | undefined;
    /** The default for `Livestream.region`. Default: `VIDEOGRAPH_REGION`, else `videograph:region`. */
    region?: pulumi.Input<string | undefined> | undefined;
}

/**
 * One environment of the service, for programs that use several. Pass it as `provider` in the resource options, and in the second
 * argument of functions. Its own arguments override the environment variables and the stack configuration.
 *
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as videograph from "pulumi-videograph";
 *
 * const config = new pulumi.Config("staging");
 * const staging = new videograph.Provider("staging", {
 *     accessTokenId: config.requireSecret("accessTokenId"),
 *     secretKey: config.requireSecret("secretKey"),
 * });
 *
 * new videograph.Livestream("rehearsal", { title: "Rehearsal", region: "us-east-1" }, { provider: staging });
 * export const keys = videograph.getSigningKeysOutput({}, { provider: staging });
 * ```
 *
 * Rotating the secret key updates only the provider. None of its resources change.
 */
export class Provider extends pulumi.ProviderResource {
    /** @internal */
    public readonly ownSettings: { [name in SettingName]?: pulumi.Input<string> };

    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        const { own, values } = settingsIn(args);
        const inputs: pulumi.Inputs = { [ownSettingsKey]: namesOfSet(own) };
        for (const setting of settingNames) inputs[`videograph:${setting}`] = values[setting];
        super("pulumi-nodejs", name, inputs, opts);
        this.ownSettings = own;
    }
}

/** The settings of an explicit provider: its own, and all with those that it takes from the stack's configuration. */
export function settingsIn(args: object): { own: pulumi.Inputs; values: pulumi.Inputs } {
    const own: pulumi.Inputs = Object.fromEntries(
        Object.entries(args).filter(([, value]) => value !== undefined && value !== null),
    );
    const stack = new pulumi.Config("videograph");
    const values = { ...own };
    for (const setting of settingNames) {
        const configured = setting === "secretKey" ? stack.getSecret(setting) : stack.get(setting);
        const value =
            typeof own[setting] === "object" ? firstSet(own[setting], configured) : (own[setting] ?? configured);
        if (value !== undefined) values[setting] = setting === "secretKey" ? secretIfSet(value) : value;
    }
    return { own, values };
}

/** The first one, unless it turns out to be undefined. A promise: an Output of a secret that is undefined would be sent. */
async function firstSet(one: pulumi.Input<unknown>, other: pulumi.Input<unknown>): Promise<pulumi.Input<unknown>> {
    return (await isUnset(one)) ? other : one;
}

async function secretIfSet(value: pulumi.Input<unknown>): Promise<pulumi.Input<unknown>> {
    return (await isUnset(await value)) ? undefined : pulumi.secret(value);
}

async function isUnset(value: pulumi.Input<unknown>): Promise<boolean> {
    const { isKnown, promise } = pulumi.output(value) as OutputInternals<unknown>;
    return (await isKnown) && ((await promise()) ?? undefined) === undefined;
}

/** The names of those that are set, or may be. */
export async function namesOfSet(settings: pulumi.Inputs): Promise<string> {
    const names = Object.entries(settings).map(async ([name, value]) => ((await isUnset(value)) ? [] : [name]));
    return (await Promise.all(names)).flat().join(",");
}

/** The value of an Output; `undefined` while it is unknown. */
export async function resolvedValue<T>(output: pulumi.Output<T>): Promise<T | undefined> {
    const { isKnown, promise } = output as OutputInternals<T>;
    return (await isKnown) ? await promise() : undefined;
}

/** Declared internal by the SDK, and the only way to distinguish an unknown Output from a slow one. */
type OutputInternals<T> = pulumi.Output<T> & { isKnown: Promise<boolean>; promise(): Promise<T> };

/** The settings of a lookup in the program's own process; `undefined` while a preview does not know them yet. */
export function settingsFor(provider: Provider | undefined): pulumi.Output<ResolvedSettings> {
    const stack = new pulumi.Config("videograph");
    return pulumi
        .all([provider?.ownSettings ?? {}, stack.getSecret("secretKey")])
        .apply(([own, secretKey]) =>
            resolveSettings(own, (name) => (name === "secretKey" ? secretKey : stack.get(name)), process.env),
        );
}
