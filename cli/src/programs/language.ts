/** What the writer of a program asks of each language. */
import type { Definition } from "#provider/inputs/definition";
import type { Described } from "../entry";

export interface Language {
    /** The program's name, where the user gives none. Python imports no file with a dash in its name. */
    readonly file: string;
    /** What begins a line of a comment. */
    readonly comment: string;
    /** Everything before the first declaration but the comment. */
    head(native: boolean): string;
    declaration(resource: Described, types: Definition): string;
    readonly tail?: string;
}
