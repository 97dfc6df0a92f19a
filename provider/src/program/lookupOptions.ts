/** The types of both forms of every lookup. In a separate file, because it is public: it needs no types of the API client. */
import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";

/** The options of a function. */
export interface LookupOptions {
    /** The environment, for programs that use several. Default: that of `parent`. */
    provider?: Provider | undefined;
    /** The resource whose provider is used when `provider` is left out, such as a component. */
    parent?: pulumi.Resource | undefined;
}

/** The options of the Output form of a lookup. */
export interface LookupOutputOptions extends LookupOptions {
    /** Resources that must exist before the function runs. If a preview creates one of them, the result is unknown. */
    dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/** A lookup in plain values. Its arguments may be left out where all of them are optional. */
export type Lookup<Args, Result> = object extends Args
    ? (args?: pulumi.Unwrap<Args>, opts?: LookupOptions) => Promise<Result>
    : (args: pulumi.Unwrap<Args>, opts?: LookupOptions) => Promise<Result>;

/** The Output form of a lookup. */
export type LookupOutput<Args, Result> = object extends Args
    ? (args?: Args, opts?: LookupOutputOptions) => pulumi.Output<Result>
    : (args: Args, opts?: LookupOutputOptions) => pulumi.Output<Result>;
