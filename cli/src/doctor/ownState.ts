/** Whether a run that creates can read its own state: by the same command, with the same tries and the same limit. */
import { durationText } from "#provider/inputs/duration";
import { LifecycleError } from "#provider/messages/index";
import { findProject } from "#provider/session/project";
import type { Shell } from "../shell";
import { counted } from "../terminal";
import { type Finding, findingsOf } from "./finding";

export async function* checkOwnState(shell: Shell, stack: string | undefined): AsyncGenerator<Finding> {
    const { ok, warning, skipped } = findingsOf("Own state");
    const { clock } = shell;
    if (stack === undefined && findProject(shell.cwd) === undefined) {
        yield skipped("Not checked: there is no project, and no --stack.");
        return;
    }
    const started = clock.monotonic();
    try {
        const { resources } = await shell.exported(stack);
        const objects = counted(resources.length, "resource");
        yield ok(`can be read, ${objects} of this package, in ${durationText(clock.monotonic() - started)}`);
    } catch (failure) {
        if (!(failure instanceof LifecycleError)) throw failure;
        yield warning(failure.message);
    }
}
