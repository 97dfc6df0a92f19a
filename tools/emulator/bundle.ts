/** Puts mediabunny into `emulator/dist/media.js`, after `tsc --build`: see `emulator/src/media.ts`. */
import { join } from "node:path";
import { build } from "esbuild";

const emulator = join(import.meta.dirname, "..", "..", "emulator");

await build({
    entryPoints: [join(emulator, "src", "media.ts")],
    outfile: join(emulator, "dist", "media.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    // The licence of mediabunny requires its notice.
    legalComments: "eof",
    logLevel: "warning",
});
