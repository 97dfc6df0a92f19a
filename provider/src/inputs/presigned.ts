/** Whether a URL in the value is a credential: presigned URLs open the file to anyone who has them. */
export function holdsPresigned(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([key, item]) =>
        key === "url" && typeof item === "string" ? isPresigned(item) : holdsPresigned(item),
    );
}

/** Whether the text is such an address. */
export function isPresignedUrl(text: string): boolean {
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && isPresigned(text);
}

function isPresigned(address: string): boolean {
    const url = URL.parse(address);
    return url === null ? /[?@]/.test(address) : url.search + url.username + url.password !== "";
}
