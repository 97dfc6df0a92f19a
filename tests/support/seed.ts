/** Generators give the same values in every run, so that a failure is of the change and not of chance. `TEST_SEED=<number>` tries others. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED ?? 1) });
