/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import * as resources from "../resources";
import { Runtime, realSurroundings } from "../session/runtime";
import { Adapter } from "./adapter";

/** One per process: all resources share pool, journal and waits. */
const runtime = new Runtime(realSurroundings());

export const content = new Adapter(runtime, "Content", resources.content);
export const livestream = new Adapter(runtime, "Livestream", resources.livestream, "streamKey");
export const contentReadiness = new Adapter(runtime, "ContentReadiness", resources.contentReadiness);
