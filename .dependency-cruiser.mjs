/**
 * The direction of imports, which `npm run lint` checks. A file imports its own room and the floors below, also of types. docs/internals/architecture.md
 * draws these floors.
 */

/** From the ground up: the rooms of each floor, and the modules of npm and Node that each may import. `any`: the rules below say which not. */
const any = undefined;
const floors = [
    { messages: [], urn: [], typeTokens: [] },
    { secrets: [] },
    { definitions: ["zod"] },
    { api: ["undici", "zod", "crypto", "util", "zlib"] },
    { evidence: ["zod", "child_process", "crypto", "fs", "fs/promises", "os", "path", "querystring", "util", "zlib"] },
    { inputs: ["fastest-levenshtein", "zod", "util"] },
    { secretValues: [] },
    { wait: [] },
    { operation: ["zod"] },
    { create: [] },
    { lifecycle: ["util"] },
    { session: any, resources: ["util", "zod"], lookups: ["zod"] },
    { nodeVersion: any },
    { program: any, native: any, dynamic: any },
    { index: any },
];

const roomPath = (name) => `^provider/src/${name}(/|\\.ts$)`;
const packagePath = (name) => `^(node_modules/|provider/node_modules/)?${name}(/|$)`;
const anyRoom = "^(provider|cli|emulator)/src/";
/** The native classes, which programs import, stand beside the plugin but are no part of it. */
const nativeClasses = "^provider/src/native/(index[.]ts$|program/)";
const sdk = "node_modules/@pulumi/pulumi/";
const protocol = `${sdk}proto/`;

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const directions = floors.flatMap((floor, index) => {
    const below = floors.slice(0, index).flatMap((lower) => Object.keys(lower));
    return Object.keys(floor).map((room) =>
        forbid(
            `${room}-imports-floors-below`,
            `${room} may import what stands below it.`,
            { path: roomPath(room), pathNot: nativeClasses },
            { path: anyRoom, pathNot: [room, ...below].map(roomPath) },
        ),
    );
});

const modules = floors
    .flatMap((floor) => Object.entries(floor))
    .filter(([, allowed]) => allowed !== any)
    .map(([room, allowed]) =>
        forbid(
            `${room}-imports-modules`,
            `${room} may import ${allowed.join(", ") || "no module of npm or Node"}.`,
            { path: roomPath(room) },
            { pathNot: [anyRoom, ...allowed.map(packagePath)] },
        ),
    );

export default {
    forbidden: [
        ...directions,
        ...modules,
        forbid("no-circle", "Files do not import each other, also not for types.", {}, { circular: true }),
        forbid(
            "a-floor-for-each-room",
            "A new folder needs its place in the list.",
            { path: "^provider/src/", pathNot: floors.flatMap((floor) => Object.keys(floor)).map(roomPath) },
            {},
        ),
        forbid(
            "plugin-without-sdk",
            "session and the plugin know of Pulumi's SDK the protocol with the engine alone.",
            { path: [roomPath("session"), roomPath("native")], pathNot: nativeClasses },
            { path: [sdk, nativeClasses, roomPath("nodeVersion")], pathNot: protocol },
        ),
        forbid(
            "native-classes",
            "What a program imports knows nothing of dynamic providers and commands.",
            { path: nativeClasses },
            { path: [roomPath("dynamic"), "^cli/"] },
        ),
        forbid(
            "commands",
            "cli/ runs without Pulumi's SDK, and without what runs in programs.",
            { path: "^cli/src/" },
            { path: [sdk, ...["dynamic", "lookups", "native", "nodeVersion", "program", "index"].map(roomPath)] },
        ),
        forbid(
            "commands-by-name",
            "cli/ imports the package by #provider: the path of its build.",
            { path: "^cli/src/" },
            { path: "^provider/", dependencyTypesNot: ["aliased"] },
        ),
    ],
    options: {
        tsPreCompilationDeps: true,
        tsConfig: { fileName: "cli/tsconfig.json" },
        doNotFollow: { path: "node_modules" },
        combinedDependencies: true,
    },
};
