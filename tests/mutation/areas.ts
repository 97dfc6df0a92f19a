/** The code that keeps the promises, and the tests that are about it. */
export interface Area {
    /** A folder. */
    name: string;
    mutate: readonly string[];
    tests: readonly string[];
}

const area = (name: string, folders: readonly string[], ...tests: string[]): Area => ({
    name,
    mutate: folders.map((folder) => `provider/src/${folder}/**/*.ts`),
    tests: tests.map((path) => `tests/unit/${path}.test.ts`),
});

/** Waits take longer than the rest of the lifecycle, and have an area of their own. */
const waits = "{status,progress,parallelismHint,schedule,wait,watcher}";
const others = "!(status|progress|parallelismHint|schedule|wait|watcher)";

export const areas: readonly Area[] = [
    area("create", ["create", "evidence"], "create/**/*"),
    area(
        "lifecycle",
        ["inputs", "operation", "lifecycle"],
        `lifecycle/${others}`,
        "resources/**/*",
        "create/createOnce",
    ),
    area("wait", ["wait"], `lifecycle/${waits}`),
    area("dynamic", ["dynamic"], "dynamic/**/*"),
    area("session", ["session"], "session/**/*", "explain"),
    area("api", ["api"], "api/!(transport)"),
];
