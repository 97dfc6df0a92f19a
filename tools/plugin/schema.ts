/** The package's schema, which Pulumi's generators and `pulumi package` read, from the resources' definitions and the classes' docstrings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import {
    type Definition,
    factsOf,
    isFixed,
    isOptional,
    partsOf,
    returnedFields,
    type Schema,
    type Shape,
    valueSchema,
    withFacts,
} from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { integer, list, number, object, text } from "../../provider/dist/definitions/schemas.js";
import { listInputs, lookups } from "../../provider/dist/lookups/definitions.js";
import { defaultInputs, entryDefinition, libraryInputs } from "../../provider/dist/resources/contentLibrary/entries.js";
import { downloadUrl } from "../../provider/dist/session/pluginSource.js";
import { nativeTypeOf, packageName, type ResourceKind, typeOf } from "../../provider/dist/typeTokens.js";
import { docOf, returnsOf, timeouts } from "../reference/pages.ts";

/** The words of JSON Schema, and those of Pulumi: `secret`, `willReplaceOnChanges`, `language`. */
type Spec = z.core.JSONSchema.BaseSchema;
type Specs = Record<string, Spec>;
/** The types that the properties name; each is added when it is named. */
type Types = Specs;

/** The schema of one version. `repository`: the URL of the one whose releases hold the plugin. */
export function packageSchema(version: string, repository: string): object {
    const types: Types = {};
    const page = repository.replace(/^git\+/, "").replace(/\.git$/, "");
    return {
        name: packageName,
        displayName: "Videograph",
        version,
        description: "Videos and live streams of the Videograph platform as Pulumi resources",
        keywords: ["pulumi", "videograph", "video", "kind/native", "category/cloud"],
        license: "Apache-2.0",
        attribution: "Not affiliated with Pulumi.",
        publisher: "pulumi-videograph",
        homepage: page,
        repository: page,
        pluginDownloadURL: downloadUrl(repository),
        // SDKs with the package's own version, and for Go a module of its own: the same as `pulumi package add` generates.
        meta: { moduleFormat: "(.*)", supportPack: true },
        config: { variables: settings() },
        provider: {
            description: neutral(docOf("Provider")),
            type: "object",
            properties: settings(),
            inputProperties: settings(),
        },
        resources: {
            [nativeTypeOf("Content")]: objectResource(contentDefinition, types),
            [nativeTypeOf("Clip")]: objectResource(clipDefinition, types),
            [nativeTypeOf("Livestream")]: objectResource(livestreamDefinition, types),
            [nativeTypeOf("ContentReadiness")]: resource("ContentReadiness", readiness, types),
            [nativeTypeOf("ContentLibrary")]: library(types),
        },
        functions: functions(types),
        types,
        language: languages(page),
    };
}

/** How an object is imported: an example of a name, and the name of the id. */
const imports: { readonly [kind in ResourceKind]?: string } = {
    Content: "trailer <id>",
    Clip: "teaser <id>",
    Livestream: "stage <id>",
};

/** What every resource has. */
function described(kind: ResourceKind, scope: Scope): object {
    const command = `## Import\n\n\`\`\`sh\n$ pulumi import ${nativeTypeOf(kind)} ${imports[kind]}\n\`\`\`\n`;
    const timeout = `The resource option for custom timeouts sets how long it may take. Defaults: ${timeouts[kind]}.`;
    const parts = [neutral(docOf(kind), scope), timeout, examplesOf(kind), ...(kind in imports ? [command] : [])];
    return {
        description: parts.join("\n\n"),
        // Without it, stacks of dynamic resources would create everything again. It can never be changed.
        aliases: [{ type: typeOf(kind) }],
    };
}

function objectResource({ name, inputs, outputs }: Definition, types: Types): object {
    const { importId: _, ...declared } = inputs.shape;
    return {
        ...resource(name, { inputs: declared, outputs: outputs.shape }, types),
        // No list tells clips from other contents.
        ...(name !== "Clip" && { listInputs: filters(name, types) }),
    };
}

/** A resource whose inputs are outputs too. */
function resource(name: ResourceKind, { inputs, outputs }: { inputs: Shape; outputs: Shape }, types: Types): object {
    const scope = resourceScope(name, { ...inputs, ...outputs });
    const declared = propertiesOf(`${name}Args`, inputs, types, scope);
    // C# refuses a member with the name of its class.
    if (declared.content !== undefined) declared.content.language = { csharp: { name: "Sources" } };
    const computed = Object.entries(propertiesOf(name, outputs, types, scope)).map(([output, spec]) => [
        output,
        factsOf(outputs[output]).secret ? { ...spec, secret: true } : spec,
    ]);
    const inputProperties = Object.entries(declared).map(([input, spec]) => [
        input,
        isFixed(inputs[input]) ? { ...spec, willReplaceOnChanges: true } : spec,
    ]);
    const always = [...requiredOf(inputs), ...Object.keys(inputs).filter((input) => factsOf(inputs[input]).setting)];
    // `waitForReady: false` ends a create before the service has shown everything.
    const isSure = (output: string) => inputs.waitForReady === undefined || ["status", "createdOn"].includes(output);
    const sure = requiredOf(outputs).filter(isSure);
    return {
        ...described(name, scope),
        properties: { ...declared, ...Object.fromEntries(computed) },
        required: [...always, ...sure],
        inputProperties: Object.fromEntries(inputProperties),
        requiredInputs: requiredOf(inputs),
    };
}

/** The filters of the engine's lists are arguments of functions. */
function filters(kind: keyof typeof listInputs, types: Types): Spec {
    const { record, ...common }: Shape = listInputs[kind].shape;
    const scope = resourceScope(kind, {});
    const own = record && propertiesOf("GetLivestreamsArgs", { record }, types, scope);
    return { type: "object", properties: { ...propertiesOf("GetContentsArgs", common, types, scope), ...own } };
}

const typed = (typeName: string, fields: Shape) => withFacts(object(fields), { typeName });
const byKey = (schema: Schema) => z.record(z.string(), schema);

const readyContent = { contentId: text(), status: text(), ...partial({ playbackUrl: text(), duration: number() }) };
const readiness = {
    inputs: { contentIds: list(text()) },
    outputs: { contents: list(typed("ReadyContent", readyContent)) },
};

function library(types: Types): object {
    const shown = { contentId: text(), ...partial(entryDefinition.outputs.shape), status: text() };
    const inputs = {
        ...libraryInputs.shape,
        contents: byKey(typed("LibraryEntry", entryDefinition.inputs.shape)),
        defaults: typed("LibraryDefaults", defaultInputs.shape),
    };
    const outputs = { contents: byKey(typed("LibraryContent", shown)), results: text() };
    const scope = resourceScope("ContentLibrary", inputs);
    const inputProperties = propertiesOf("ContentLibraryArgs", inputs, types, scope);
    const properties = propertiesOf("ContentLibrary", outputs, types, scope);
    return { ...described("ContentLibrary", scope), properties, inputProperties };
}

/** Pulumi's SDKs cannot give a secret as a plain value: https://github.com/pulumi/pulumi/issues/12710 */
const secretResult =
    "Use the form that returns an Output, because the stream key is a secret. The plain form fails in Go (`unexpected secret result returned to invoke call`), " +
    "and in Python it gives the key as plain text, which an export puts into the state. In YAML the whole result is a secret.";

function functions(types: Types): object {
    const livestream = shownFields(livestreamDefinition);
    const { streamKey: _, ...withoutKey } = livestream;
    const results: Record<string, Shape> = {
        ContentResult: shownFields(contentDefinition),
        LivestreamResult: livestream,
        LivestreamItem: withoutKey,
        SigningKey: {
            id: integer(),
            productTypeId: integer(),
            environmentId: integer(),
            signingKeyId: text(),
            createdOn: number(),
            createdBy: text(),
        },
    };
    const outputsOf = (name: string, { type, list }: { type: string; list?: string }): Spec => {
        const fields = results[type] ?? {};
        const isList = list !== undefined;
        const place = isList ? `types/${nativeTypeOf(type)}` : `functions/${nativeTypeOf(name)}/outputs`;
        const path = `${place}/properties`;
        const description = neutral(returnsOf(name), scopeOf(path, fields)).replace(/; \S.* is a secret Output/, "");
        if (!isList) return { description, ...objectOf(type, fields, types, path) };
        const items = typeOfObject(type, fields, types);
        return { type: "object", properties: { [list]: { description, type: "array", items } }, required: [list] };
    };
    return Object.fromEntries(
        Object.entries(lookups).map(([name, { args, result }]) => {
            const path = `functions/${nativeTypeOf(name)}/inputs/properties`;
            const inputs = objectOf(`${name[0]?.toUpperCase()}${name.slice(1)}Args`, args.shape, types, path);
            const missing = inputs.required ? ["An id that does not exist is an error."] : [];
            const doc = neutral(docOf(name), scopeOf(path, args.shape));
            const secret = name === "getLivestream" ? [secretResult] : [];
            const description = [doc, ...missing, ...secret, examplesOf(name)].join("\n\n");
            return [nativeTypeOf(name), { description, inputs, outputs: outputsOf(name, result) }];
        }),
    );
}

/** An object as a lookup shows it. The service may leave out properties, so only the id is certain. */
function shownFields(definition: Definition): Shape {
    return { [definition.idName]: text(), ...partial(returnedFields(definition)) };
}

function partial(fields: Shape): Shape {
    return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, z.optional(schema)]));
}

/** Properties with the docstrings of an interface or a class. */
function propertiesOf(owner: string, fields: Shape, types: Types, scope: Scope): Specs {
    const specs = Object.entries(fields).map(([name, schema]): [string, Spec] => [
        name,
        {
            description: neutral(otherDocs[`${owner}.${name}`] ?? docOf(owner, name), scope),
            ...typeSpec(schema, types),
        },
    ]);
    return Object.fromEntries(specs);
}

/** `path`: where its properties are in the schema. */
function objectOf(owner: string, fields: Shape, types: Types, path: string): Spec {
    const required = requiredOf(fields);
    const properties = propertiesOf(owner, fields, types, scopeOf(path, fields));
    return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Adds the type of an object to the schema, and names it. */
function typeOfObject(name: string, fields: Shape, types: Types): Spec {
    const token = nativeTypeOf(name);
    const owner = name === "LibraryDefaults" ? "LibraryEntry" : name;
    const spec = objectOf(owner, fields, types, `types/${token}/properties`);
    types[token] = { description: otherDocs[name] ?? neutral(docOf(name)), ...spec };
    return { $ref: `#/types/${token}` };
}

/** Of a resource. The inputs of a library are no properties of it. */
function resourceScope(kind: ResourceKind, properties: object): Scope {
    const part = kind === "ContentLibrary" ? "inputProperties" : "properties";
    return scopeOf(`resources/${nativeTypeOf(kind)}/${part}`, properties);
}

function requiredOf(fields: Shape): string[] {
    return Object.entries(fields).flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]));
}

/** The type of a value in the words of JSON Schema that Pulumi's schemas have. Objects are types of their own. */
function typeSpec(schema: Schema, types: Types): Spec {
    const { $schema: _, ...spec } = z.toJSONSchema(valueSchema(schema), {
        io: "input",
        override: ({ zodSchema, jsonSchema }) => {
            const { anyOf: oneOf } = jsonSchema;
            const { shape } = partsOf(zodSchema);
            for (const word of Object.keys(jsonSchema))
                if (shape || !["type", "items", "additionalProperties"].includes(word)) delete jsonSchema[word];
            if (shape) Object.assign(jsonSchema, typeOfObject(factsOf(zodSchema).typeName ?? "", shape, types));
            else if (oneOf) Object.assign(jsonSchema, { oneOf });
        },
    });
    return spec;
}

/** The docstrings of what programs in TypeScript do not have, or have in another form. */
const otherDocs: Readonly<Record<string, string>> = {
    LibraryEntry:
        "A content of a library, with the inputs of a Content. A library always waits until its contents are Ready.",
    LibraryDefaults: "Defaults for the contents of a library.",
    "ContentLibrary.results": "With `catalogue`: the contents by key, as JSON text.",
};

function settings(): Specs {
    const told = (name: string): Spec => ({ type: "string", description: docOf("ProviderArgs", name) });
    return {
        accessTokenId: told("accessTokenId"),
        secretKey: { ...told("secretKey"), secret: true },
        baseUrl: told("baseUrl"),
        region: told("region"),
        trustNotFound: {
            type: "boolean",
            description:
                "Whether a 404 always means that an object was deleted, even under other credentials than it was recorded with. Environment variable: `VIDEOGRAPH_TRUST_NOT_FOUND`.",
        },
    };
}
/** Where a text stands: names of these properties are references, which generators write as each language spells them. */
interface Scope {
    readonly place: string;
    readonly names: readonly string[];
}

/** Of names that are no property of the thing described. */
const elsewhere: readonly Scope[] = [
    scopeOf(`resources/${nativeTypeOf("Content")}/properties`, contentDefinition.inputs.shape),
    { place: `#/functions/${packageName}:index:`, names: Object.keys(lookups) },
];

function scopeOf(path: string, fields: object): Scope {
    // An input of some face may not be in the schema.
    const names = Object.keys(fields).filter((name) => name !== "importId");
    return { place: `#/${path}/`, names };
}

/** In words that apply to every language, without the features of dynamic resources. */
function neutral(doc: string, scope?: Scope): string {
    return (
        doc
            .replace(/\{@link ([\w.]+)\}/g, "`$1`")
            .replace(/unless `importId` is given/g, "unless an existing object is imported")
            .replace(/ Properties that the service does not return are `undefined`\./, "")
            // Python writes True.
            .replace(/`(true|false)`/g, "$1")
            .replace(/`(\w+)`/g, (code, name: string) => {
                const place = [...(scope ? [scope] : []), ...elsewhere.filter(() => /[a-z][A-Z]/.test(name))].find(
                    ({ names }) => names.includes(name),
                );
                return place === undefined ? code : `{{% ref ${place.place}${name} %}}`;
            })
    );
}

/** The section of a description that the registry and SDKs show by language: docs/schema/ has the programs. */
function examplesOf(name: string): string {
    const programs = readFileSync(join(import.meta.dirname, "..", "..", "docs", "schema", `${name}.md`), "utf8");
    const open = "{{% examples %}}\n\n## Example Usage\n\n{{% example %}}";
    return `${open}\n\n${programs.trim()}\n\n{{% /example %}}\n\n{{% /examples %}}`;
}

function languages(page: string): object {
    return {
        nodejs: {
            // The published package: the registry installs what is named here, and nobody else can publish under this name.
            packageName: "pulumi-videograph",
            packageDescription:
                "Generated SDK of the Videograph resource plugin. The npm package of this name has the same types as pulumi-videograph/native.",
            dependencies: { "@pulumi/pulumi": "^3.142.0" },
            respectSchemaVersion: true,
        },
        python: {
            packageName: "pulumi_videograph",
            pyproject: { enabled: true },
            readme: "Videos and live streams of the Videograph platform as Pulumi resources. Generated from the schema of the resource plugin `videograph`.",
            requires: { pulumi: ">=3.142.0,<4.0.0" },
            respectSchemaVersion: true,
        },
        go: {
            importBasePath: `${page.replace("https://", "")}/sdk/go/videograph`,
            generateResourceContainerTypes: true,
            respectSchemaVersion: true,
        },
        // The prefix `Pulumi.` is reserved in NuGet, and the group `com.pulumi` in Maven.
        csharp: {
            rootNamespace: "Community.Pulumi",
            namespaces: { videograph: "Videograph" },
            respectSchemaVersion: true,
        },
        java: { basePackage: "community.pulumi", buildFiles: "gradle", gradleNexusPublishPluginVersion: "2.0.0" },
    };
}
