/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import * as lifecycle from "../lifecycle";
import { Adapter } from "./adapter";
import { Runtime, realSurroundings } from "./runtime";

/** One per process: all resources share pool, journal and waits. */
const runtime = new Runtime(realSurroundings());

export const content = new Adapter(runtime, "Content", lifecycle.content);
export const livestream = new Adapter(runtime, "Livestream", lifecycle.livestream, "streamKey");
export const contentReadiness = new Adapter(runtime, "ContentReadiness", lifecycle.contentReadiness);
