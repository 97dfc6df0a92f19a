/** Names of properties in messages, as the language of the program spells them. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as catalogue from "../../../provider/dist/messages/catalogue.js";
import { programSpelling } from "../../../provider/dist/native/spelling.js";

const { advice, moves, texts } = catalogue;
const schema = await readFile(join(import.meta.dirname, "..", "..", "..", "schema.json"), "utf8");

describe("the spelling of properties in messages", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-spelling-"));
    });
    after(() => rm(folder, { recursive: true }));

    const spelling = async (project: string) => {
        await writeFile(join(folder, "Pulumi.yaml"), project);
        await mkdir(join(folder, "program"), { recursive: true });
        return programSpelling(schema, join(folder, "program"));
    };
    const spelled = async (project: string, text: string) => (await spelling(project))(text);

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

    it("is the language's own where a message has code", async () => {
        const timeouts = `set the resource option ${advice.moreTime}. [VG4003]`;
        const replaces = 'set replaceOnChanges: ["subtitle"]. [VG4026]';
        for (const [runtime, ofTimeouts, ofReplaces, byName, byUrn] of [
            [
                "python",
                'custom_timeouts=pulumi.CustomTimeouts(create="2h", update="2h")',
                'replace_on_changes=["subtitle"]',
                'aliases=[pulumi.Alias(name="films")]',
                'aliases=["<urn>"]',
            ],
            [
                "go",
                'pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h", Update: "2h"})',
                'pulumi.ReplaceOnChanges([]string{"subtitle"})',
                'pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("films")}})',
                'pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN("<urn>")}})',
            ],
            [
                "dotnet",
                "CustomTimeouts = new() { Create = TimeSpan.FromHours(2), Update = TimeSpan.FromHours(2) }",
                'ReplaceOnChanges = { "subtitle" }',
                'Aliases = { new Alias { Name = "films" } }',
                'Aliases = { new Alias { Urn = "<urn>" } }',
            ],
            [
                "java",
                "customTimeouts(CustomTimeouts.builder().create(Duration.ofHours(2)).update(Duration.ofHours(2)).build())",
                'replaceOnChanges("subtitle")',
                'aliases(Alias.builder().name("films").build())',
                'aliases(Alias.withUrn("<urn>"))',
            ],
            ["nodejs", advice.moreTime, 'replaceOnChanges: ["subtitle"]', moves.byName("films"), moves.byUrn],
            ["yaml", advice.moreTime, 'replaceOnChanges: ["subtitle"]', moves.byName("films"), moves.byUrn],
        ]) {
            const project = `name: films\nruntime: ${runtime}\n`;
            assert.equal(await spelled(project, timeouts), `set the resource option ${ofTimeouts}. [VG4003]`);
            assert.equal(await spelled(project, replaces), `set ${ofReplaces}. [VG4026]`);
            const here = moves.here(moves.byName("films"));
            assert.equal(await spelled(project, here), here.replace(moves.byName("films"), `${byName}`));
            const after = moves.after(moves.byUrn);
            assert.equal(await spelled(project, after), after.replace(moves.byUrn, `${byUrn}`));
        }
        const flag = "mp4Support must be true or false, without quotes";
        assert.equal(
            await spelled("name: a\nruntime: python\n", flag),
            "mp4_support must be True or False, without quotes",
        );
        assert.equal(await spelled("name: a\nruntime: go\n", flag), flag);
    });

    it("leaves no code of another language in anything that a plugin shows", async () => {
        // `name: value` is TypeScript and YAML: what has it needs a form in each other language.
        const code = /\w+: (?:true|false|\[|\{ )/;
        const values = (given: object): string[] =>
            Object.values(given).flatMap((value) => {
                if (typeof value === "function" && value.length > 0) return [String(value("films"))];
                return typeof value === "object" ? values(value) : typeof value === "string" ? [value] : [];
            });
        const { messages: _, ...others } = catalogue;
        const all = values(others);
        assert.ok(all.length > Object.keys(texts).length + 30);
        // Python's spelling takes every key of the schema for a property.
        const ofSchema =
            /\b(?:additionalProperties|inputProperties|requiredInputs|listInputs|oneOf|displayName|packageName|pluginDownloadURL)\b/;
        for (const text of all) assert.doesNotMatch(text, ofSchema);
        for (const runtime of ["python", "go", "dotnet", "java"]) {
            const own = await spelling(`name: a\nruntime: ${runtime}\n`);
            for (const text of all) assert.doesNotMatch(own(text), code);
        }
    });

    it("is that of the message for any other language, and outside of a project", async () => {
        assert.equal(await spelled("name: films\nruntime: go\n", "playbackPolicy"), "playbackPolicy");
        assert.equal(programSpelling(schema, "/nowhere")("playbackPolicy"), "playbackPolicy");
    });
});
