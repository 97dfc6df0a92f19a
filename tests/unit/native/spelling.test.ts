/** Names of properties in messages, as the language of the program spells them. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programSpelling } from "../../../provider/dist/native/spelling.js";

const schema = await readFile(join(import.meta.dirname, "..", "..", "..", "schema.json"), "utf8");

describe("the spelling of properties in messages", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-spelling-"));
    });
    after(() => rm(folder, { recursive: true }));

    const spelled = async (project: string, text: string) => {
        await writeFile(join(folder, "Pulumi.yaml"), project);
        await mkdir(join(folder, "program"), { recursive: true });
        return programSpelling(schema, join(folder, "program"))(text);
    };

    it("is Python's in a Python project", async () => {
        const verbatim = "Set videograph:baseUrl, or write `playbackPolicy: []`";
        for (const [camel, snake] of [
            ["subtitle[0].languageCode is required", "subtitle[0].language_code is required"],
            ["mp4Support, dvrDurationInMins, streamUUID", "mp4_support, dvr_duration_in_mins, stream_uuid"],
            // A stack's configuration has the same names for all languages; code is quoted as it is meant.
            [verbatim, verbatim],
            // A suggestion is a name.
            ["baseURL is not known: correct it to `baseUrl`", "baseURL is not known: correct it to `base_url`"],
            ["watermark[0].y_pso: correct it to `yPos`", "watermark[0].y_pso: correct it to `y_pos`"],
            ["accessTokenId, secretKey, trustNotFound", "access_token_id, secret_key, trust_not_found"],
        ] as const)
            for (const runtime of ["runtime: python", "runtime:\n  name: python\n  options: {}"])
                assert.equal(await spelled(`name: films\n${runtime}\n`, camel), snake);
    });

    it("is that of the message for any other language, and outside of a project", async () => {
        assert.equal(await spelled("name: films\nruntime: go\n", "playbackPolicy"), "playbackPolicy");
        assert.equal(programSpelling(schema, "/nowhere")("playbackPolicy"), "playbackPolicy");
    });
});
