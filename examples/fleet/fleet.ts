// Runs the stacks of the fleet side by side on this machine. It only splits and reports: Pulumi does the work, with the program in
// index.ts.
import { parseArgs } from "node:util";
import { runAll } from "./run";
import { shares, stackName, stackNames } from "./shares";

const help = `npm run fleet -- <command> [options]

  plan                 how many videos of the catalogue each stack has
  preview, up, destroy runs the command on all stacks

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
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
});

async function main(command: string): Promise<void> {
    switch (command) {
        case "plan":
            for (const [index, lines] of shares().entries()) {
                console.log(`${stackName(index)}  ${lines.length.toLocaleString("en-US")} videos`);
            }
            return;
        case "preview":
        case "up":
        case "destroy": {
            const { only = stackNames(), cancel } = values;
            const unknown = only.filter((name) => !stackNames().includes(name));
            if (unknown.length > 0) throw new Error(`There is no stack ${unknown.join(", ")}`);
            const sideBySide = Number(values["side-by-side"]);
            if (!(await runAll(command, only, { sideBySide, cancel }))) process.exitCode = 1;
            return;
        }
        default:
            console.log(help);
            if (!values.help) process.exitCode = 2;
    }
}
