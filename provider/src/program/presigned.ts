/** Source addresses that are credentials: presigned URLs open the file to whoever has them. */
import * as pulumi from "@pulumi/pulumi";

/** The value, made a secret if an address in it has a query string or user info. */
export function secretIfPresigned<T>(value: pulumi.Input<T> | undefined): pulumi.Input<T> | undefined {
    if (value === undefined) return undefined;
    return pulumi
        .output(value)
        .apply((known) => (holdsPresigned(known) ? pulumi.secret(known) : pulumi.output(known))) as pulumi.Output<T>;
}

function holdsPresigned(value: unknown): boolean {
    if (typeof value === "object" && value !== null) {
        return Object.entries(value).some(([key, item]) =>
            key === "url" && typeof item === "string" ? isPresigned(item) : holdsPresigned(item),
        );
    }
    return false;
}

function isPresigned(address: string): boolean {
    if (!URL.canParse(address)) return /[?@]/.test(address);
    const url = new URL(address);
    return url.search !== "" || url.username !== "" || url.password !== "";
}
