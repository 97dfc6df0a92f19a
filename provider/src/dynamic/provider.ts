/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import { LifecycleError, messages } from "../messages";
import { installedFolder } from "../session/installed";
import { realDependencies, Session } from "../session/session";
import { npmName } from "../typeTokens";
import { Adapter, dropPrintedErrors } from "./adapter";

dropPrintedErrors();
// A run that is started in another way could not even destroy what this one creates.
if (installedFolder(npmName, process.cwd()) === undefined)
    throw new LifecycleError(messages.notLoadable({ folder: process.cwd() }));

/** The session of the process: all resources share pool, journal and waits. */
const session = new Session(realDependencies());

export const content = new Adapter(session, "Content");
export const clip = new Adapter(session, "Clip");
export const livestream = new Adapter(session, "Livestream");
export const contentReadiness = new Adapter(session, "ContentReadiness");
export const contentLibrary = new Adapter(session, "ContentLibrary");
