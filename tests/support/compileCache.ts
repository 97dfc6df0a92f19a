/** Where V8 keeps what it makes of modules: every run of a program loads the same ones. */
import { tmpdir } from "node:os";
import { join } from "node:path";

export const compileCache = join(tmpdir(), "videograph-compile-cache");
