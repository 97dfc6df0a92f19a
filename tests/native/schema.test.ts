/** The package's schema: complete against the definitions, and valid for Pulumi's own generators. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { factsOf, isFixed } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { packageSchema } from "../../tools/plugin/schema.ts";

interface Spec {
    description?: string;
    secret?: boolean;
    willReplaceOnChanges?: boolean;
    properties?: Record<string, Spec>;
    inputProperties?: Record<string, Spec>;
    requiredInputs?: string[];
    required?: string[];
    inputs?: Spec;
    outputs?: Spec;
}
interface Schema {
    pluginDownloadURL?: string;
    provider: Spec;
    config: { variables: Record<string, Spec> };
    resources: Record<string, Spec>;
    functions: Record<string, Spec>;
    types: Record<string, Spec>;
}

const repository = "git+https://github.com/someone/pulumi-videograph.git";
const schema = packageSchema("1.2.3", repository) as Schema;
const resource = (name: string) => schema.resources[`videograph:index:${name}`] ?? assert.fail(`no ${name}`);

describe("The package's schema", () => {
    for (const definition of [contentDefinition, clipDefinition, livestreamDefinition]) {
        it(`has every property of ${definition.name}, and only importId is not among the inputs`, () => {
            const { properties = {}, inputProperties = {}, requiredInputs } = resource(definition.name);
            const inputs = Object.keys(definition.inputs.shape).filter((name) => name !== "importId");
            assert.deepEqual(Object.keys(inputProperties), inputs);
            assert.deepEqual(Object.keys(properties), [...inputs, ...Object.keys(definition.outputs.shape)]);
            assert.deepEqual(requiredInputs, definition === clipDefinition ? [] : ["title"]);
            const replacing = Object.entries(definition.inputs.shape).filter(([, input]) => isFixed(factsOf(input)));
            const marked = Object.keys(inputProperties).filter((name) => inputProperties[name]?.willReplaceOnChanges);
            assert.deepEqual(
                marked,
                replacing.map(([name]) => name),
            );
            const secrets = Object.entries(definition.outputs.shape).filter(([, output]) => factsOf(output).secret);
            assert.deepEqual(
                Object.keys(properties).filter((name) => properties[name]?.secret),
                secrets.map(([name]) => name),
            );
        });
    }

    it("is committed as the registry reads it: `npm run build` writes it", async () => {
        const repository = join(import.meta.dirname, "..", "..");
        const json = async (file: string) => JSON.parse(await readFile(join(repository, file), "utf8"));
        const { version, repository: source } = await json("provider/package.json");
        const current = packageSchema(version, source?.url);
        assert.deepEqual(await json("schema.json"), JSON.parse(JSON.stringify(current)));
    });

    it("documents everything, in words that hold for every language", () => {
        const undocumented: string[] = [];
        const visit = (spec: Spec, path: string) => {
            if (!spec.description) undocumented.push(path);
            assert.doesNotMatch(spec.description ?? "", /importId|@link|undefined/, path);
            for (const part of [spec.properties, spec.inputProperties]) {
                for (const [name, property] of Object.entries(part ?? {})) visit(property, `${path}.${name}`);
            }
            for (const property of Object.values(spec.inputs?.properties ?? {})) visit(property, `${path}(…)`);
            for (const property of Object.values(spec.outputs?.properties ?? {})) visit(property, `${path}()`);
        };
        for (const part of [schema.resources, schema.functions, schema.types]) {
            for (const [token, spec] of Object.entries(part)) visit(spec, token);
        }
        visit(schema.provider, "provider");
        assert.deepEqual(undocumented, []);
    });

    it("names properties by references, which each generator writes in its language", () => {
        const descriptions: string[] = [];
        JSON.stringify(schema, (key, value) => {
            if (key === "description" && typeof value === "string") descriptions.push(value);
            return value;
        });
        assert.ok(descriptions.length > 100);
        // Programs are in one language, and the stack's configuration has the same names in all.
        const others = /```.*?```|\{\{% ref \S+ %\}\}|videograph:\w+/gs;
        const spelled = descriptions.flatMap((one) => one.replace(others, "").match(/.{0,40}\b[a-z]+[A-Z]\w*/g) ?? []);
        assert.deepEqual(spelled, []);
    });

    it("takes plain texts for the playback policy: a union of a text and an enumeration needs casts in C# and Java", () => {
        assert.deepEqual(schema.types["videograph:index:PlaybackPolicy"], undefined);
        const { playbackPolicy } = resource("Content").inputProperties ?? {};
        assert.deepEqual(
            { ...playbackPolicy, description: "" },
            {
                description: "",
                type: "array",
                items: { type: "string" },
                willReplaceOnChanges: true,
            },
        );
    });

    it("promises no output that a content may lack which was not waited for", () => {
        const { required } = resource("Content");
        assert.deepEqual(required, ["title", "status", "createdOn"]);
    });

    it("keeps the secret key a secret, and takes no setting from the environment at the program's time", () => {
        for (const settings of [schema.provider.properties, schema.provider.inputProperties, schema.config.variables]) {
            assert.deepEqual(
                Object.keys(settings ?? {}).filter((name) => settings?.[name]?.secret),
                ["secretKey"],
            );
        }
        assert.doesNotMatch(JSON.stringify(schema), /defaultInfo/);
    });

    it("names the releases of the repository that it is released from", () => {
        assert.equal(schema.pluginDownloadURL, "github://api.github.com/someone/pulumi-videograph");
        assert.match(
            JSON.stringify(schema),
            /"importBasePath":"github.com\/someone\/pulumi-videograph\/sdk\/go\/videograph"/,
        );
    });
});
