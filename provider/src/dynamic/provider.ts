/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import { secretOutputs } from "../inputs/definition";
import * as resources from "../resources";
import { livestreamDefinition } from "../resources/livestream/definition";
import { realDependencies, Session } from "../session/session";
import { Adapter } from "./adapter";

/** One per process: all resources share pool, journal and waits. */
const session = new Session(realDependencies());

export const content = new Adapter(session, "Content", resources.content);
export const livestream = new Adapter(
    session,
    "Livestream",
    resources.livestream,
    secretOutputs(livestreamDefinition)[0],
);
export const contentReadiness = new Adapter(session, "ContentReadiness", resources.contentReadiness);
export const contentLibrary = new Adapter(session, "ContentLibrary", resources.contentLibrary);
