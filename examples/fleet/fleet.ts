// Runs the stacks of the fleet side by side on this machine, or writes their manifests for the Kubernetes operator. It only splits
// and reports: Pulumi does the work, with the program in index.ts.
import { parseArgs } from "node:util";
import { InvalidCatalogue, readCatalogue, readSettings } from "./catalogue";
import { writeManifests } from "./manifests";
import { describeMoves, existingStacks, misplacedVideos } from "./moves";
import { runAll, selectStacks } from "./run";
import { indexOf, stackName } from "./shares";

const help = `npm run fleet -- <command> [options]

  plan                 how many videos of the catalogue each stack has
  preview, up, destroy runs the command on all stacks
  moves                what to run after the number of stacks was changed
  manifests            writes kubernetes/<stack>.yaml for the Pulumi Kubernetes Operator

  --side-by-side <n>   how many stacks at a time (default 2)
  --only <stack>       one stack alone; repeatable
  --cancel             release the lock that a killed run has left. Only when no other run is under way!
`;

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        "side-by-side": { type: "string", default: "2" },
        only: { type: "string", multiple: true },
        cancel: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
    },
});

main(positionals[0] ?? "help").catch((error: unknown) => {
    console.error(error instanceof InvalidCatalogue ? error.message : error);
    process.exitCode = 1;
});

async function main(command: string): Promise<void> {
    const settings = readSettings();
    const videos = readCatalogue(settings);
    const shares = Array.from({ length: settings.stacks }, (_, index) => ({ stack: stackName(index), videos: 0 }));
    for (const { key } of videos) {
        const share = shares[indexOf(key, settings.stacks)];
        if (share !== undefined) share.videos += 1;
    }
    switch (command) {
        case "plan":
            for (const { stack, videos } of shares) console.log(`${stack}  ${videos.toLocaleString("en-US")} videos`);
            return;
        case "manifests":
            return writeManifests(settings);
        case "moves":
            return console.log(describeMoves(await misplacedVideos(await existingStacks(), settings)));
        case "preview":
        case "up":
        case "destroy": {
            const { only } = values;
            const chosen = shares.filter(({ stack }) => only === undefined || only.includes(stack));
            if (chosen.length === 0) throw new InvalidCatalogue(`There is no stack ${only?.join(", ")}`);
            const existing = await existingStacks();
            if (command !== "destroy") {
                const moves = await misplacedVideos(existing, settings);
                if (moves.length > 0) throw new InvalidCatalogue(describeMoves(moves));
            }
            const stacks = await selectStacks(chosen, existing);
            const sideBySide = Number(values["side-by-side"]);
            if (!(await runAll(command, stacks, { sideBySide, cancel: values.cancel }))) process.exitCode = 1;
            return;
        }
        default:
            console.log(help);
            if (!values.help) process.exitCode = 2;
    }
}
