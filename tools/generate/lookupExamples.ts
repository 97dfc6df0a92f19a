/** How a program calls each lookup: for the docstrings, and so for the reference. Each block is a program of its own. */
import type { LookupName } from "../../provider/dist/lookups/definitions.js";

export const lookupExamples: Readonly<Record<LookupName, readonly string[]>> = {
    getContent: [
        `
export = async () => {
    const intro = await videograph.getContent({ contentId: "0b6f2a34-9c1d-4f0e-8a57-2f4f7f1f6f11" });
    return { title: intro.title, minutes: Math.round((intro.duration ?? 0) / 60_000) };
};`,
        `
const trailer = new videograph.Content("trailer", {
    title: "Trailer",
    content: [{ url: "https://media.example.com/trailer.mp4" }],
});
export const seconds = videograph
    .getContentOutput({ contentId: trailer.contentId })
    .apply(({ duration }) => (duration ?? 0) / 1000);`,
    ],
    getContents: [
        `
export = async () => {
    const { contents } = await videograph.getContents({ status: "Ready", tags: ["season-2"] });
    return { playable: contents.map(({ title, playbackUrl }) => ({ title, playbackUrl })) };
};`,
    ],
    getLivestream: [
        `
export = async () => {
    const stage = await videograph.getLivestream({ streamUUID: "5c2d3a0e-7b1f-4a55-9c32-9b1d7c6b1e02" });
    return { onAir: stage.status === "Active", streamKey: stage.streamKey };
};`,
    ],
    getLivestreams: [
        `
export = async () => {
    const { livestreams } = await videograph.getLivestreams({ record: true });
    return { onAir: livestreams.filter(({ status }) => status === "Active").map(({ title }) => title) };
};`,
    ],
    getSigningKeys: [
        `
export = async () => {
    const { keys } = await videograph.getSigningKeys({ productTypeId: 1 });
    return { newest: keys.at(-1)?.signingKeyId };
};`,
    ],
};
