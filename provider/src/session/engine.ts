/**
 * The provider process's line back to the engine: text on a resource's row, and the knowledge that the engine is gone.
 * Dynamic providers are given neither (pulumi/pulumi#6065); the engine's address is the process's last argument.
 */
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { parseUrn } from "../urn";
import { grpc } from "./grpc";

const address = /^(127\.0\.0\.1|localhost|\[::1\]|\[::\]|0\.0\.0\.0):\d+$/;

export class Engine {
    readonly #client: EngineClient | undefined;

    constructor(engineAddress: string | undefined = process.argv.at(-1)) {
        if (engineAddress !== undefined && address.test(engineAddress)) {
            this.#client = new EngineClient(engineAddress, grpc.credentials.createInsecure());
        }
    }

    /** A line on the row of `urn`. `passing` lines are not kept. */
    say(severity: "info" | "warning", urn: string | undefined, message: string, passing: boolean): void {
        const request = new LogRequest();
        request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
        request.setMessage(message);
        // The engine panics at a malformed URN (`Urn is: ...`, exit 2): anything else goes to the stack's row.
        request.setUrn(urn !== undefined && isUrn(urn) ? urn : "");
        request.setStreamid(0);
        request.setEphemeral(passing);
        // A line that cannot be told must not fail the operation it tells of.
        this.#client?.log(request, () => undefined);
    }

    /** Calls `gone` once the engine does not answer any more. A killed engine says no goodbye. */
    watch(gone: () => void): void {
        const channel = this.#client?.getChannel();
        if (channel === undefined) return;
        let seen = false;
        const look = () => {
            const state = channel.getConnectivityState(true);
            if (state === grpc.connectivityState.READY) seen = true;
            if (seen && state === grpc.connectivityState.TRANSIENT_FAILURE) gone();
            else if (state !== grpc.connectivityState.SHUTDOWN) {
                channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, look);
            }
        };
        look();
    }
}

function isUrn(text: string): boolean {
    const urn = parseUrn(text);
    return urn !== undefined && Object.values(urn).every((part) => part !== "") && !/\s/.test(urn.types);
}
