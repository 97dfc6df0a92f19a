/** The page at `/`, a view of what the emulated service holds: the files of the package's folder `page`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "./http";

const folder = join(__dirname, "..", "page");

/** A second defence after the page's own: nothing in a title can run or load anything. */
const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files: Readonly<Record<string, { name: string; type: string }>> = {
    "/": { name: "index.html", type: "text/html" },
    "/page.css": { name: "page.css", type: "text/css" },
    "/page.mjs": { name: "page.mjs", type: "text/javascript" },
};

/** The page or one of its parts; `undefined` where the path leads to neither. */
export function pageReply(path: string): Reply | undefined {
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (file === undefined) return undefined;
    return {
        status: 200,
        headers: {
            "content-type": `${file.type}; charset=utf-8`,
            "cache-control": "no-store",
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
        },
        body: readFileSync(join(folder, file.name), "utf8"),
    };
}
