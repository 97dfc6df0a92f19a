/** Turns a stored source into an HLS stream: its packets as they are, in fragments of a few seconds. */
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
    CmafOutputFormat,
    Conversion,
    FilePathSource,
    FilePathTarget,
    HlsOutputFormat,
    Input,
    MP4,
    Output,
    PathedTarget,
    QTFF,
} from "./media";

/** Name of the master playlist in a stream's folder; what it refers to is in the same folder. */
export const masterPlaylist = "master.m3u8";

/** A segment is longer where a video would have more than about this many: each is a file, and costs more than its bytes. */
const mostSegments = 200;
const shortestSegmentSec = 4;

/**
 * Writes the stream of `file` into `folder`, all at once: a folder that exists is complete. `take` is called with the number of
 * bytes that are written; when it throws, nothing is kept.
 */
export async function packageHls(file: string, folder: string, take: (bytes: number) => void): Promise<void> {
    const unfinished = `${folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    using input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF] });
    const targetDuration = Math.max(shortestSegmentSec, (await input.computeDuration()) / mostSegments);
    let refusal: unknown;
    const counted = (path: string) => {
        const target = new FilePathTarget(join(unfinished, path));
        let size = 0;
        target.on("write", ({ end }) => {
            if (end <= size || refusal !== undefined) return;
            try {
                take(end - size);
                size = end;
            } catch (error) {
                refusal = error;
                void conversion.cancel();
            }
        });
        return target;
    };
    const output = new Output({
        format: new HlsOutputFormat({ segmentFormat: new CmafOutputFormat(), targetDuration }),
        target: new PathedTarget(masterPlaylist, ({ path }) => counted(path)),
    });
    const conversion = await Conversion.init({ input, output, showWarnings: false });
    try {
        await conversion.execute();
        if (refusal !== undefined) throw refusal;
        await rename(unfinished, folder);
    } catch (error) {
        await rm(unfinished, { recursive: true, force: true });
        throw refusal ?? error;
    }
}
