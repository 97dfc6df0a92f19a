/** `review`: what a plan means for videos and their viewers; and the gate of a pull request. */
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { messageOf } from "#provider/messages/index";
import { CommandError, command, commonOptions, exitCodes, text, UsageError } from "../commandLine";
import { refuseUnwritable, writeText } from "../files";
import { messages } from "../messages";
import type { Shell } from "../shell";
import { stackArguments } from "../state";
import { documentOf } from "./document";
import { pageOfReview } from "./html";
import { markdownOf } from "./markdown";
import { type Plan, parsePlan } from "./plan";
import { printReview } from "./print";
import { deletionsOf, type Review, reviewOf } from "./review";

export const review = command({
    name: "review",
    positionals: "[<plan>] [-- <arguments of pulumi preview>]",
    about: `Shows what a preview changes, for the one who approves it.

Which videos are deleted, replaced, changed and new, and which playback URLs end. <plan> is what \`pulumi preview --json\` printed, or \`-\` for the
standard input; without it the command runs that preview. It sends nothing to the service and changes nothing.`,
    options: {
        markdown: text("file", "write it as Markdown, for a job's summary or a comment"),
        html: text("file", "write it as a page"),
        "max-deletions": text("n", "exit with 3 if more objects are deleted or replaced, or if that is unknown"),
        ...commonOptions,
    },
    async run({ markdown, html, json = false, stack, ...given }, shell, positionals) {
        const most = limitIn(given["max-deletions"]);
        const files = [markdown, html].flatMap((path) => (path === undefined ? [] : [resolve(shell.cwd, path)]));
        // A job of CI writes the same files at each run.
        await refuseUnwritable(true, ...files);
        const made = reviewOf(await planFrom(positionals, stack, shell));
        if (markdown !== undefined) await writeText(resolve(shell.cwd, markdown), markdownOf(made));
        if (html !== undefined) await writeText(resolve(shell.cwd, html), pageOfReview(made));
        if (json) shell.terminal.printJson(documentOf(made));
        else printReview(made, shell.terminal);
        if (made.errors.length > 0) return exitCodes.failed;
        return passesGate(made, most, shell) ? exitCodes.done : exitCodes.found;
    },
});

function limitIn(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new UsageError("--max-deletions must be a whole number, 0 or more.");
    return Number(text);
}

async function planFrom(positionals: readonly string[], stack: string | undefined, shell: Shell): Promise<Plan> {
    const [first, ...more] = positionals;
    // Behind `--` stand arguments of a preview. They begin with a dash, and a plan's file does not.
    const isFile = first !== undefined && (first === "-" || !first.startsWith("-"));
    if (isFile && (more.length > 0 || stack !== undefined))
        throw new UsageError("A plan has been made: give --stack and other arguments to the preview that makes it.");
    const written = isFile
        ? await read(first, shell)
        : await preview([...stackArguments(stack), ...positionals], shell);
    const plan = parsePlan(written);
    if (plan !== undefined) return plan;
    const name = isFile ? first : "pulumi preview --json";
    throw new CommandError(messages.noPlan({ file: name }));
}

async function read(path: string, { cwd, stdin }: Shell): Promise<string> {
    if (path === "-") return textOf(stdin);
    const file = resolve(cwd, path);
    return readFile(file, "utf8").catch((error) => {
        const why = { file: basename(file), folder: dirname(file), error: messageOf(error) };
        throw new CommandError(messages.planUnreadable(why));
    });
}

async function preview(args: readonly string[], shell: Shell): Promise<string> {
    shell.terminal.progress("Running pulumi preview");
    // A preview that fails prints its reason, and the review shows it.
    return shell.pulumiEvenFailing("preview", "--json", ...args);
}

/** Whether no more is deleted than is allowed. */
function passesGate(made: Review, most: number | undefined, { terminal }: Shell): boolean {
    if (most === undefined) return true;
    const { known, unknown } = deletionsOf(made);
    if (known > most) terminal.error(messages.tooManyDeletions({ count: known, most }));
    else if (known + unknown > most) terminal.error(messages.unknownDeletions({ count: unknown, most }));
    return known + unknown <= most;
}
