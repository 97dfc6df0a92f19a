/** The page at `/`, a view of the emulated service's objects: the files of the package's folder `page`. */
import { join } from "node:path";

const folder = join(__dirname, "..", "page");

/** The page and its parts, by the path of their URL. */
export const pageFiles: ReadonlyMap<string, string> = new Map([
    ["/", join(folder, "index.html")],
    ...["pieces.css", "page.css", "page.mjs"].map((name): [string, string] => [`/${name}`, join(folder, name)]),
]);

/** The headers of the page. Even if the page failed to escape a title, nothing in the title could run or load anything. */
export const pageHeaders = {
    "cache-control": "no-store",
    "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
};
