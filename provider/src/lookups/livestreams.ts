/** Finds livestreams, for lookups of programs and of the plugin. */
import type { LivestreamObject, VideographApi } from "../api";
import { visible } from "../evidence/marker";

type Shown = Omit<LivestreamObject, "reason">;

/** The livestream as the service shows it, without our marker. */
export async function findLivestream(api: VideographApi, id: string): Promise<Shown> {
    return shown(await api.getLivestream(id));
}

/** All livestreams that match, plain ones first. */
export async function findLivestreams(
    api: VideographApi,
    { record }: { record?: boolean | undefined },
): Promise<Shown[]> {
    const livestreams = new Map<string, Shown>();
    // The service's two lists are disjoint.
    for (const recorded of record === undefined ? [false, true] : [record]) {
        for await (const { items } of api.livestreams({ record: recorded })) {
            for (const item of items) livestreams.set(item.streamUUID, shown(item));
        }
    }
    return [...livestreams.values()];
}

function shown({ reason: _, ...livestream }: LivestreamObject): Shown {
    return visible(livestream);
}
