/** A process that a debugger has started: it serves one engine after the other, each with a fresh state. */

import type { ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Engine } from "../session/engine";
import type { Lifetime } from "../session/lifetime";

/** The server for one engine. */
export interface EngineService {
    methods: UntypedServiceImplementation;
    lifetime: Pick<Lifetime, "signal">;
}

/** The debugger ends the process; an engine that goes away does not. */
class AttachedEngine extends Engine {
    override watch(): void {}
}

/** The methods of what `begin` makes for the engine that sent its address last. */
export function attachable(start: (engine: Engine) => EngineService): Pick<EngineService, "methods"> {
    let address = "";
    let serving = start(new AttachedEngine(address));
    const forwarded = Object.keys(serving.methods).map((name) => [
        name,
        (...args: unknown[]) => (serving.methods[name] as (...args: unknown[]) => void)(...args),
    ]);
    return {
        methods: {
            ...Object.fromEntries(forwarded),
            attach({ request }: ServerUnaryCall<PluginAttach, Empty>, callback: sendUnaryData<Empty>) {
                // A preview and the update after it are two operations, and each ends with a cancel.
                if (request.getAddress() !== address || serving.lifetime.signal.aborted) {
                    address = request.getAddress();
                    serving = start(new AttachedEngine(address));
                }
                callback(null, new Empty());
            },
        },
    };
}
