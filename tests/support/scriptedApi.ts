/** A client of a service that is a function: it says what each request is answered with, in virtual time. */
import { VideographApi } from "../../provider/dist/api/client.js";
import type { FakeClock } from "./fakeClock.ts";

export interface Asked {
    /** `contents` or `livestreams`. */
    kind: string;
    /** `undefined` where the list is asked for. */
    id: string | undefined;
    /** The position that a page of the list is to begin at. */
    start: number;
    signal: AbortSignal;
    /** Virtual time, ms since the start. */
    at: number;
}

export interface Answered {
    /** 200 by default. */
    status?: number;
    data?: unknown;
    /** How long it takes, in ms; 10 by default. */
    after?: number;
}

/** Whatever the script throws is what the transport fails with. */
export function scriptedApi(clock: FakeClock, script: (asked: Asked) => Answered): VideographApi {
    return new VideographApi({
        baseUrl: "https://service.test",
        accessTokenId: "id",
        secretKey: "key",
        clock,
        random: () => 0.5,
        transport: {
            async send({ url, signal }) {
                const { pathname, searchParams } = new URL(url);
                const [kind = "", id] = pathname.split("/").slice(5);
                const asked = { kind, id, start: Number(searchParams.get("start") ?? 0), signal, at: clock.elapsed };
                const { status = 200, data = null, after = 10 } = script(asked);
                await clock.sleep(after, signal);
                const envelope = { status: status < 400 ? "Success" : "Error", code: status, message: "", data };
                return { status, headers: {}, body: JSON.stringify(envelope) };
            },
            close: async () => {},
        },
    });
}
