/** Every dynamic resource in a state has a text, `__provider`, that loads this file. So neither its path nor its names may ever change. */
import "../nodeVersion";
import { LifecycleError, messages } from "../messages";
import { installedFolder } from "../session/installed";
import { realDependencies, Session } from "../session/session";
import { npmName } from "../typeTokens";
import { Adapter, dropPrintedErrors } from "./adapter";

dropPrintedErrors();
// If this folder has no such package, something else has led here, such as NODE_PATH. A later run without that could not even destroy what this one creates.
if (installedFolder(npmName, process.cwd()) === undefined)
    throw new LifecycleError(messages.notLoadable({ folder: process.cwd() }));

/** One session for the process: all resources share its connections, its journal and its waits. */
const session = new Session(realDependencies());

export const content = new Adapter(session, "Content");
export const clip = new Adapter(session, "Clip");
export const livestream = new Adapter(session, "Livestream");
export const contentReadiness = new Adapter(session, "ContentReadiness");
export const contentLibrary = new Adapter(session, "ContentLibrary");
