/**
 * Mocha's own report, what was run a second time, and one line more at its end that a script can read: "12 passed, 1 failed".
 */
import Mocha from "mocha";

export default class Reporter extends Mocha.reporters.Spec {
    readonly #retried: string[] = [];

    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test, error) => {
            this.#retried.push(`${test.fullTitle()}: ${error.message.split("\n")[0]}`);
        });
    }

    override epilogue(): void {
        super.epilogue();
        if (this.#retried.length > 0) console.log(`Run a second time:\n  ${this.#retried.join("\n  ")}\n`);
        // The runner's own counts: failed hooks among the failures, in parallel mode as well.
        console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`);
    }
}
