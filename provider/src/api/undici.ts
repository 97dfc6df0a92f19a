/**
 * The parts of undici in use. Its index would load everything else too, such as `fetch`, and take twice as long. The build makes one file of this, with
 * undici inside: Bun has a module of its own in the place of `undici`, which cannot send our requests.
 */
import type * as undici from "undici";

const dispatcher = require("undici/lib/dispatcher/dispatcher.js") as typeof undici.Dispatcher;
// The index, which is not loaded, adds `connect` to every dispatcher. Without it the agent of a proxy has no way to ask for a tunnel, and no request passes a proxy.
Object.assign(dispatcher.prototype, { connect: require("undici/lib/api/api-connect.js") });

export const Agent: typeof undici.Agent = require("undici/lib/dispatcher/agent.js");
export const EnvHttpProxyAgent: typeof undici.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
