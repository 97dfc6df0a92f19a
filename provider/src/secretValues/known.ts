/** The values that messages must not quote: of resources, of the credentials, and of the environment. */
import { factsOf, partOf, type Schema, type Shape } from "../definitions/definition";
import { type Properties, pathText, visitTexts } from "../inputs/values";
import { Redactor, type Secret, SecretIndex } from "../secrets/redactor";
import { isSecretUrl } from "../secrets/urls";

/** Whether a text may be a secret: only some engines tell which values are secrets. Shorter texts are parts of any message. */
export function mayBeSecret(text: string): boolean {
    return text.length > 3;
}

interface Described {
    inputs: Schema;
    outputs?: { shape: Shape };
}

/** The redactor of the properties' secret texts, by their paths. `bags`: the properties now, and as they were. */
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
                // Computed values are not secret, and the service's words (`Failed`) belong in messages.
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

/** The secrets of all resources of a run, as far as this process knows them. */
export class KnownSecrets {
    /** The redactor of all of them: a service may quote those of one resource in its answer about another. */
    readonly others = new Redactor([], { others: () => this.#all() });
    /** The texts that the engine has marked; `undefined` for dynamic providers, which get secrets as plain values. */
    #marked: Set<string> | undefined;
    /** The redactors, by resource, that no message has asked for yet: most runs show none, and have thousands of resources. */
    readonly #new = new Map<string, Redactor>();
    readonly #index = new SecretIndex();

    /** Notes texts that the engine has marked as secrets: messages do not quote them. */
    note(texts: Iterable<string>): void {
        this.#marked ??= new Set();
        for (const text of texts) this.#marked.add(text);
    }

    /** The redactor for messages about a resource with these properties. `everyUrl`: where it is another one, whose sources may be secrets that are not known here. */
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
        // Addresses of one folder have most of their letters in common.
        for (const { secrets } of this.#new.values())
            for (const secret of secrets())
                this.#index.add({ ...secret, isUnsure: secret.isUnsure || isSecretUrl(secret.value) });
        this.#new.clear();
        return this.#index;
    }
}

/** The redactor of the variables that seem to be secrets, for the words of a command that has them. A path is none: it would hide each error that names its folder. */
export function redactorOfVariables(variables: NodeJS.ProcessEnv): Redactor {
    const isSecret = (name: string, value: string) =>
        /key|token|secret|pass/i.test(name) && !/(?:file|path|dir|askpass)$/i.test(name) && value.length >= 8;
    const all = Object.entries(variables).map(([name, value = ""]) => ({ name, value }));
    return new Redactor(all.filter(({ name, value }) => isSecret(name, value)));
}
