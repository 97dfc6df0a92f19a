/** Addresses that are credentials: presigned URLs open the file to anyone who has them. */

/** Whether a URL in the value is a credential: presigned URLs open the file to anyone who has them. */
export function holdsPresigned(value: unknown): boolean {
    if (typeof value === "object" && value !== null) {
        return Object.entries(value).some(([key, item]) =>
            key === "url" && typeof item === "string" ? isPresigned(item) : holdsPresigned(item),
        );
    }
    return false;
}

function isPresigned(address: string): boolean {
    if (!URL.canParse(address)) return /[?@]/.test(address);
    const url = new URL(address);
    return url.search !== "" || url.username !== "" || url.password !== "";
}
