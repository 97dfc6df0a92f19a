/** `npm run explore`: the real driver with larger bounds than the tests have time for. Fails where anything new shows. */
import { full, undecidedIn } from "./bounds.ts";
import { explore } from "./explore.ts";

const only = process.argv.slice(2);
for (const [name, bound] of Object.entries(full)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const { states, runs, seconds, violations } = await explore(bound);
    console.log(`${name}: ${states} states in ${runs} runs, ${seconds.toFixed(1)} s, bound ${JSON.stringify(bound)}`);
    for (const [kind, { times, trace }] of violations) {
        const isKnown = undecidedIn(bound).some((one) => one.test(kind));
        console.log(`  ${isKnown ? "known" : "NEW"}: ${kind} (${times})`);
        if (isKnown) continue;
        console.log(`    ${trace.join("\n    ")}`);
        process.exitCode = 1;
    }
}
