/** The messages of resources, functions and settings. The emulator's are not here: they imitate the service's. */
export {
    advice,
    connectionFailures,
    journalAdvice,
    messages,
    moves,
    origins,
    proxyAnswered,
    replacements,
    undecoded,
} from "./catalogue";
export * from "./errors";
export {
    append,
    asClause,
    codeOf,
    count,
    listOf,
    type Message,
    maxListed,
    prepend,
    type Reporter,
    withoutCodes,
} from "./message";
