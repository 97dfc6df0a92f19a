/** Mocha's own report, and one line more at its end that a script can read: "12 passed, 1 failed". */
import Mocha from "mocha";

export default class Reporter extends Mocha.reporters.Spec {
    override epilogue(): void {
        super.epilogue();
        // The runner's own counts: failed hooks among the failures, in parallel mode as well.
        console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`);
    }
}
