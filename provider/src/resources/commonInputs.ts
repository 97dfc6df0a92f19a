/** The inputs that both kinds of objects have in common. */
import { text, words } from "../inputs/definition";

export const title = {
    doc: "The title. It must not be empty. Changed in place.",
    type: words,
    required: true,
    change: "inPlace",
} as const;

export const description = {
    doc: 'A description. When you remove it from the program, it is reset to `""`. Changed in place.',
    type: text,
    change: "inPlace",
    empty: "",
} as const;

export const tags = {
    doc: "Keywords for searching. Their order does not matter. When you remove them from the program, they are reset to `[]`. Changed in place.",
    type: { kind: "list", of: words },
    change: "inPlace",
    empty: [],
    unordered: true,
} as const;

/** @param object the managed object, as it is called in a sentence */
export const metadataOf = (object: string) =>
    ({
        doc: `Your own key-value pairs, all strings. The key \`managed_by\` is reserved: it contains the ownership marker, which names the stack that manages the ${object}. When you remove them from the program, they are reset to \`{}\`. Changed in place.`,
        lookupDoc: "Pairs of strings, without the ownership marker of this package.",
        type: { kind: "map" },
        change: "inPlace",
        empty: {},
    }) as const;

/** @param alsoRefused the end of the sentence about refusals, if there is more to refuse */
export const importIdOf = (object: string, alsoRefused = "") =>
    ({
        doc: `The id of an existing ${object} to adopt instead of creating one. You can remove it from the program later; that changes nothing. You cannot change it to another id. A ${object} with the ownership marker of another stack (\`managed_by\` in its metadata) is refused${alsoRefused}.`,
        type: words,
        change: "local",
        quotable: true,
    }) as const;
