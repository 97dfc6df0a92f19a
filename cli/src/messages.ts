/** The messages that only commands show. Errors in the command line have no code: `--help` explains them. */
import { templates } from "#provider/messages/message";

/** The texts of the messages, each with its code where it is shown. */
export const texts = {
    noPulumi:
        "`{command}` could not be run: pulumi is not on the PATH. Install the Pulumi CLI, or put it there. [VG7001]",
    pulumiFailed: "`{command}` failed: {said} [VG7002]",
    unknownOutput: "The output of `{command}` cannot be read as {what}. Upgrade pulumi-videograph. [VG7003]",
    stackUnreadable: "The state of stack {stack} cannot be read: {error} [VG7004]",
    projectUnknown:
        "The project is unknown: the state is empty, and {folder} is not in a Pulumi project. Run this in the project's folder, or give --stack as organization/project/stack. [VG7005]",
    fileExists: "{path} already exists. Move it away, name another file, or use --force. [VG7006]",
    fileNotWritten:
        "{file} could not be written into {folder}: {error}. Create the folder, make it writable, or name another file. [VG7007]",
    notConfirmed: "Nothing was deleted, because the answer was not `yes`. [VG7010]",
    stackInUse:
        "Nothing was deleted: the stack is in use ({how}), so its state may lack objects. Wait for that run; if it was killed, run `pulumi cancel`. [VG7013]",
    lockUnknown:
        "Nothing was deleted: it is unknown whether an update of the stack is running ({why}). To delete nevertheless, name each object with --id. [VG7014]",
    idsUnknown: "No object has the id {ids}. Check the id, and the credentials' environment. [VG7015]",
    idsNotListed:
        "{ids} cannot be an orphan of this stack: the state has the object, or it lacks the stack's marker. [VG7016]",
    entriesUnknown:
        "Nothing was forgotten: the journal has no entry for {names}. `npx pulumi-videograph forget` lists its entries. [VG7018]",
    entryInUse: "Nothing was forgotten: process {pid} is working on {nonce}. Wait until it has ended. [VG7019]",
    probeRefused:
        "The service refuses these credentials (HTTP {status}). A probe needs a token that may read, create and delete. See `npx pulumi-videograph doctor`. [VG7020]",
    nothingToProbe:
        "Nothing was probed: GET /contents was answered with HTTP {status} and {body} instead of a list. Check the base URL. [VG7021]",
    noPlan: "{file} is not a plan. A plan is what `pulumi preview --json` prints, or the file of its --event-log. [VG7030]",
    planUnreadable: "{file} in {folder} cannot be read: {error}. [VG7031]",
    tooManyDeletions:
        "This plan deletes or replaces {count} of the videos and livestreams, but --max-deletions allows only {most}. [VG7032]",
    unknownDeletions:
        "It is unknown whether videos of libraries are deleted or replaced, up to {count}, and --max-deletions allows only {most}. [VG7033]",
} as const;

export const messages = templates(texts);
