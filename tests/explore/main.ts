/** `npm run explore`: the model of the one law and the real driver, each with its full bounds. Fails where anything new shows. */
import { design } from "../law/design.ts";
import { explore as exploreModel } from "../law/explore.ts";
import { full as modelBounds, undecided as undecidedInModel } from "../law/scenarios.ts";
import { full, undecidedIn } from "./bounds.ts";
import { explore } from "./explore.ts";

interface Shown {
    states: number;
    /** Of the driver. */
    runs?: number;
    seconds: number;
    violations: Map<string, { times: number; trace: string[] }>;
}

function print(
    name: string,
    bound: object,
    { states, runs, seconds, violations }: Shown,
    known: readonly RegExp[],
): void {
    const inRuns = runs === undefined ? "" : ` in ${runs} runs`;
    console.log(`${name}: ${states} states${inRuns}, ${seconds.toFixed(1)} s, bound ${JSON.stringify(bound)}`);
    for (const [kind, { times, trace }] of violations) {
        const isKnown = known.some((one) => one.test(kind));
        console.log(`  ${isKnown ? "known" : "NEW"}: ${kind} (${times})`);
        if (isKnown) continue;
        console.log(`    ${trace.join("\n    ")}`);
        process.exitCode = 1;
    }
}

const only = process.argv.slice(2);
const isMeant = (name: string) => only.length === 0 || only.includes(name);
for (const [name, bound] of Object.entries(modelBounds))
    if (isMeant(name)) print(`model: ${name}`, bound, exploreModel(design, bound), undecidedInModel);
for (const [name, bound] of Object.entries(full))
    if (isMeant(name)) print(`driver: ${name}`, bound, await explore(bound), undecidedIn(bound));
