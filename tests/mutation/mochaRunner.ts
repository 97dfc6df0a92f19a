/**
 * A Stryker plugin: runs tests with this project's Mocha, in one process. (Stryker's own plugin needs files of Mocha that
 * version 12 has moved.) Tests are loaded once; which mutant is active is a global that the instrumented code reads.
 */
import { globSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { MutantCoverage, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import {
    type DryRunOptions,
    type DryRunResult,
    DryRunStatus,
    determineHitLimitReached,
    type MutantRunOptions,
    type MutantRunResult,
    type TestResult,
    type TestRunner,
    TestStatus,
    toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import Mocha from "mocha";

/** Stryker's `InstrumenterContext`: what the instrumented code and its runner share. */
interface Shared {
    activeMutant?: string | undefined;
    currentTestId?: string | undefined;
    mutantCoverage?: MutantCoverage;
    hitCount?: number | undefined;
    hitLimit?: number | undefined;
}

const shared: Shared = {};
Object.assign(globalThis, { __stryker__: shared });

class Collector extends Mocha.reporters.Base {
    static tests: TestResult[] = [];

    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        runner.on("pass", (test) => Collector.#add(test));
        runner.on("fail", (test, error) => Collector.#add(test, error));
    }

    static #add(test: Mocha.Test, failure?: Error): void {
        // Of a failed hook: the test that it belongs to.
        const name = (test.ctx?.currentTest ?? test).fullTitle();
        const common = { id: name, name, timeSpentMs: test.duration ?? 0, ...(test.file && { fileName: test.file }) };
        Collector.tests.push(
            failure === undefined
                ? { ...common, status: TestStatus.Success }
                : { ...common, status: TestStatus.Failed, failureMessage: failure.message || String(failure) },
        );
    }
}

class MochaRunner implements TestRunner {
    static inject = tokens(commonTokens.options);
    readonly #mocha = new Mocha({ timeout: 0, reporter: Collector });
    readonly #testFiles: readonly string[];
    #isLoaded = false;

    constructor(options: StrykerOptions) {
        this.#testFiles = (options as unknown as { mochaTests: { testFiles: string[] } }).mochaTests.testFiles;
    }

    capabilities() {
        // What was imported cannot be imported anew.
        return { reloadEnvironment: false };
    }

    async init(): Promise<void> {
        this.#mocha.cleanReferencesAfterRun(false);
        for (const file of this.#testFiles.flatMap((glob) => globSync(glob).sort())) this.#mocha.addFile(file);
        this.#mocha.rootHooks({
            beforeEach(this: Mocha.Context) {
                shared.currentTestId = this.currentTest?.fullTitle();
            },
        });
    }

    async dryRun({ disableBail }: DryRunOptions): Promise<DryRunResult> {
        const tests = await this.#run(disableBail, undefined);
        // There is none where no test runs any changed code. Without it every test would be run for every change.
        const { mutantCoverage = { static: {}, perTest: {} } } = shared;
        return { status: DryRunStatus.Complete, tests, mutantCoverage };
    }

    async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
        const { activeMutant, testFilter, disableBail, hitLimit, mutantActivation } = options;
        this.#mocha.grep(testFilter === undefined ? /^/ : new RegExp(testFilter.map(exactly).join("|")));
        shared.hitLimit = hitLimit;
        shared.hitCount = hitLimit === undefined ? undefined : 0;
        if (mutantActivation === "static") shared.activeMutant = activeMutant.id;
        const tests = await this.#run(disableBail, activeMutant.id);
        const limit = determineHitLimitReached(shared.hitCount, hitLimit);
        shared.activeMutant = undefined;
        // What a failed test left under way must not fail the next mutant's.
        await setTimeout(5);
        return toMutantRunResult(limit ?? { status: DryRunStatus.Complete, tests });
    }

    async #run(disableBail: boolean, mutant: string | undefined): Promise<TestResult[]> {
        if (!this.#isLoaded) await this.#mocha.loadFilesAsync();
        this.#isLoaded = true;
        shared.activeMutant = mutant;
        const bail = (suite: Mocha.Suite) => {
            suite.bail(!disableBail);
            suite.suites.forEach(bail);
        };
        bail(this.#mocha.suite);
        Collector.tests = [];
        await new Promise((resolve) => this.#mocha.run(resolve));
        return Collector.tests;
    }
}

function exactly(title: string): string {
    return `^${title.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "mocha", MochaRunner)];
