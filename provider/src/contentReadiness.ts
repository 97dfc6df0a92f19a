import * as pulumi from "@pulumi/pulumi";
import { typeOf } from "./kinds";
import { hiddenInputs } from "./registration";

/** The inputs of a {@link ContentReadiness}. */
export interface ContentReadinessArgs {
    /** The contents to wait for. */
    contentIds: pulumi.Input<pulumi.Input<string>[]>;
}

/** A content that was waited for. */
export interface ReadyContent {
    contentId: string;
    status: string;
    playbackUrl?: string;
    /** Milliseconds. */
    duration?: number;
}

/**
 * One wait for many contents. The engine creates only a few resources at a time, and each create that waits holds a place:
 * declare the contents of a big library with `waitForReady: false`, and one ContentReadiness that waits for them all together.
 *
 * Fails with the list of the contents that failed. The `customTimeouts` for create and update (60 minutes by default) bound
 * the wait; the next `pulumi up` goes on with it.
 */
export class ContentReadiness extends pulumi.CustomResource {
    declare public readonly contentIds: pulumi.Output<string[]>;
    declare public readonly contents: pulumi.Output<ReadyContent[]>;

    constructor(name: string, args: ContentReadinessArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            typeOf("ContentReadiness"),
            name,
            { ...args, contents: undefined, ...hiddenInputs("ContentReadiness", name, opts) },
            opts,
        );
    }
}
