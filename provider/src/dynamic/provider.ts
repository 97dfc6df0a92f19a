/**
 * Every dynamic resource in a state has a text, `__provider`, that loads this file. So neither the file's path nor the names of its exports may ever
 * change.
 */
import "../nodeVersion";
import { LifecycleError, messages } from "../messages";
import { installedFolder } from "../session/installed";
import { realDependencies, Session } from "../session/session";
import { npmName } from "../typeTokens";
import { Adapter, dropPrintedErrors } from "./adapter";

dropPrintedErrors();
// Node may have found this package in another way than from the program's folder, such as by NODE_PATH. A later run without NODE_PATH could not even
// destroy what this run creates, so this run fails at once.
if (installedFolder(npmName, process.cwd()) === undefined)
    throw new LifecycleError(messages.notLoadable({ folder: process.cwd() }));

/** One session for the process: all resources share its connections, its journal and its waits. */
const session = new Session(realDependencies());

export const content = new Adapter(session, "Content");
export const clip = new Adapter(session, "Clip");
export const livestream = new Adapter(session, "Livestream");
export const contentReadiness = new Adapter(session, "ContentReadiness");
export const contentLibrary = new Adapter(session, "ContentLibrary");
