/** Every text that users read from resources, functions and settings, with its code. */
export * from "./catalogue";
export * from "./errors";
export * from "./message";
