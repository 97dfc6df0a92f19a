/** What is compared: programs that declare the same contents in different ways. A new one is a line here and a file in programs/. */
import { availableParallelism } from "node:os";

export interface Variant {
    /** The head of its column. */
    readonly title: string;
    /** The file in programs/. */
    readonly program: string;
    /** `none`: there is no service behind it. `each`: each create waits for its content. `together`: one wait for all. */
    readonly waits: "none" | "each" | "together";
    /** As many creates at a time as there are contents, instead of the engine's default. */
    readonly parallel?: boolean;
    /** Each create of a variant without a service lasts as long as contents take. */
    readonly pauses?: boolean;
    /** A dynamic floor that has outputs as a content has them, in number and size. */
    readonly outputs?: boolean;
}

const table = {
    floor: { title: "engine floor", program: "floor.js", waits: "none" },
    "floor-outputs": { title: "engine floor with outputs", program: "floor.js", waits: "none", outputs: true },
    "floor-native": { title: "engine floor of a plugin, with outputs", program: "floorNative.js", waits: "none" },
    "floor-waiting": {
        ...{ title: "engine floor that waits, --parallel N", program: "floor.js", waits: "none" },
        ...{ parallel: true, pauses: true },
    },
    documentation: { title: "documentation style", program: "documentation.js", waits: "each" },
    content: { title: "Content", program: "content.js", waits: "each" },
    "content-parallel": { title: "Content, --parallel N", program: "content.js", waits: "each", parallel: true },
    readiness: { title: "ContentReadiness", program: "readiness.js", waits: "together" },
    "native-content": { title: "native Content", program: "contentNative.js", waits: "each" },
    "native-content-parallel": {
        ...{ title: "native Content, --parallel N", program: "contentNative.js", waits: "each", parallel: true },
    },
    "native-readiness": { title: "native ContentReadiness", program: "readinessNative.js", waits: "together" },
    library: { title: "ContentLibrary", program: "library.js", waits: "together" },
    "native-library": { title: "native ContentLibrary", program: "libraryNative.js", waits: "together" },
} as const satisfies Record<string, Variant>;

export type VariantName = keyof typeof table;
export const variants: Readonly<Record<VariantName, Variant>> = table;

/** How many resources the engine creates at a time by default. */
export const defaultParallel = 4 * availableParallelism();

/** The least time its first `up` takes only for waiting, in ms: the engine creates only a few contents at a time. */
export function waitingTime({ waits, parallel, pauses }: Variant, count: number, processing: number): number {
    if (waits === "none" && !pauses) return 0;
    return processing * (waits === "each" && !parallel ? Math.ceil(count / defaultParallel) : 1);
}
