/**
 * Values for every input of every resource, from the definitions: a new input is in the table of secrets by itself. Each text holds a word
 * that is nowhere else.
 */
import { randomBytes } from "node:crypto";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import type { Definition, Field, Type } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";

export const definitions: Readonly<Record<string, Definition>> = {
    Content: contentDefinition,
    Clip: clipDefinition,
    Livestream: livestreamDefinition,
};

/** What the service takes only in a certain form. Such values can only be compared. */
const formed: Readonly<Record<string, unknown>> = {
    xPos: "70%",
    yPos: "15px",
    opacity: "0.5",
    languageCode: "en",
    region: "us-east-1",
    startTime: 0,
    endTime: 1,
    contentId: "@source",
    waitForReady: true,
    position: 1,
};

/** Makes values, and remembers the words in them. */
export class Words {
    readonly all: string[] = [];
    readonly #video: (name: string) => string;
    readonly #presigned: boolean;

    constructor(video: (name: string) => string, { presigned = false } = {}) {
        this.#video = video;
        this.#presigned = presigned;
    }

    /** A value of each input, or of these. */
    inputs(definition: Definition, names?: readonly string[]): Record<string, unknown> {
        const wanted = Object.entries(definition.inputs).filter(
            ([name, { requiredForCreate, required }]) =>
                name !== "importId" && (names === undefined || names.includes(name) || required || requiredForCreate),
        );
        return Object.fromEntries(wanted.map(([name, input]) => [name, this.#of(name, input)]));
    }

    word(): string {
        const word = `cnry${randomBytes(6).toString("hex")}`;
        this.all.push(word);
        return word;
    }

    #of(name: string, { type }: Field): unknown {
        return name in formed ? formed[name] : this.#ofType(type);
    }

    #ofType(type: Type): unknown {
        switch (type.kind) {
            case "string":
                if (type.oneOf !== undefined) return type.oneOf[0];
                if (type.rule !== "url") return `R&D <"ä/é">  ${this.word()} + 100%`;
                if (this.#presigned) return `${this.#video("v.mp4")}?X-Signature=${this.word()}&Expires=17`;
                return this.#video(`${this.word()}/v.mp4`);
            case "map":
                return { key: `R&D <"ä/é">  ${this.word()} + 100%`, season: "2" };
            case "list":
                return [this.#ofType(type.of)];
            case "object":
                return Object.fromEntries(
                    Object.entries(type.fields).map(([name, field]) => [name, this.#of(name, field)]),
                );
            case "boolean":
                return true;
            default:
                return 60;
        }
    }
}
