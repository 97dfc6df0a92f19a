/** A signing key as lookups return it: a public type, so its file needs no library's types. */

/** The public half's description; the service never shows the private one. */
export interface SigningKey {
    /** The service's own number for the key. */
    id: number;
    /** 1 Video, 2 Data, 3 System. */
    productTypeId: number;
    /** The number of the environment it belongs to. A token sees only its own. */
    environmentId: number;
    /** The public identifier, the one that signed playback tokens name. */
    signingKeyId: string;
    /** Milliseconds since the Unix epoch. */
    createdOn: number;
    /** An e-mail address. */
    createdBy: string;
}
