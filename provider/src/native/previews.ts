/** What a preview may promise of an operation's outputs. A name that is left out is unknown to programs. */
import type { Difference, Properties } from "../lifecycle";
import type { ResourceKind } from "../typeTokens";
import { isReady } from "../wait/status";

/** Outputs that an update of a finished object cannot change. A livestream's status moves with the broadcast. */
const steady: Record<ResourceKind, readonly string[]> = {
    Content: ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"],
    Livestream: ["streamKey", "rtmpUrl", "rtmpsUrl", "playbackUrl", "createdOn"],
    ContentReadiness: [],
    ContentLibrary: [],
};

/** What is certain of a resource before it is created: the inputs. The outputs of a library have the name of one of them. */
export function createPreview(kind: ResourceKind, { contents, ...inputs }: Properties): Properties {
    return kind === "ContentLibrary" || contents === undefined ? inputs : { ...inputs, contents };
}

/** The outputs that an update will surely have (N3): none of the computed ones where the object is not finished. */
export function updatePreview(
    kind: ResourceKind,
    difference: Difference,
    isInput: (name: string) => boolean,
    { olds, news }: { olds: Properties; news: Properties },
): Properties {
    const finished =
        (difference.kind === "none" || difference.because.every(isInput)) &&
        (kind !== "Content" || isReady(String(olds.status)));
    const known = finished ? steady[kind].filter((name) => olds[name] !== undefined) : [];
    return { ...createPreview(kind, news), ...Object.fromEntries(known.map((name) => [name, olds[name]])) };
}
