/**
 * The parts of undici that the transport uses. The index of undici would load all the others too, such as `fetch`, and take twice as long. The build
 * copies undici into this file, because Bun replaces the module `undici` with one of its own, which cannot send these requests.
 */
import type * as undici from "undici";

const dispatcher = require("undici/lib/dispatcher/dispatcher.js") as typeof undici.Dispatcher;
// The index of undici, which is not loaded, would add `connect` to all dispatchers. Without `connect` the agent cannot ask a proxy for a tunnel, and
// no request passes the proxy.
Object.assign(dispatcher.prototype, { connect: require("undici/lib/api/api-connect.js") });

export const Agent: typeof undici.Agent = require("undici/lib/dispatcher/agent.js");
export const EnvHttpProxyAgent: typeof undici.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
