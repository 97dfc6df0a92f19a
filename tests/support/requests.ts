/** What the service saw, in the short form that assertions read best in: "POST /contents". */
import type { Emulator, LoggedRequest } from "videograph-emulator";

const prefix = "/video/services/api/v1";

/** All requests in the order they arrived. */
export function sent(emulator: Pick<Emulator, "requests">): string[] {
    return emulator.requests.map(({ method, path }) => `${method} ${path.replace(prefix, "")}`);
}

/** The requests with one of these methods. */
export function sentBy(emulator: Emulator, ...methods: string[]): LoggedRequest[] {
    return emulator.requests.filter(({ method }) => methods.includes(method));
}

/** What `act` makes the service see, in order. */
export async function requestsOf(emulator: Emulator, act: () => Promise<unknown>): Promise<string[]> {
    emulator.clearRequests();
    await act();
    return sent(emulator);
}
