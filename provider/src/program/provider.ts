import * as pulumi from "@pulumi/pulumi";
import {
    type ResolvedSettings,
    resolveSettings,
    type SettingName,
    settingNames,
    settingsSchema,
} from "../session/settings";
import { ownSettingKey, stackSettingKey } from "../typeTokens";
import { refuseWrong, refuseWrongConfiguration } from "./refusals";

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
    /** The region of livestreams that declare none. Default: `VIDEOGRAPH_REGION`, else `videograph:region`. */
    region?: pulumi.Input<string | undefined> | undefined;
}

/**
 * One environment of the service, for programs that use several. Pass it as `provider` in the resource options, and in the second
 * argument of functions. Its own arguments override the environment variables and the stack configuration. In languages other than TypeScript, what is not passed
 * comes from the environment variables only.
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
    /**
     * The settings of a lookup, which runs in the program's own process.
     * @internal
     */
    public readonly ownSettings: Readonly<Record<string, pulumi.Input<string> | undefined>>;

    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        // A mistyped argument can be refused only here: the provider process gets none but the known settings.
        refuseWrong(`Provider "${name}"`, settingsSchema, args);
        const [own, stack] = [withSecretKey(args), stackSettings()];
        const inputs: pulumi.Inputs = {};
        for (const setting of settingNames) {
            inputs[ownSettingKey(setting)] = own[setting];
            inputs[stackSettingKey(setting)] = stack[setting];
        }
        super("pulumi-nodejs", name, inputs, opts);
        this.ownSettings = own;
    }
}

/** Returns the arguments, with the secret key marked as a secret. An Output that resolves to `undefined` sets no key. */
export function withSecretKey(args: ProviderArgs): pulumi.Inputs {
    const asSecret = (key: string | undefined) => (key === undefined ? key : pulumi.secret(key));
    return { ...args, secretKey: pulumi.output(args.secretKey).apply(asSecret) };
}

/**
 * The settings of the stack's configuration, for what an explicit provider leaves out. A setting is a secret unless the user has certainly set it in
 * plain text.
 */
export function stackSettings(): pulumi.Inputs {
    refuseWrongConfiguration();
    const stack = new pulumi.Config("videograph");
    const settingOf = (name: SettingName) =>
        isPlainSetting(name, stack.get(name)) ? stack.get(name) : stack.getSecret(name);
    return Object.fromEntries(settingNames.map((name) => [name, settingOf(name)]));
}

/**
 * Whether the user has set this value in plain text. The SDK does not say so, but environment variables of the language host do. An inline program
 * has no such variables: all its settings count as secrets.
 */
function isPlainSetting(name: SettingName, value: string | undefined): boolean {
    const { PULUMI_CONFIG: configuration = "{}", PULUMI_CONFIG_SECRET_KEYS: secretKeys } = process.env;
    if (name === "secretKey" || secretKeys === undefined) return false;
    const [values, secrets] = [JSON.parse(configuration), JSON.parse(secretKeys)];
    // Older language hosts write `videograph:config:region` for `videograph:region`.
    const keys = [stackSettingKey(name), stackSettingKey(`config:${name}`)];
    return keys.some((key) => values[key] === value) && !keys.some((key) => secrets.includes(key));
}

/** The value of an Output; `undefined` while it is unknown. */
export async function resolvedValue<T>(output: pulumi.Output<T>): Promise<T | undefined> {
    const { isKnown, promise } = output as OutputInternals<T>;
    return (await isKnown) ? await promise() : undefined;
}

/**
 * Parts of an Output that the SDK does not declare. `apply` cannot be used: for an unknown Output it never calls back, and the lookup would wait for
 * ever.
 */
type OutputInternals<T> = pulumi.Output<T> & { isKnown: Promise<boolean>; promise(): Promise<T> };

/**
 * The settings of a lookup: each from the provider, else from the environment variables, else from the stack. Unknown while a preview does not know
 * one of them.
 */
export function settingsFor(provider: Provider | undefined): pulumi.Output<ResolvedSettings> {
    return pulumi
        .all([provider?.ownSettings ?? {}, stackSettings()])
        .apply(([own, stack]) => resolveSettings(own, stack, process.env));
}
