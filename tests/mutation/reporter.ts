/** A Stryker plugin: prints what no test notices as soon as it is known. */
import { relative } from "node:path";
import type { MutantResult } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { Reporter } from "@stryker-mutator/api/report";

class UnnoticedReporter implements Reporter {
    onMutantTested({ status, fileName, location: { start }, replacement }: MutantResult): void {
        if (status !== "Survived" && status !== "NoCoverage") return;
        const place = `${relative("", fileName)}:${start.line}:${start.column}`;
        console.log(`Not noticed${status === "NoCoverage" ? ", and run by no test" : ""}: ${place}  ${replacement}`);
    }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "unnoticed", UnnoticedReporter)];
