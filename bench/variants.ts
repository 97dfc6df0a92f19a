/** What is compared: programs that declare the same contents in different ways. */
import { availableParallelism } from "node:os";

export type VariantName =
    | "floor"
    | "floor-outputs"
    | "floor-native"
    | "floor-waiting"
    | "documentation"
    | "content"
    | "content-parallel"
    | "readiness"
    | "native-content"
    | "native-content-parallel"
    | "native-readiness";

export interface Variant {
    readonly name: VariantName;
    /** The head of its column. */
    readonly title: string;
    /** The file in programs/. */
    readonly program: string;
    /** Whether contents are made at all. */
    readonly service: boolean;
    /** Whether each create waits for its content: it holds one of the engine's places meanwhile. */
    readonly eachWaits: boolean;
    /** Whether each create of a variant without a service lasts as long as contents take. */
    readonly pauses?: boolean;
    /** More arguments of the CLI. */
    args(count: number): readonly string[];
}

const byDefault = () => [];
const inParallel = (count: number) => ["--parallel", String(count)];

export const variants: Readonly<Record<VariantName, Variant>> = {
    floor: {
        name: "floor",
        title: "engine floor",
        program: "floor.js",
        service: false,
        eachWaits: false,
        args: byDefault,
    },
    "floor-outputs": {
        name: "floor-outputs",
        title: "engine floor with outputs",
        program: "floorWithOutputs.js",
        service: false,
        eachWaits: false,
        args: byDefault,
    },
    "floor-native": {
        name: "floor-native",
        title: "engine floor of a plugin, with outputs",
        program: "floorNative.js",
        service: false,
        eachWaits: false,
        args: byDefault,
    },
    "floor-waiting": {
        name: "floor-waiting",
        title: "engine floor that waits, --parallel N",
        program: "floor.js",
        service: false,
        eachWaits: true,
        pauses: true,
        args: inParallel,
    },
    documentation: {
        name: "documentation",
        title: "documentation style",
        program: "documentation.js",
        service: true,
        eachWaits: true,
        args: byDefault,
    },
    content: {
        name: "content",
        title: "Content",
        program: "content.js",
        service: true,
        eachWaits: true,
        args: byDefault,
    },
    "content-parallel": {
        name: "content-parallel",
        title: "Content, --parallel N",
        program: "content.js",
        service: true,
        eachWaits: true,
        args: inParallel,
    },
    readiness: {
        name: "readiness",
        title: "ContentReadiness",
        program: "readiness.js",
        service: true,
        eachWaits: false,
        args: byDefault,
    },
    "native-content": {
        name: "native-content",
        title: "native Content",
        program: "contentNative.js",
        service: true,
        eachWaits: true,
        args: byDefault,
    },
    "native-content-parallel": {
        name: "native-content-parallel",
        title: "native Content, --parallel N",
        program: "contentNative.js",
        service: true,
        eachWaits: true,
        args: inParallel,
    },
    "native-readiness": {
        name: "native-readiness",
        title: "native ContentReadiness",
        program: "readinessNative.js",
        service: true,
        eachWaits: false,
        args: byDefault,
    },
};

/** How many resources the engine creates at a time by default. */
export const defaultParallel = 4 * availableParallelism();

/** The least time its first `up` takes only for waiting, in ms: the engine creates only a few contents at a time. */
export function waitingTime(variant: Variant, count: number, processing: number): number {
    if (!variant.service && !variant.pauses) return 0;
    const inTurns = variant.eachWaits && variant.args(count).length === 0;
    return processing * (inTurns ? Math.ceil(count / defaultParallel) : 1);
}
