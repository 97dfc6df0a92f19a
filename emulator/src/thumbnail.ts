/** Pictures of a video: a drawing with its title in place of a thumbnail, and a real frame. */
import { createHash } from "node:crypto";
import {
    BufferTarget,
    EncodedPacketSink,
    EncodedVideoPacketSource,
    FilePathSource,
    Input,
    MP4,
    Mp4OutputFormat,
    Output,
    QTFF,
} from "./media";

/** Name of the thumbnail next to a video's playlist. */
export const thumbnailFile = "thumbnail.svg";

/** In characters: what fits on a picture. */
const maxTitleLength = 30;

/** The title, above where players have their buttons, on a color from the id. */
export function thumbnail(id: string, title: string, second: number | null): string {
    const hue = createHash("sha256").update(id).digest().readUInt16BE(0) % 360;
    const short = title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title;
    const caption = second === null ? short : `${short} (at ${second} s)`;
    const text = caption.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360">
<rect width="640" height="360" fill="hsl(${hue} 45% 35%)"/>
<text x="32" y="64" fill="white" font-family="sans-serif" font-size="34">${text}</text>
</svg>
`;
}

/** A video of one frame, the last key frame until a second, as it is in the file: it is the browser that decodes it. */
export async function frameOf(file: string, second: number): Promise<Uint8Array | undefined> {
    using input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF] });
    const track = await input.getPrimaryVideoTrack();
    const [codec, decoderConfig] = [await track?.getCodec(), await track?.getDecoderConfig()];
    const frame = await (track && new EncodedPacketSink(track).getKeyPacket(second));
    if (!track || !frame || !codec || !decoderConfig) return undefined;
    const target = new BufferTarget();
    const output = new Output({ format: new Mp4OutputFormat(), target });
    const packets = new EncodedVideoPacketSource(codec);
    output.addVideoTrack(packets, { rotation: await track.getRotation() });
    await output.start();
    await packets.add(frame.clone({ timestamp: 0, duration: 1 }), { decoderConfig });
    await output.finalize();
    return target.buffer === null ? undefined : new Uint8Array(target.buffer);
}
