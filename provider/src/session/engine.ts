/** The connection to the engine, which dynamic providers are not given (pulumi/pulumi#6065): its address is the last argument. */
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineStartMs } from "../api";
import { parseUrn } from "../urn";
import { grpc } from "./grpc";

const address = /^(127\.0\.0\.1|localhost|\[::1\]|\[::\]|0\.0\.0\.0):\d+$/;

export class Engine {
    /** The engine's port, the same for all provider processes of a run; `undefined` without an engine. */
    readonly port: string | undefined;
    readonly #client: EngineClient | undefined;
    /** The last line of each row. gRPC may deliver two lines that are under way in either order, so each waits for the one before it. */
    readonly #lastLines = new Map<string, Promise<void>>();

    constructor(engineAddress: string | undefined = process.argv.at(-1)) {
        if (engineAddress === undefined || !address.test(engineAddress)) return;
        this.port = engineAddress.split(":").at(-1);
        this.#client = new EngineClient(engineAddress, grpc.credentials.createInsecure());
    }

    /** Puts a line on the row of `urn`. Ephemeral lines are not kept. A line that cannot be sent does not fail the operation. */
    say(severity: "info" | "warning", urn: string, message: string, isEphemeral: boolean): void {
        const request = new LogRequest();
        request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
        request.setMessage(message);
        // The engine panics at a malformed URN (`Urn is: ...`, exit 2): anything else goes to the stack's row.
        request.setUrn(isUrn(urn) ? urn : "");
        request.setEphemeral(isEphemeral);
        const client = this.#client;
        if (client === undefined) return;
        const send = () =>
            new Promise<void>((resolve) => {
                const options = { deadline: Date.now() + engineStartMs };
                client.log(request, new grpc.Metadata(), options, () => resolve());
            });
        this.#lastLines.set(urn, Promise.resolve(this.shown(urn)).then(send));
    }

    /** Resolves when the engine has all lines of the row; `undefined` if there are none. A row whose operation has ended keeps the line that it shows. */
    shown(urn: string): Promise<void> | undefined {
        return this.#lastLines.get(urn);
    }

    /** Watches the engine. `onGone`: it no longer answers, for a killed one sends nothing. `onUnreached`: it never has, perhaps behind a proxy. */
    watch(onGone: () => void, onUnreached: () => void = () => {}): void {
        if (this.#client === undefined) return;
        const channel = this.#client.getChannel();
        const { READY, TRANSIENT_FAILURE } = grpc.connectivityState;
        let wasReady = false;
        setTimeout(() => wasReady || onUnreached(), engineStartMs).unref();
        const watchState = () => {
            const state = channel.getConnectivityState(true);
            if (state === READY) wasReady = true;
            if (wasReady && state === TRANSIENT_FAILURE) onGone();
            else channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, watchState);
        };
        watchState();
    }
}

function isUrn(text: string): boolean {
    const urn = parseUrn(text);
    return urn !== undefined && Object.values(urn).every((part) => part !== "") && !/\s/.test(urn.types);
}
