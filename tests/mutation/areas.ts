/** The code that keeps the promises, and the tests that are about it, in the order in which they run. */
export interface Area {
    /** A folder, or a folder and a file's name. Each is scored by itself. */
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

/** What all resources share, without its waits: those take longer, and have an area of their own. */
const lifecycleTests = [
    ...[
        "check",
        "consistencyGrace",
        "difference",
        "find",
        "nearest",
        "inPlace",
        "items",
        "notFoundTrust",
        "ownership",
        "properties",
        "readManaged",
        "recordedMeta",
        "secrets",
        "unknown",
        "validate",
        "object",
        "subtitles",
        "adoption",
        "managed",
    ].map((name) => `${unit}/lifecycle/${name}.test.ts`),
    `${unit}/resources/**/*.test.ts`,
    // Whole operations of a process.
    `${unit}/create/createOnce.test.ts`,
    `${unit}/create/leftovers.test.ts`,
];

export const areas: readonly Area[] = [
    {
        name: "lifecycle/create",
        mutate: [`${src}/lifecycle/create/**/*.ts`],
        tests: [`${unit}/create/**/*.test.ts`],
    },
    {
        name: "lifecycle/state",
        mutate: [`${src}/lifecycle/state/**/*.ts`],
        tests: lifecycleTests,
    },
    {
        name: "lifecycle/wait",
        mutate: [`${src}/lifecycle/wait/**/*.ts`],
        tests: [`${unit}/lifecycle/**/*.test.ts`, `${unit}/create/**/*.test.ts`],
    },
    {
        name: "lifecycle",
        mutate: [`${src}/lifecycle/*.ts`],
        tests: lifecycleTests,
    },
    {
        name: "dynamic",
        mutate: [`${src}/dynamic/**/*.ts`],
        tests: [`${unit}/dynamic/**/*.test.ts`, `${unit}/lifecycle/**/*.test.ts`, `${unit}/create/**/*.test.ts`],
    },
    {
        name: "session",
        mutate: [`${src}/session/**/*.ts`],
        tests: [
            `${unit}/session/**/*.test.ts`,
            `${unit}/*.test.ts`,
            `${unit}/create/**/*.test.ts`,
            `${unit}/lifecycle/**/*.test.ts`,
        ],
    },
    {
        name: "api",
        mutate: answers.map((name) => `${src}/api/${name}.ts`),
        tests: [`${unit}/api/**/*.test.ts`, `${unit}/create/**/*.test.ts`],
    },
];
