/** Adds objects given as JSON: by a request to the control endpoint, or from a file at the start. */
import { z } from "zod";
import { readJsonFile } from "./jsonFile";
import type { ContentSnapshot, LivestreamSnapshot, OutsideAccess } from "./outsideAccess";
import { contentCreate, livestreamCreate } from "./requestSchemas";
import type { ContentCreate, LivestreamCreate } from "./requests";
import { check } from "./validate";

const seedFields = { environmentId: z.int().default(1), status: z.string().optional() };
/** A content as the API takes it, with everything but the title optional, and a status. */
export const contentSeed = contentCreate
    .partial()
    .required({ title: true })
    .extend({ ...seedFields, reason: z.string().optional() });
export const livestreamSeed = livestreamCreate.partial().required({ title: true }).extend(seedFields);
export const seedFile = z.strictObject({
    contents: z.array(contentSeed).default([]),
    livestreams: z.array(livestreamSeed).default([]),
});

export function addContent(access: OutsideAccess, json: unknown): ContentSnapshot {
    const { environmentId, status, reason, ...create } = check(contentSeed, json, "content");
    const added = access.addContent(create as typeof create & ContentCreate, environmentId);
    return status === undefined ? added : access.setContentStatus(added.contentId, status, reason);
}

export function addLivestream(access: OutsideAccess, json: unknown): LivestreamSnapshot {
    const { environmentId, status, ...create } = check(livestreamSeed, json, "livestream");
    const added = access.addLivestream(create as typeof create & LivestreamCreate, environmentId);
    return status === undefined ? added : access.updateLivestream(added.streamUUID, { status });
}

/** Reads a seed file. The function that it returns adds the objects, unless a state file brought some. */
export function readSeed(path: string): (access: OutsideAccess) => void {
    const { contents, livestreams } = readJsonFile("--seed", path, seedFile);
    return (access) => {
        if (access.contents().length + access.livestreams().length > 0) return;
        for (const content of contents) addContent(access, content);
        for (const livestream of livestreams) addLivestream(access, livestream);
    };
}
