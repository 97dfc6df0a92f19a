/** The sample: a real video that comes with the package, so that demos and tests need neither a download nor an encoder. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const samplePath = "/sample.mp4";
export const sampleFile = join(__dirname, "..", "page", "sample.mp4");

/** The bytes of the video that `sampleUrl()` leads to: two seconds of a test pattern with a tone. */
export async function sampleVideo(): Promise<Uint8Array> {
    return new Uint8Array(await readFile(sampleFile));
}
