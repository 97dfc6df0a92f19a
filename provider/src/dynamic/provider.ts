/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import { realDependencies, Session } from "../session/session";
import { Adapter, dropPrintedErrors } from "./adapter";
import { requireInstalledBeside } from "./installed";

dropPrintedErrors();
requireInstalledBeside(process.cwd());

/** The session of the process: all resources share pool, journal and waits. */
const session = new Session(realDependencies());

export const content = new Adapter(session, "Content");
export const clip = new Adapter(session, "Clip");
export const livestream = new Adapter(session, "Livestream");
export const contentReadiness = new Adapter(session, "ContentReadiness");
export const contentLibrary = new Adapter(session, "ContentLibrary");
