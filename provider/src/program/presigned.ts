/** Source addresses that are credentials: presigned URLs open the file to anyone who has them. */
import * as pulumi from "@pulumi/pulumi";
import { holdsPresigned } from "../session/secretValues";

/** The value, made a secret if an address in it has a query string or user info. */
export function secretIfPresigned<T>(value: pulumi.Input<T> | undefined): pulumi.Input<T> | undefined {
    if (value === undefined) return undefined;
    return pulumi
        .output(value)
        .apply((known) => (holdsPresigned(known) ? pulumi.secret(known) : pulumi.output(known))) as pulumi.Output<T>;
}
