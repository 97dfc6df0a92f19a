/** How services, frameworks and gateways quote a text. The first are the usual ones. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
    plain: (text) => text,
    json: (text) => JSON.stringify(text).slice(1, -1),
    "json of PHP": (text) => escaped(JSON.stringify(text).slice(1, -1)).replaceAll("/", "\\/"),
    "json of .NET": (text) => escaped(text, /[^ -~]|[&<>"'+]/g),
    "json in json": (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    "a part of a URL": encodeURIComponent,
    "a part of a URL, twice": (text) => encodeURIComponent(encodeURIComponent(text)),
    "a form": (text) => new URLSearchParams({ "": text }).toString().slice(1),
    "HTML, named": (text) => text.replace(/[&<>"']/g, (char) => named[char] ?? char),
    "HTML, numbered": (text) => text.replace(/[^\w ]/gu, (char) => `&#${char.codePointAt(0)};`),
    "HTML, in hexadecimal": (text) => text.replace(/[^\w ]/gu, (char) => `&#x${char.codePointAt(0)?.toString(16)};`),
    decomposed: (text) => text.normalize("NFD"),
    "in one line": (text) => text.replace(/\s+/g, " ").trim(),
    "in capitals": (text) => text.toUpperCase(),
    "cut off": (text) => `${text.slice(0, Math.ceil(text.length * 0.8))}...`,
    "cut off, in a URL": (text) => encodeURIComponent(text).slice(0, -2),
};

const named: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
};

function escaped(text: string, what = /[^ -~]/g): string {
    return text.replace(what, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
