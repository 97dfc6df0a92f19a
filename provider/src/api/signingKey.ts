/** The public type of a signing key. Programs compile against this file, so it imports nothing. */

/** A signing key, without its private part. */
export interface SigningKey {
    /** The service's own number for the key. */
    id: number;
    /** The purpose of the key: 1 Video, 2 Data, 3 System. */
    productTypeId: number;
    /** The number of the environment it belongs to. A token sees only its own. */
    environmentId: number;
    /** The public identifier, the one that signed playback tokens name. */
    signingKeyId: string;
    /** When it was created, in milliseconds since the Unix epoch. */
    createdOn: number;
    /** Who created it: an e-mail address. */
    createdBy: string;
}
