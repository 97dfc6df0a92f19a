/**
 * Mocha's own report; then the tests that passed only when they were run again, which is a defect of theirs or of the
 * package; and one line more at its end that a script can read: "12 passed, 1 failed".
 */
import Mocha from "mocha";

export default class Reporter extends Mocha.reporters.Spec {
    readonly #again: string[] = [];

    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        runner.on("retry", (test: Mocha.Test, error: Error) => {
            this.#again.push(`${test.fullTitle()}: ${error.message}`);
        });
    }

    override epilogue(): void {
        super.epilogue();
        for (const test of this.#again) console.log(`Run again after a failure: ${test}`);
        // The runner's own counts: failed hooks among the failures, in parallel mode as well.
        console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`);
    }
}
