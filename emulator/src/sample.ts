/** The samples: real videos that come with the package, so that demos and tests need neither a download nor an encoder. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const folder = join(__dirname, "..", "page");
export const sampleFile = join(folder, "sample.mp4");
/** The files by the path of their URL. The second looks unlike the first, so that a demo shows a replaced source. */
export const samples: ReadonlyMap<string, string> = new Map([
    ["/sample.mp4", sampleFile],
    ["/sample2.mp4", join(folder, "sample2.mp4")],
]);

/** The bytes of the video that `sampleUrl()` leads to: two seconds of a test pattern with a tone. */
export async function sampleVideo(): Promise<Uint8Array> {
    return new Uint8Array(await readFile(sampleFile));
}
