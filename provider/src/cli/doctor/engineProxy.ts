/** Whether Pulumi's own processes, which talk over gRPC on this machine, would do so through the user's proxy. */
import { BlockList, isIPv4 } from "node:net";
import { type Finding, findingsOf } from "./finding";

/** Where they find each other. */
const engineHost = "127.0.0.1";

/** As gRPC for Node.js reads the environment: only small letters, and only proxies by http:. Go leaves this machine out. */
export function* engineProxy(env: NodeJS.ProcessEnv): Iterable<Finding> {
    const name = ["grpc_proxy", "https_proxy", "http_proxy"].find((variable) => env[variable]);
    const proxy = name === undefined ? undefined : URL.parse(env[name] ?? "");
    if (name === undefined || proxy?.protocol !== "http:") return;
    const exceptions = env.no_grpc_proxy ? "no_grpc_proxy" : "no_proxy";
    const listed = env[exceptions] ?? "";
    if (listed !== "" && listed.split(",").some(covers)) return;
    // Once it is set, nothing looks at NO_PROXY any more.
    const others = listed || (env.NO_PROXY ?? "");
    const complete = [...(others === "" ? [] : [others]), "localhost", engineHost].join(",");
    yield findingsOf("Pulumi's proxy").warning(
        `${name} is set, in small letters, and ${exceptions} does not name ${engineHost}: Pulumi's own processes would try to reach each ` +
            `other on this machine through the proxy, and no program would run. Set ${exceptions}=${complete}, in small letters too.`,
    );
}

/** A suffix of the host, or a block of addresses: `*` and blanks are not understood. */
function covers(entry: string): boolean {
    const [network = "", length = "", more] = entry.split("/");
    if (!isIPv4(network) || !/^\d{1,2}$/.test(length) || Number(length) > 32 || more !== undefined) {
        return engineHost.endsWith(entry);
    }
    const block = new BlockList();
    block.addSubnet(network, Number(length));
    return block.check(engineHost);
}
