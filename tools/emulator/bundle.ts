/** Puts mediabunny into `emulator/dist/media.js`, after `tsc --build`: see `emulator/src/media.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { writeNotices } from "../plugin/notices.ts";

const emulator = join(import.meta.dirname, "..", "..", "emulator");

const { metafile } = await build({
    entryPoints: [join(emulator, "src", "media.ts")],
    outfile: join(emulator, "dist", "media.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    legalComments: "eof",
    logLevel: "warning",
});
const { version } = JSON.parse(readFileSync(join(emulator, "package.json"), "utf8")) as { version: string };
writeNotices(join(emulator, "dist"), "videograph-emulator", version, metafile);
