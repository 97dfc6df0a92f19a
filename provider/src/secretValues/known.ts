/** Collects the values of resources and of environment variables that messages must not quote. */
import { factsOf, partOf, type Schema, type Shape } from "../definitions/definition";
import { type Properties, pathText, visitTexts } from "../inputs/values";
import { Redactor, type Secret, SecretIndex } from "../secrets/redactor";
import { isSecretUrl } from "../secrets/urls";

/**
 * Whether a text may be a secret, where the engine does not say which texts are. Without this limit, a tag "2" would hide the "2" in every message.
 */
export function mayBeSecret(text: string): boolean {
    return text.length > 3;
}

interface Described {
    inputs: Schema;
    outputs?: { shape: Shape };
}

/** A redactor that shows the path of a property in place of its secret text. `bags`: the properties as they are now, and as they were before. */
export function redactorFor(
    { inputs, outputs }: Described,
    bags: readonly Properties[],
    { marked, everyUrl = false }: { marked?: () => ReadonlySet<string> | undefined; everyUrl?: boolean } = {},
): Redactor {
    const secrets = () => {
        const found: Secret[] = [];
        const known = marked?.();
        for (const bag of bags)
            visitTexts(bag, (value, path, isKey) => {
                const output = outputs?.shape[String(path[0])];
                // Messages have to show what the service has computed, such as the status `Failed`.
                const isShown = isKey || String(path[0]).startsWith("__") || (output && !factsOf(output).secret);
                if (isShown || isQuotable(inputs, path)) return;
                const isSure = output !== undefined || isSecretUrl(value) || known?.has(value) === true;
                if (isSure || (known === undefined && mayBeSecret(value)))
                    found.push({ name: pathText(path), value, isUnsure: !isSure });
            });
        return found;
    };
    return new Redactor(secrets, { everyUrl });
}

function isQuotable(inputs: Schema, path: readonly PropertyKey[]): boolean {
    let part: Schema | undefined = inputs;
    return path.some((key) => {
        part = partOf(part, key);
        return part !== undefined && factsOf(part).quotable;
    });
}

/** The secrets of all resources that this process has seen. */
export class KnownSecrets {
    /** A redactor with the secrets of all resources: the service may quote a value of one resource in its answer about another. */
    readonly others = new Redactor([], { others: () => this.#all() });
    /** The texts that the engine has marked as secrets; `undefined` for dynamic providers, to which it hands secrets unmarked. */
    #marked: Set<string> | undefined;
    /**
     * Redactors by resource that are not in the index yet. The first message adds them: most runs show no message, and indexing thousands of
     * resources takes time.
     */
    readonly #new = new Map<string, Redactor>();
    readonly #index = new SecretIndex();

    /**
     * Adds texts that the engine has marked as secrets. From the first call on, an unmarked input counts as no secret, unless it is a presigned URL.
     */
    note(texts: Iterable<string>): void {
        this.#marked ??= new Set();
        for (const text of texts) this.#marked.add(text);
    }

    /**
     * The redactor for messages about a resource with these properties. `everyUrl`: for an object of another program, whose source URLs are not known
     * here and may be secrets.
     */
    redactorFor(
        definition: Described,
        bags: readonly Properties[],
        { owner, everyUrl = false }: { owner?: string | undefined; everyUrl?: boolean },
    ): Redactor {
        const own = redactorFor(definition, bags, { marked: () => this.#marked, everyUrl });
        if (owner !== undefined) this.#new.set(owner, own);
        return this.others.with(own);
    }

    #all(): SecretIndex {
        // Each URL counts as unsure here, so that only 24 equal letters in a row hide a text. URLs of one folder share most of their letters: with
        // twelve, each URL would hide every message about another.
        for (const { secrets } of this.#new.values())
            for (const secret of secrets())
                this.#index.add({ ...secret, isUnsure: secret.isUnsure || isSecretUrl(secret.value) });
        this.#new.clear();
        return this.#index;
    }
}

/**
 * A redactor for the output of a command that gets these variables. A variable counts as a secret by its name. One whose name says that it holds a
 * path does not count: its value would hide each error that names the folder.
 */
export function redactorOfVariables(variables: NodeJS.ProcessEnv): Redactor {
    const isSecret = (name: string, value: string) =>
        /key|token|secret|pass/i.test(name) && !/(?:file|path|dir|askpass)$/i.test(name) && value.length >= 8;
    const all = Object.entries(variables).map(([name, value = ""]) => ({ name, value }));
    return new Redactor(all.filter(({ name, value }) => isSecret(name, value)));
}
