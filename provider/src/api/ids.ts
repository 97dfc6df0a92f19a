/** Ids of objects: which are equal, and which one the state has for an object that may not exist. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether two ids are of the same object. The service may return a UUID in the other case; the case of all other ids counts. */
export function isSameId(a: string, b: string): boolean {
    return a === b || comparableId(a) === comparableId(b);
}

/** The form of an id that all its spellings have in common. */
export function comparableId(id: string): string {
    const plain = id.trim();
    return uuid.test(plain) ? plain.toLowerCase() : plain;
}

/** The id that the state gets where a create has ended in doubt, so that nobody knows whether its object exists. It is never sent to the service. */
export function unconfirmedId(nonce: string): string {
    return `unconfirmed-${nonce}`;
}

/** The nonce of the create in doubt; `undefined` for the id of an object. */
export function unconfirmedNonce(id: string): string | undefined {
    return /^unconfirmed-([0-9a-f]{12})$/.exec(id)?.[1];
}

export function isUnconfirmed(id: string): boolean {
    return unconfirmedNonce(id) !== undefined;
}
