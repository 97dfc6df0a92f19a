/** The messages of resources, functions and settings. The emulator's are not here: they imitate the service's. */
export { advice, connectionFailures, journalAdvice, messages, origins, proxyAnswered } from "./catalogue";
export * from "./errors";
export { append, asClause, type Message, prepend, type Reporter, withoutCodes } from "./message";
