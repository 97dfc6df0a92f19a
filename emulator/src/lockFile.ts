/** Locks a file. The build copies the library into this module, so that users of the emulator do not install it. */
export { lock } from "proper-lockfile";
