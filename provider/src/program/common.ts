import type * as pulumi from "@pulumi/pulumi";

/** The inputs that every object may have. */
export interface CommonInputs {
    /** A description. When you remove it from the program, it is reset to `""`. Changed in place. */
    description?: pulumi.Input<string | undefined> | undefined;
    /**
     * Keywords for searching. Their order does not matter. When you remove them from the program, they are reset to
     * `[]`. Changed in place.
     */
    tags?: pulumi.Input<pulumi.Input<string>[] | undefined> | undefined;
    /**
     * Your own key-value pairs, all strings. The key `managed_by` is reserved: it contains the ownership marker, which
     * names the stack that manages the object. When you remove them from the program, they are reset to `{}`. Changed
     * in place.
     */
    metadata?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined> | undefined;
    /**
     * The id of an existing object to adopt instead of creating one. You can remove it from the program later (from a
     * `Content` once it declares `content`): that changes nothing. You cannot change it to another id. An object with
     * the ownership marker of another stack (`managed_by` in its metadata) is refused, and so is a video that has
     * Failed.
     */
    importId?: pulumi.Input<string | undefined> | undefined;
}
