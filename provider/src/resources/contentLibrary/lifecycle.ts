/** A library: one resource for many videos. Each entry is created, changed and deleted by the code of a Content. */
import { reportInterrupted } from "../../create/ledger";
import { entryUrn } from "../../evidence/library";
import { newNonce } from "../../evidence/marker";
import type { Change, Properties } from "../../inputs/values";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import { LifecycleError, listOf, messages } from "../../messages";
import { type Operation, PartialFailure } from "../../operation/operation";
import { checkLibrary, entriesIn, libraryInputs } from "./entries";
import { LibraryOperation } from "./operate";
import { libraryDifference, planOf, refusal } from "./plan";
import { driftedInputs, libraryIn, libraryOutputs } from "./record";

export const contentLibrary: Lifecycle = {
    inputs: Object.keys(libraryInputs.shape),

    check: checkLibrary,

    diff: libraryDifference,

    async create(inputs, operation) {
        const id = `library-${newNonce(operation.services.random)}`;
        return { id, outputs: await change({ id, olds: {}, news: inputs }, operation) };
    },

    update: change,

    async delete({ olds }, operation) {
        const library = libraryIn(olds);
        const tasks = planOf(library, { oldInputs: undefined, news: { contents: {} } }, operation) ?? [];
        const deletion = new LibraryOperation(library, operation, "deleted");
        const problem = await deletion.apply(tasks);
        if (problem !== undefined) throw deletion.unauthorized ?? new LifecycleError(problem);
    },

    async read({ olds, oldInputs }, operation) {
        const library = libraryIn(olds);
        const before = [...library.entries.values()];
        const reading = new LibraryOperation(library, operation, "read");
        const problem = await reading.read();
        if (problem !== undefined) throw reading.unauthorized ?? new LifecycleError(problem);
        const gone = before.filter(({ key }) => !library.entries.has(key));
        const keys = listOf(gone.map(({ key }) => key));
        if (gone.length > 0) operation.warn(messages.libraryGone({ keys }));
        const inputs = oldInputs && driftedInputs(oldInputs, before, library);
        return { inputs, outputs: libraryOutputs(library, olds.results !== undefined) };
    },
};

async function change({ id, olds, oldInputs, news }: Change, operation: Operation): Promise<Properties> {
    const library = libraryIn(olds);
    // `planOf` has also made the plan that the preview showed. Another function here could delete a video that the preview did not name.
    const tasks = planOf(library, { oldInputs, news }, operation) ?? [];
    const problem = refusal(library, tasks, news);
    if (problem !== undefined) throw new LifecycleError(problem);
    const failed = await new LibraryOperation(library, operation, "ready").apply(tasks);
    const { journal } = operation.services;
    // A killed create may have made a video for a key that the program no longer declares. No create searches for that video, so this warning names
    // it.
    const [own, declared] = [entryUrn(operation.urn, ""), entriesIn(news)];
    const isLeft = ({ urn }: { urn: string }) => urn.startsWith(own) && !declared?.has(urn.slice(own.length));
    await reportInterrupted(journal, journal.entries(), operation.warn, isLeft);
    const outputs = libraryOutputs(library, typeof news.catalogue === "string");
    if (failed !== undefined) throw new PartialFailure(id, outputs, failed);
    return outputs;
}
