/** What must not be repeated when the service's own words are quoted: the values of a resource's properties. */
import { Redactor, type Secret } from "../../api";
import type { Properties } from "../resource";
import { pathText } from "./validate";

/**
 * Every text among the properties, by its path: which of them are secret is known to the engine alone, and a path tells a
 * person more than a value would.
 */
export function redactorFor(...bags: Properties[]): Redactor {
    return new Redactor(
        bags.flatMap((bag) =>
            Object.entries(bag)
                .filter(([name]) => !name.startsWith("__") && !computed.has(name))
                .flatMap(([name, value]) => texts(value, [name])),
        ),
    );
}

/** The service's own values say nothing secret; their words (`Failed`) belong into its messages. */
const computed = new Set([
    "status",
    "playbackUrl",
    "thumbnailUrl",
    "resolution",
    "rtmpUrl",
    "rtmpsUrl",
    "importId",
    "playbackPolicy",
    "recordingsPlaybackPolicy",
    "region",
]);

function texts(value: unknown, path: PropertyKey[]): Secret[] {
    if (typeof value === "string") return value === "" ? [] : [{ name: pathText(path), value }];
    if (Array.isArray(value)) return value.flatMap((item, index) => texts(item, [...path, index]));
    if (typeof value === "object" && value !== null) {
        return Object.entries(value).flatMap(([key, item]) => texts(item, [...path, key]));
    }
    return [];
}
