/** Another environment of the service in which the ids of a first one mean other objects. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "videograph-emulator";

interface TwinOptions {
    /** The id and the secret of the token that opens it. */
    readonly token: { readonly id: string; readonly secret: string };
    /** The mark that its contents or its livestreams bear; none by default. */
    readonly marks?: { readonly contents?: string; readonly livestreams?: string };
}

export interface Twin extends AsyncDisposable {
    readonly emulator: Emulator;
}

/** Starts an emulator that has an object of its own for each id of the other one; they differ in all but the id. */
export async function startTwin(of: Emulator, { token, marks = {} }: TwinOptions): Promise<Twin> {
    const folder = await mkdtemp(join(tmpdir(), "videograph-twin-"));
    const others = (mark: string | undefined) => ({
        title: "Someone else's",
        metadata: mark === undefined ? [] : [{ key: "managed_by", value: mark }],
    });
    const changes = [
        ...of.contents().map((content) => ({
            content: { ...content, ...others(marks.contents), createdOn: content.createdOn - 3_600_000 },
        })),
        ...of.livestreams().map((livestream) => ({
            livestream: { ...livestream, ...others(marks.livestreams), createdOn: livestream.createdOn - 3_600_000 },
        })),
    ];
    const stateFile = join(folder, "state.jsonl");
    await writeFile(stateFile, changes.map((change) => `${JSON.stringify(change)}\n`).join(""));
    const emulator = await startEmulator({ stateFile, tokens: [token] });
    return {
        emulator,
        async [Symbol.asyncDispose]() {
            await emulator.close();
            await rm(folder, { recursive: true, force: true });
        },
    };
}
