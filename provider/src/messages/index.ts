/** The messages of resources, functions and settings. The emulator's are not here: they imitate the service's. */
export * from "./catalogue";
export * from "./errors";
export * from "./message";
