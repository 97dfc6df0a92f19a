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
import { flag, integer, list, number, object, text } from "../../provider/dist/definitions/schemas.js";
import { listInputs, lookups } from "../../provider/dist/lookups/definitions.js";
import { defaultInputs, entryDefinition, libraryInputs } from "../../provider/dist/resources/contentLibrary/entries.js";
import { downloadUrl } from "../../provider/dist/session/pluginSource.js";
import { settingsSchema } from "../../provider/dist/session/settings.js";
import { nativeTypeOf, packageName, type ResourceKind, typeOf } from "../../provider/dist/typeTokens.js";
import { docOf, returnsOf, timeouts } from "../reference/pages.ts";

/** The words of JSON Schema, and those of Pulumi: `secret`, `willReplaceOnChanges`, `language`. */
type Spec = z.core.JSONSchema.BaseSchema;
type Specs = Record<string, Spec>;
/** All object types by token. `typeOfObject` adds each when a property has it. */
type Types = Specs;

/** The schema of a version. `repository`: the repository whose releases have the plugin for download. */
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
        // `supportPack`: generated SDKs have the package's version, and in Go a module of their own, as `pulumi package add` makes them.
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

/** The end of the command `pulumi import`, for the example in each description. */
const imports: { readonly [kind in ResourceKind]?: string } = {
    Content: "trailer <id>",
    Clip: "teaser <id>",
    Livestream: "stage <id>",
};

/** The description and the alias of a resource. */
function described(kind: ResourceKind, scope: Scope): object {
    const command = `## Import\n\n\`\`\`sh\n$ pulumi import ${nativeTypeOf(kind)} ${imports[kind]}\n\`\`\`\n`;
    const timeout = `The resource option for custom timeouts sets how long it may take. Defaults: ${timeouts[kind]}.`;
    const parts = [neutral(docOf(kind), scope), timeout, examplesOf(kind), ...(kind in imports ? [command] : [])];
    return {
        description: parts.join("\n\n"),
        // Without the alias, a stack that moves from the dynamic type would create everything again. It can never be changed.
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
    // C# refuses a property `Content` of the class `Content`.
    if (declared.content !== undefined) declared.content.language = { csharp: { name: "Sources" } };
    const computed = Object.entries(propertiesOf(name, outputs, types, scope)).map(([output, spec]) => [
        output,
        factsOf(outputs[output]).secret ? { ...spec, secret: true } : spec,
    ]);
    const inputProperties = Object.entries(declared).map(([input, spec]) => [
        input,
        isFixed(factsOf(inputs[input])) ? { ...spec, willReplaceOnChanges: true } : spec,
    ]);
    const always = [...requiredOf(inputs), ...Object.keys(inputs).filter((input) => factsOf(inputs[input]).setting)];
    // With `waitForReady: false` a content may not have its other outputs yet.
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

/** The filters of `pulumi do list`. The functions' arguments of the same names have the descriptions. */
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

/** Said of a function whose result has a secret. Plain forms cannot return it: https://github.com/pulumi/pulumi/issues/12710 */
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

/** The properties of a function's result. Only the id is required: the service may leave out all others. */
function shownFields(definition: Definition): Shape {
    return { [definition.idName]: text(), ...partial(returnedFields(definition)) };
}

function partial(fields: Shape): Shape {
    return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, z.optional(schema)]));
}

/** The properties as the schema has them, with the docstrings of `owner`: an interface or a class in provider/src/program/. */
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

/** An object. `path`: the place of its properties in the schema. */
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

/** The scope of a resource. A library has no property of the same name for each input, so references lead to its inputs. */
function resourceScope(kind: ResourceKind, properties: object): Scope {
    const part = kind === "ContentLibrary" ? "inputProperties" : "properties";
    return scopeOf(`resources/${nativeTypeOf(kind)}/${part}`, properties);
}

function requiredOf(fields: Shape): string[] {
    return Object.entries(fields).flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]));
}

/** The type of a value. Pulumi takes few words of JSON Schema, writes a union as `oneOf`, and has each object as a type of its own. */
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
    "ProviderArgs.trustNotFound":
        "Whether a 404 always means that an object was deleted, even under other credentials than it was recorded with. Environment variable: `VIDEOGRAPH_TRUST_NOT_FOUND`.",
};

function settings(): Specs {
    const fields = { ...settingsSchema.shape, trustNotFound: flag() };
    const all = propertiesOf("ProviderArgs", fields, {}, scopeOf("provider/properties", {}));
    return { ...all, secretKey: { ...all.secretKey, secret: true } };
}

/** A place in the schema, and the properties that it has. A text there names them by references, which each language's generator spells in its way. */
interface Scope {
    readonly place: string;
    readonly names: readonly string[];
}

/** Where a name leads that is no property of the thing described. */
const elsewhere: readonly Scope[] = [
    scopeOf(`resources/${nativeTypeOf("Content")}/properties`, contentDefinition.inputs.shape),
    { place: `#/functions/${packageName}:index:`, names: Object.keys(lookups) },
];

function scopeOf(path: string, fields: object): Scope {
    // Native types have no `importId`.
    const names = Object.keys(fields).filter((name) => name !== "importId");
    return { place: `#/${path}/`, names };
}

/** The docstring for all languages: without what only TypeScript or only dynamic resources have, and with references in place of names. */
function neutral(doc: string, scope?: Scope): string {
    return (
        doc
            .replace(/\{@link ([\w.]+)\}/g, "`$1`")
            .replace(/unless `importId` is given/g, "unless an existing object is imported")
            .replace(/ Properties that the service does not return are `undefined`\./, "")
            // Without backquotes: Python writes True.
            .replace(/`(true|false)`/g, "$1")
            .replace(/`(\w+)`/g, (code, name: string) => {
                const place = [...(scope ? [scope] : []), ...elsewhere.filter(() => /[a-z][A-Z]/.test(name))].find(
                    ({ names }) => names.includes(name),
                );
                return place === undefined ? code : `{{% ref ${place.place}${name} %}}`;
            })
    );
}

/** The examples in all languages, from docs/schema/. The registry and each SDK show those of one language. */
function examplesOf(name: string): string {
    const programs = readFileSync(join(import.meta.dirname, "..", "..", "docs", "schema", `${name}.md`), "utf8");
    const open = "{{% examples %}}\n\n## Example Usage\n\n{{% example %}}";
    return `${open}\n\n${programs.trim()}\n\n{{% /example %}}\n\n{{% /examples %}}`;
}

function languages(page: string): object {
    return {
        nodejs: {
            // The registry tells its readers to install this name. So it is the published package, which nobody else can take.
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
        // Not `Pulumi` and `com.pulumi`, the defaults: NuGet and Maven reserve these names for Pulumi.
        csharp: {
            rootNamespace: "Community.Pulumi",
            namespaces: { videograph: "Videograph" },
            respectSchemaVersion: true,
        },
        java: { basePackage: "community.pulumi", buildFiles: "gradle", gradleNexusPublishPluginVersion: "2.0.0" },
    };
}
