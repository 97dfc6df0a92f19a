/** The messages of resources, functions and settings. Not of the emulator, which imitates the service's. */
export { advice, connectionFailures, messages, origins, proxyAnswered } from "./catalogue";
export * from "./errors";
export { append, asClause, type Message, prepend, type Reporter, withoutCodes } from "./message";
