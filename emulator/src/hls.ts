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

/** The name of the master playlist in a stream's folder; the files that it refers to are in the same folder. */
export const masterPlaylist = "master.m3u8";

/** A long video gets longer segments, so that it has about this many at most: each is a file, which costs more than its bytes. */
const mostSegments = 200;
const shortestSegmentSec = 4;

/** Writes the stream of `file` into `folder`, all at once: a folder that exists is complete. */
export async function packageHls(file: string, folder: string): Promise<void> {
    const unfinished = `${folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    using input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF] });
    const targetDuration = Math.max(shortestSegmentSec, (await input.computeDuration()) / mostSegments);
    const output = new Output({
        format: new HlsOutputFormat({ segmentFormat: new CmafOutputFormat(), targetDuration }),
        target: new PathedTarget(masterPlaylist, ({ path }) => new FilePathTarget(join(unfinished, path))),
    });
    const conversion = await Conversion.init({ input, output, showWarnings: false });
    await conversion.execute();
    await rename(unfinished, folder);
}
