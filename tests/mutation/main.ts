/**
 * `npm run mutation`: which changes of the package no test notices. Stryker changes the code that keeps the promises in every
 * place, one at a time; then a unit test has to fail. What none notices is printed, to be judged: a test holds a promise, not
 * the insides of a class.
 */
import { join, matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import { type Area, areas } from "./areas.ts";
import { changesOf } from "./stryker.ts";

const { values } = parseArgs({
    options: {
        /** An area, or a file below `provider/src`, such as `create` or `api/retry.ts`. Default: all areas. */
        mutate: { type: "string", multiple: true },
        concurrency: { type: "string", default: "1" },
    },
});

/** The files of the area that were asked for. */
function chosen(area: Area): readonly string[] {
    if (values.mutate === undefined || values.mutate.includes(area.name)) return area.mutate;
    return values.mutate
        .map((file) => `provider/src/${file}`)
        .filter((file) => area.mutate.some((glob) => matchesGlob(file, glob)));
}

async function run(area: Area): Promise<void> {
    const mutate = chosen(area);
    if (mutate.length === 0) return;
    const changes = await changesOf({ mutate, tests: area.tests, concurrency: Number(values.concurrency) });
    const unnoticed = changes.filter(({ isNoticed }) => !isNoticed);
    for (const { place, original, replacement } of unnoticed)
        console.log(`${place}\n  - ${original}\n  + ${replacement}`);
    console.log(`${area.name}: no test notices ${unnoticed.length} of ${changes.length} changes`);
}

process.chdir(join(import.meta.dirname, "..", ".."));
for (const area of areas) await run(area);
