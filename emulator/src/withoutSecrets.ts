/** Texts for a screen that others may see: a URL without its user and its query, which can open what it leads to. */

/** A text that is a URL, or has some in it. Other texts stay as they are. */
export function withoutSecrets(text: string): string {
    const url = URL.parse(text);
    // As a whole, a URL may have spaces.
    if (url !== null && url.host !== "") return shownUrl(url);
    return text.replace(/[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, (found) => {
        const inside = URL.parse(found);
        return inside === null ? found : shownUrl(inside);
    });
}

/** A body as JSON with indentation, or as the text that it is. */
export function bodyWithoutSecrets(body: unknown): string {
    if (body === undefined) return "";
    if (typeof body === "string") return withoutSecrets(body);
    const hide = (_: string, value: unknown) => (typeof value === "string" ? withoutSecrets(value) : value);
    return JSON.stringify(body, hide, 4);
}

function shownUrl({ protocol, host, pathname, search, hash }: URL): string {
    return `${protocol}//${host}${pathname}${search || hash ? "?[hidden]" : ""}`;
}
