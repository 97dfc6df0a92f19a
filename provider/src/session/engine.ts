/**
 * The provider process's connection to the engine: text on a resource's row, and noticing that the engine has ended.
 * Dynamic providers are given neither (pulumi/pulumi#6065); the engine's address is the process's last argument.
 */
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { engineStartMs } from "../api";
import { parseUrn } from "../urn";
import type { grpc as Grpc } from "./grpc";

const address = /^(127\.0\.0\.1|localhost|\[::1\]|\[::\]|0\.0\.0\.0):\d+$/;

/** The required internals of the SDK. */
interface EngineConnection {
    client: EngineClient;
    messages: Pick<typeof import("@pulumi/pulumi/proto/engine_pb"), "LogRequest" | "LogSeverity">;
    states: typeof Grpc.connectivityState;
}

/** The internals of the SDK, which are not a public API. Without them no progress is shown, but the work is still done. */
function connect(engineAddress: string): EngineConnection | undefined {
    try {
        const { grpc } = require("./grpc") as typeof import("./grpc");
        const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb");
        const messages = require("@pulumi/pulumi/proto/engine_pb") as EngineConnection["messages"];
        const client = new EngineClient(engineAddress, grpc.credentials.createInsecure());
        return { client, messages, states: grpc.connectivityState };
    } catch {
        return undefined;
    }
}

export class Engine {
    /** All provider processes of a run have the same one; `undefined` without an engine. */
    readonly port: string | undefined;
    readonly #connection: EngineConnection | undefined;

    constructor(engineAddress: string | undefined = process.argv.at(-1)) {
        if (engineAddress === undefined || !address.test(engineAddress)) return;
        this.port = engineAddress.split(":").at(-1);
        this.#connection = connect(engineAddress);
    }

    /** Puts a line on the row of `urn`. Ephemeral lines are not kept. A line that cannot be sent does not fail the operation. */
    say(severity: "info" | "warning", urn: string | undefined, message: string, isEphemeral: boolean): void {
        if (this.#connection === undefined) return;
        const { client, messages } = this.#connection;
        try {
            const request = new messages.LogRequest();
            request.setSeverity(severity === "info" ? messages.LogSeverity.INFO : messages.LogSeverity.WARNING);
            request.setMessage(message);
            // The engine panics at a malformed URN (`Urn is: ...`, exit 2): anything else goes to the stack's row.
            request.setUrn(urn !== undefined && isUrn(urn) ? urn : "");
            request.setEphemeral(isEphemeral);
            client.log(request, () => undefined);
        } catch {}
    }

    /**
     * Calls `onGone` once the engine no longer answers: a killed one sends nothing. An engine that never answers may be behind a
     * proxy: `onUnreached` is for callers that know better.
     */
    watch(onGone: () => void, onUnreached: () => void = () => {}): void {
        if (this.#connection === undefined) return;
        const { client, states } = this.#connection;
        const channel = client.getChannel();
        let wasReady = false;
        setTimeout(() => wasReady || onUnreached(), engineStartMs).unref();
        const watchState = () => {
            const state = channel.getConnectivityState(true);
            if (state === states.READY) wasReady = true;
            if (wasReady && state === states.TRANSIENT_FAILURE) onGone();
            else if (state !== states.SHUTDOWN)
                channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, watchState);
        };
        try {
            watchState();
        } catch {}
    }
}

function isUrn(text: string): boolean {
    const urn = parseUrn(text);
    return urn !== undefined && Object.values(urn).every((part) => part !== "") && !/\s/.test(urn.types);
}
