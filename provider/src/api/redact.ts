export interface Secret {
    /** What the reader sees in its place, such as `secretKey` or `content[0].url`. */
    name: string;
    value: string;
}

/** Takes secrets out of text that came from elsewhere. */
export class Redactor {
    static readonly none = new Redactor([]);
    readonly #secrets: readonly Secret[];

    constructor(secrets: Iterable<Secret>) {
        this.#secrets = [...secrets];
    }

    redact(text: string): string {
        return text;
    }

    with(more: Iterable<Secret> | Redactor): Redactor {
        return new Redactor([...this.#secrets, ...(more instanceof Redactor ? more.#secrets : more)]);
    }
}
