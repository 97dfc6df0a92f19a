/** A program that declares resources, as a person would write it, in the languages that Pulumi's programs have. */
import type { Described } from "../entry";
import { go } from "./go";
import type { Language } from "./language";
import { python } from "./python";
import { libraryEntry, typescript } from "./typescript";
import { yaml } from "./yaml";

/** Which program is written: its language, and whether it uses the native types. */
export interface Target {
    readonly language: keyof typeof languages;
    readonly native: boolean;
}

export const languages = { typescript, python, go, yaml } satisfies Record<string, Language>;

const advice = {
    native: "Keep every input: one that you remove is reset on the service. `protect` keeps Pulumi from deleting the objects.",
    dynamic: `Inputs that are not set here are not managed. \`protect\` keeps Pulumi from deleting the objects; remove it where a
resource may be deleted or replaced. \`importId\` may be removed after the import.`,
};

/** A whole program file. `steps`: the commands that put the resources into the state. */
export function programText(resources: readonly Described[], steps: string, { language, native }: Target): string {
    const { comment, head, declaration, tail = "" }: Language = languages[language];
    const about = `Contents and livestreams that existed before this program, as \`npx pulumi-videograph adopt\` found them. Put them into the
stack's state before the first \`pulumi up\`:

${steps}

${native ? advice.native : advice.dynamic}`;
    const lines = about.split("\n").map((line) => `${comment} ${line}`.trimEnd());
    const declarations = resources.map((one) => declaration(one));
    return [`${lines.join("\n")}\n`, head(native), ...declarations, tail].join("");
}

/** The same for a library: the next `pulumi up` adopts its contents. */
export function libraryText(resources: readonly Described[], { native }: Target): string {
    return `// Contents that existed before this program, as \`npx pulumi-videograph adopt --library\` found them. The next \`pulumi up\` adopts
// them; then \`importId\` may be removed. Inputs that are not set here are not managed.
${typescript.head(native)}
export const library = new videograph.ContentLibrary(
    "library",
    {
        contents: {
${resources.map(libraryEntry).join("")}        },
    },
    { protect: true },
);
`;
}
