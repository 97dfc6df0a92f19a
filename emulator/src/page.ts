/** The page at `/`, a view of the emulated service's objects: the files of the package's folder `page`. */
import { join } from "node:path";

const names: Readonly<Record<string, string>> = {
    "/": "index.html",
    "/page.css": "page.css",
    "/page.mjs": "page.mjs",
};

/** The headers of the page, a second defence after its own: nothing in a title can run or load anything. */
export const pageHeaders = {
    "cache-control": "no-store",
    "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
};

/** The file of the page or of one of its parts; `undefined` where the path leads to neither. */
export function pageFile(path: string): string | undefined {
    return Object.hasOwn(names, path) ? join(__dirname, "..", "page", names[path] ?? "") : undefined;
}
