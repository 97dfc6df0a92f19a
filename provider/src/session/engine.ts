/**
 * The connection to the engine. The SDK opens none for a dynamic provider (pulumi/pulumi#6065), but the last argument of a provider process is the
 * engine's address.
 */
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineStartMs } from "../api";
import { parseUrn } from "../urn";
import { grpc } from "./grpc";

const address = /^(127\.0\.0\.1|localhost|\[::1\]|\[::\]|0\.0\.0\.0):\d+$/;

export class Engine {
    /** The engine's port. All provider processes of a run have the same engine. `undefined` without an engine, as in a test. */
    readonly port: string | undefined;
    readonly #client: EngineClient | undefined;
    /** By the URN of a row: settles when the engine has the row's last line. gRPC may swap two lines, so each line waits for the line before. */
    readonly #lastLines = new Map<string, Promise<void>>();

    constructor(engineAddress: string | undefined = process.argv.at(-1)) {
        if (engineAddress === undefined || !address.test(engineAddress)) return;
        this.port = engineAddress.split(":").at(-1);
        this.#client = new EngineClient(engineAddress, grpc.credentials.createInsecure());
    }

    /** Shows a line on the row of `urn`. The CLI removes an ephemeral line when the row ends. A line that cannot be sent fails no operation. */
    say(severity: "info" | "warning", urn: string, message: string, isEphemeral: boolean): void {
        const request = new LogRequest();
        request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
        request.setMessage(message);
        // The engine panics at a malformed URN (`Urn is: ...`, exit 2). With an empty URN, it shows the line on the row of the stack.
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

    /** Resolves when the engine has all lines of the row; `undefined` where the row has no lines. */
    shown(urn: string): Promise<void> | undefined {
        return this.#lastLines.get(urn);
    }

    /**
     * Watches the connection, because a killed engine sends no word. Calls `onGone` when the connection breaks, and `onUnreached` when the engine has
     * not answered within `engineStartMs`.
     */
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
