/** The entry that every resource's recorded `__provider` text requires. Its path and its names never change. */
import "../nodeVersion";
import * as lifecycle from "../lifecycle";
import { Adapter } from "./adapter";

export const content = new Adapter("Content", lifecycle.content);
export const livestream = new Adapter("Livestream", lifecycle.livestream, "streamKey");
export const contentReadiness = new Adapter("ContentReadiness", lifecycle.contentReadiness);
