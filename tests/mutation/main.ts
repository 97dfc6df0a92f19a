/**
 * `npm run mutation`: which changes of the package the tests notice. Stryker changes the code that keeps the promises in
 * every place, one at a time; then a unit test, or a life of a simulated stack, has to fail. What no test notices has to be
 * in survivors.json with a reason, and nothing else may be there. `--record` writes the list anew; reasons stay.
 */
import { join, matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import { type Area, areas } from "./areas.ts";
import { type Change, changesOf } from "./stryker.ts";
import { keyOf, readSurvivors, type Survivor, writeSurvivors } from "./survivors.ts";

const { values } = parseArgs({
    options: {
        /** An area, or a file below `provider/src`, such as `lifecycle/create` or `api/retry.ts`. Default: all areas. */
        mutate: { type: "string", multiple: true },
        /** Lives that are simulated for a change that no unit test has noticed. */
        seeds: { type: "string", default: "200" },
        concurrency: { type: "string", default: "1" },
        record: { type: "boolean", default: false },
    },
});

/** The area as it was asked for: all of it, single files, or `undefined`. */
function chosen(area: Area): { files: readonly string[]; isWhole: boolean } | undefined {
    if (values.mutate === undefined || values.mutate.includes(area.name)) return { files: area.mutate, isWhole: true };
    const files = values.mutate
        .map((file) => `provider/src/${file}`)
        .filter((file) => area.mutate.some((glob) => matchesGlob(file, glob)));
    return files.length === 0 ? undefined : { files, isWhole: false };
}

function report(changes: readonly Change[], listed: readonly Survivor[]): number {
    const known = new Set(listed.map(keyOf));
    const unnoticed = changes.filter(({ isNoticed }) => !isNoticed);
    const found = new Set(unnoticed.map(keyOf));
    const unexpected = unnoticed.filter((change) => !known.has(keyOf(change)));
    const outdated = listed.filter((survivor) => !found.has(keyOf(survivor)));
    for (const { place, original, replacement } of unexpected)
        console.log(
            `No test notices this, and it is not in survivors.json: ${place}\n  - ${original}\n  + ${replacement}`,
        );
    for (const { file, original, replacement } of outdated)
        console.log(`A test notices this, and it is in survivors.json: ${file}\n  - ${original}\n  + ${replacement}`);
    return unexpected.length + outdated.length;
}

/** What the unit tests notice of these files; then what lives of simulated stacks notice of the rest. */
async function changesIn(mutate: readonly string[], tests: readonly string[]): Promise<Change[]> {
    const concurrency = Number(values.concurrency);
    const changes = await changesOf({ mutate, tests, concurrency });
    const rest = changes.filter(({ isNoticed }) => !isNoticed);
    if (Number(values.seeds) === 0 || rest.length === 0) return changes;
    const places = [...new Set(rest.map(({ place }) => place))];
    const lived = await changesOf({ mutate: places, tests: ["tests/mutation/lives.ts"], concurrency });
    const idOf = ({ place, replacement }: Change) => `${place} ${replacement}`;
    const noticed = new Set(lived.filter(({ isNoticed }) => isNoticed).map(idOf));
    return changes.map((change) => (noticed.has(idOf(change)) ? { ...change, isNoticed: true } : change));
}

async function run(area: Area): Promise<number> {
    const choice = chosen(area);
    if (choice === undefined) return 0;
    const start = performance.now();
    const changes = await changesIn(choice.files, area.tests);
    const minutes = Math.ceil((performance.now() - start) / 60_000);
    const unnoticed = changes.filter(({ isNoticed }) => !isNoticed);
    const score = { killed: changes.length - unnoticed.length, survived: unnoticed.length, minutes };
    console.log(
        `${area.name}: ${changes.length} changes, ${score.killed} noticed ` +
            `(${((100 * score.killed) / changes.length).toFixed(1)} %), in ${minutes} minutes`,
    );
    const list = readSurvivors();
    const files = new Set(changes.map(({ file }) => file));
    const listed = list.survivors.filter(({ file }) => files.has(file));
    if (!values.record) return report(changes, listed);
    const reasons = new Map(listed.map((survivor) => [keyOf(survivor), survivor.reason]));
    const found = new Map(
        unnoticed.map(({ place: _, isNoticed: __, ...change }) => [
            keyOf(change),
            { ...change, reason: reasons.get(keyOf(change)) ?? "" },
        ]),
    );
    writeSurvivors({
        scores: choice.isWhole ? { ...list.scores, [area.name]: score } : list.scores,
        survivors: [...list.survivors.filter(({ file }) => !files.has(file)), ...found.values()],
    });
    return 0;
}

process.chdir(join(import.meta.dirname, "..", ".."));
// For the test runner's process.
process.env.MUTATION_SEEDS = values.seeds;
let wrong = 0;
for (const area of areas) wrong += await run(area);
process.exitCode = wrong > 0 ? 1 : 0;
