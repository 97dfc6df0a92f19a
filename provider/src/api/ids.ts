/** Ids of objects: when two are the same, and the id of an object that may not exist. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** UUIDs may be written in either case, so answers may differ in it. Ids of another shape are compared as they are. */
export function isSameId(a: string, b: string): boolean {
    return a === b || comparableId(a) === comparableId(b);
}

/** The form of an id that is compared. */
export function comparableId(id: string): string {
    const plain = id.trim();
    return uuid.test(plain) ? plain.toLowerCase() : plain;
}

/**
 * The id in the state for an object that may or may not exist, because its create ended in doubt. No request
 * has such an id.
 */
export function unconfirmedId(nonce: string): string {
    return `unconfirmed-${nonce}`;
}

/** The nonce in an unconfirmed id; `undefined` for any other id. */
export function unconfirmedNonce(id: string): string | undefined {
    return /^unconfirmed-([0-9a-f]{12})$/.exec(id)?.[1];
}

export function isUnconfirmed(id: string): boolean {
    return unconfirmedNonce(id) !== undefined;
}
