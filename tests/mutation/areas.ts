/** The code that keeps the promises, and the tests that are about it, in the order in which they run. */
export interface Area {
    /** A folder. */
    name: string;
    mutate: readonly string[];
    tests: readonly string[];
}

const src = "provider/src";
const unit = "tests/unit";

/** Of `api/`: what decides about repeating, believing and reading answers. */
const answers = [
    "answer",
    "backoff",
    "connectionFailure",
    "decode",
    "exchange",
    "failure",
    "notFound",
    "pages",
    "retry",
];

/** The tests of `wait/`, the slow ones last. */
const waiting = testsIn("lifecycle", ["status", "progress", "parallelismHint", "schedule", "wait", "watcher"]);

/** What all resources share, without its waits: those take longer, and have an area of their own. */
const shared = [
    ...testsIn("lifecycle", [
        ...[
            "check",
            "difference",
            "duration",
            "nearest",
            "properties",
            "recordedMeta",
            "secrets",
            "unknown",
            "validate",
        ],
        ...["notFound", "subtitles", "managed"],
    ]),
    `${unit}/resources/**/*.test.ts`,
    // Whole operations of a process.
    ...testsIn("create", ["createOnce"]),
];

export const areas: readonly Area[] = [
    {
        name: "create",
        mutate: [`${src}/{create,evidence}/**/*.ts`],
        tests: [`${unit}/create/**/*.test.ts`],
    },
    {
        name: "lifecycle",
        mutate: [`${src}/{inputs,operation,lifecycle}/**/*.ts`],
        tests: shared,
    },
    {
        name: "wait",
        mutate: [`${src}/wait/**/*.ts`],
        tests: waiting,
    },
    {
        name: "dynamic",
        mutate: [`${src}/dynamic/**/*.ts`],
        tests: [`${unit}/dynamic/**/*.test.ts`],
    },
    {
        name: "session",
        mutate: [`${src}/session/**/*.ts`],
        tests: [`${unit}/session/**/*.test.ts`, `${unit}/explain.test.ts`],
    },
    {
        name: "api",
        mutate: answers.map((name) => `${src}/api/${name}.ts`),
        // By name: the other files are about other parts, and some of them take seconds.
        tests: testsIn("api", [
            ...["connectionFailure", "failure", "answers", "schema", "small", "redact"],
            ...["notFound", "pages", "retry", "redirects", "requests", "overload"],
        ]),
    },
];

function testsIn(folder: string, names: readonly string[]): string[] {
    return names.map((name) => `${unit}/${folder}/${name}.test.ts`);
}
