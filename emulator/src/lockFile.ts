/** The lock of a file. The build puts the library into this module's output, so that it is not installed with the emulator. */
export { lock } from "proper-lockfile";
