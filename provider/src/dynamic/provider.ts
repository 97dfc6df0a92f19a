/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import { secretOutputs } from "../inputs/definition";
import { type ResourceType, resourceTypes } from "../resources";
import { realDependencies, Session } from "../session/session";
import type { ResourceKind } from "../typeTokens";
import { Adapter } from "./adapter";

/** One per process: all resources share pool, journal and waits. */
const session = new Session(realDependencies());

function adapter(kind: ResourceKind): Adapter {
    const { lifecycle, definition }: ResourceType = resourceTypes[kind];
    return new Adapter(session, kind, lifecycle, definition && secretOutputs(definition)[0]);
}

export const content = adapter("Content");
export const clip = adapter("Clip");
export const livestream = adapter("Livestream");
export const contentReadiness = adapter("ContentReadiness");
export const contentLibrary = adapter("ContentLibrary");
