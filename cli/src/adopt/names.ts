/**
 * Names of resources from titles. An object keeps its name when others come and go: of several with the same title, the
 * oldest has the plain name, and the names of the others end with a digest of their id, not a number.
 */
import { createHash } from "node:crypto";
import { keyOf, type ListedObject } from "../account";

const maxLength = 60;
/** Names that no resource may have. A program in YAML has a variable `pulumi`, which a resource would hide. */
const reservedNames = ["pulumi"];
/** So many digits of a digest that no two objects of an account share them. */
const digestDigits = 12;

/** The name of each object, by its key. No two objects of any kind have the same name, and none has a name that is taken already. */
export function namesFor(items: readonly ListedObject[], taken: readonly string[]): Map<string, string> {
    const used = new Set([...taken, ...reservedNames]);
    const names = new Map<string, string>();
    for (const item of items) {
        const title = slug(item.title ?? "");
        // A title without a letter, such as "2024", would be no telling name: it gets the kind before it.
        const isTelling = /\p{L}/u.test(title);
        const base = isTelling ? title : slug(`${item.kind} ${title}`);
        const digest = createHash("sha256").update(keyOf(item)).digest("hex").slice(0, digestDigits);
        const name = isTelling && !used.has(title) ? title : `${base}-${digest}`;
        used.add(name);
        names.set(keyOf(item), name);
    }
    return names;
}

/** The title as lower-case letters and digits of any script, with single dashes between the words. */
function slug(title: string): string {
    const words = title
        .normalize("NFKD")
        // Accents of Latin letters go; marks that spell other scripts stay.
        .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, "")
        .normalize("NFC")
        .toLowerCase()
        .replace(/['’]/g, "")
        .match(/[\p{L}\p{M}\p{Nd}]+/gu);
    const short = [...(words ?? []).join("-")].slice(0, maxLength).join("");
    return short.replace(/-$/, "");
}
