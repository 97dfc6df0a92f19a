/** Compares the ids of objects, and makes the id that the state records while nobody knows whether the object exists. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether two ids name the same object. The service may return a UUID in upper or lower case, so its case does not count. The case of other ids
 * counts.
 */
export function isSameId(a: string, b: string): boolean {
    return a === b || comparableId(a) === comparableId(b);
}

/** The id in the one form that all its spellings share: without spaces around it, and in lower case if it is a UUID. */
export function comparableId(id: string): string {
    const plain = id.trim();
    return uuid.test(plain) ? plain.toLowerCase() : plain;
}

/** The id that the state records after a create in doubt: nobody knows whether its object exists. The client never sends this id to the service. */
export function unconfirmedId(nonce: string): string {
    return `unconfirmed-${nonce}`;
}

/** The nonce in an id that `unconfirmedId` has made; `undefined` for the id of an object. */
export function unconfirmedNonce(id: string): string | undefined {
    return /^unconfirmed-([0-9a-f]{12})$/.exec(id)?.[1];
}

export function isUnconfirmed(id: string): boolean {
    return unconfirmedNonce(id) !== undefined;
}
