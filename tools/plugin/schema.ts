/** The package's schema, which Pulumi's generators and `pulumi package` read, from the resources' definitions and the classes' docstrings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import {
    type Definition,
    type Field,
    number,
    policies,
    returnedFields,
    secretOutputs,
    type Type,
    text,
} from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { listInputs, lookups } from "../../provider/dist/lookups/definitions.js";
import { defaultFields, entryDefinition } from "../../provider/dist/resources/contentLibrary/entries.js";
import { downloadUrl } from "../../provider/dist/session/pluginSource.js";
import { nativeTypeOf, packageName, type ResourceKind, typeOf } from "../../provider/dist/typeTokens.js";
import { docOf, returnsOf, timeouts } from "../reference/pages.ts";

interface Spec {
    description?: string;
    type?: string;
    $ref?: string;
    items?: Spec;
    additionalProperties?: Spec;
    oneOf?: Spec[];
    secret?: boolean;
    willReplaceOnChanges?: boolean;
    language?: { csharp: { name: string } };
}

interface ObjectSpec {
    description?: string;
    type?: "object" | "string";
    properties?: Record<string, Spec>;
    required?: string[];
    enum?: { value: string; description: string }[];
}

type Fields = Readonly<Record<string, Field>>;
type Specs = Record<string, Spec>;
/** The types that the properties name; each is added when it is named. */
type Types = Record<string, ObjectSpec>;

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
            [nativeTypeOf("Content")]: resource(contentDefinition, types),
            [nativeTypeOf("Clip")]: resource(clipDefinition, types),
            [nativeTypeOf("Livestream")]: resource(livestreamDefinition, types),
            [nativeTypeOf("ContentReadiness")]: readiness(types),
            [nativeTypeOf("ContentLibrary")]: library(types),
        },
        functions: functions(types),
        types,
        language: languages(page),
    };
}

/** How an object is imported: an example of a name, and the name of the id. */
const imports: { readonly [kind in ResourceKind]?: string } = {
    Content: "trailer <contentId>",
    Clip: "teaser <contentId>",
    Livestream: "stage <streamUUID>",
};

/** What every resource has. */
function described(kind: ResourceKind): object {
    const command = `## Import\n\n\`\`\`sh\n$ pulumi import ${nativeTypeOf(kind)} ${imports[kind]}\n\`\`\`\n`;
    const timeout = `The \`customTimeouts\` resource option sets how long it may take. Defaults: ${timeouts[kind]}.`;
    const parts = [neutral(docOf(kind)), timeout, examplesOf(kind), ...(kind in imports ? [command] : [])];
    return {
        description: parts.join("\n\n"),
        // Without it, stacks of dynamic resources would create everything again. It can never be changed.
        aliases: [{ type: typeOf(kind) }],
    };
}

function resource(definition: Definition, types: Types): object {
    const { name, outputs } = definition;
    const { importId: _, ...inputs } = definition.inputs;
    const declared = propertiesOf(`${name}Args`, inputs, types);
    // C# refuses a member with the name of its class.
    if (declared.content !== undefined) declared.content.language = { csharp: { name: "Sources" } };
    const computed = propertiesOf(name, outputs, types);
    for (const secret of secretOutputs(definition)) computed[secret] = { ...computed[secret], secret: true };
    const inputProperties = Object.entries(declared).map(([input, spec]) => [
        input,
        inputs[input]?.change === "createOnly" ? { ...spec, willReplaceOnChanges: true } : spec,
    ]);
    const always = Object.keys(inputs).filter((input) => inputs[input]?.required || inputs[input]?.setting);
    // `waitForReady: false` ends a create before the service has shown everything.
    const isSure = (output: string) => inputs.waitForReady === undefined || ["status", "createdOn"].includes(output);
    const sure = Object.keys(outputs).filter((output) => !outputs[output]?.optional && isSure(output));
    return {
        ...described(name),
        properties: { ...declared, ...computed },
        required: [...always, ...sure],
        inputProperties: Object.fromEntries(inputProperties),
        requiredInputs: requiredOf(inputs),
        // No list tells clips from other contents.
        ...(name !== "Clip" && { listInputs: filters(name, types) }),
    };
}

/** The filters of the engine's lists are arguments of functions. */
function filters(kind: keyof typeof listInputs, types: Types): ObjectSpec {
    const { record, ...common }: Fields = listInputs[kind];
    const own = record && propertiesOf("GetLivestreamsArgs", { record }, types);
    return { type: "object", properties: { ...propertiesOf("GetContentsArgs", common, types), ...own } };
}

const sureText: Field = { type: text, required: true };
const texts: Type = { kind: "list", of: text };

function readiness(types: Types): object {
    const ready = { contentId: sureText, status: sureText, playbackUrl: { type: text }, duration: { type: number } };
    const contents: Type = { kind: "list", of: { kind: "object", name: "ReadyContent", fields: ready } };
    const inputProperties = propertiesOf("ContentReadinessArgs", { contentIds: { type: texts } }, types);
    return {
        ...described("ContentReadiness"),
        properties: {
            ...inputProperties,
            ...propertiesOf("ContentReadiness", { contents: { type: contents } }, types),
        },
        required: ["contentIds", "contents"],
        inputProperties,
        requiredInputs: ["contentIds"],
    };
}

/** Of a content, and of what all contents of a library have. */
function library(types: Types): object {
    const { inputs, outputs } = entryDefinition;
    const byKey = (items: Spec): Spec => ({ type: "object", additionalProperties: items });
    const entry = typeRef("LibraryEntry", objectOf("ContentArgs", inputs, types), types);
    const shown = objectOf("LibraryContent", { contentId: sureText, ...outputs, status: sureText }, types);
    const input = (name: string, spec: Spec) => ({ ...spec, description: neutral(docOf("ContentLibraryArgs", name)) });
    return {
        ...described("ContentLibrary"),
        properties: {
            contents: {
                ...byKey(typeRef("LibraryContent", shown, types)),
                description: docOf("ContentLibrary", "contents"),
            },
            results: { type: "string", description: "With `catalogue`: the contents by key, as JSON text." },
        },
        inputProperties: {
            contents: input("contents", byKey(entry)),
            catalogue: input("catalogue", { type: "string" }),
            defaults: input(
                "defaults",
                typeRef("LibraryDefaults", objectOf("ContentArgs", defaultFields, types), types),
            ),
            release: input("release", { type: "array", items: { type: "string" } }),
            maxDeletes: input("maxDeletes", { type: "integer" }),
        },
    };
}

function functions(types: Types): object {
    const livestream = shownFields(livestreamDefinition);
    const { streamKey: _, ...withoutKey } = livestream;
    const sureInteger: Field = { type: { kind: "integer" }, required: true };
    const results: Record<string, Fields> = {
        ContentResult: shownFields(contentDefinition),
        LivestreamResult: livestream,
        LivestreamItem: withoutKey,
        SigningKey: {
            id: sureInteger,
            productTypeId: sureInteger,
            environmentId: sureInteger,
            signingKeyId: sureText,
            createdOn: { type: number, required: true },
            createdBy: sureText,
        },
    };
    const outputsOf = (name: string, { type, list }: { type: string; list?: string }): ObjectSpec => {
        const [description, fields] = [neutral(returnsOf(name)), results[type] ?? {}];
        if (list === undefined) return { description, ...objectOf(type, fields, types) };
        const items = typeSpec({ kind: "object", name: type, fields }, types);
        return { type: "object", properties: { [list]: { description, type: "array", items } }, required: [list] };
    };
    return Object.fromEntries(
        Object.entries(lookups).map(([name, { args, result }]) => {
            const inputs = objectOf(`${name[0]?.toUpperCase()}${name.slice(1)}Args`, args, types);
            const missing = inputs.required && ["An id that does not exist is an error."];
            const description = [neutral(docOf(name)), ...(missing ?? []), examplesOf(name)].join("\n\n");
            return [nativeTypeOf(name), { description, inputs, outputs: outputsOf(name, result) }];
        }),
    );
}

/** An object as a lookup shows it. The service may leave out properties, so only the id is certain. */
function shownFields(definition: Definition): Fields {
    const fields = Object.entries(returnedFields(definition)).map(([name, { type }]): [string, Field] => [
        name,
        // The service may have more policies than those of today.
        { type: type.kind === "list" ? texts : type },
    ]);
    return { [definition.idName]: sureText, ...Object.fromEntries(fields) };
}

/** Properties with the docstrings of an interface or a class. */
function propertiesOf(owner: string, fields: Fields, types: Types): Specs {
    const specs = Object.entries(fields).map(([name, { type }]): [string, Spec] => [
        name,
        { description: neutral(docOf(owner, name)), ...typeSpec(type, types) },
    ]);
    return Object.fromEntries(specs);
}

function objectOf(owner: string, fields: Fields, types: Types): ObjectSpec {
    const required = requiredOf(fields);
    return { type: "object", properties: propertiesOf(owner, fields, types), ...(required.length > 0 && { required }) };
}

function requiredOf(fields: Fields): string[] {
    return Object.keys(fields).filter((name) => fields[name]?.required);
}

function typeSpec(type: Type, types: Types): Spec {
    switch (type.kind) {
        case "string":
            return type === policies.of ? policyRef(types) : { type: "string" };
        case "boolean":
        case "number":
        case "integer":
            return { type: type.kind };
        case "numberOrString":
            return { oneOf: [{ type: "number" }, { type: "string" }] };
        case "list":
            return { type: "array", items: typeSpec(type.of, types) };
        case "map":
            return { type: "object", additionalProperties: { type: "string" } };
        case "object":
            return typeRef(type.name, objectOf(type.name, type.fields, types), types);
    }
}

/** Adds a type of the schema, and names it. */
function typeRef(name: string, spec: ObjectSpec, types: Types): Spec {
    const token = `${packageName}:index:${name}`;
    types[token] = { description: typeDocs[name] ?? neutral(docOf(name)), ...spec };
    return { $ref: `#/types/${token}` };
}

/** The docstrings of types whose interface is not the same in every language. */
const typeDocs: Readonly<Record<string, string>> = {
    LibraryEntry:
        "A content of a library, with the inputs of a Content. A library always waits until its contents are Ready.",
    LibraryDefaults: "Defaults for the contents of a library.",
    PlaybackPolicy: "Who may play it.",
};

/** There is one enumeration: who may play something. The docstrings of other texts name their values. */
function policyRef(types: Types): Spec {
    const docs = { public: "Anyone who has the URL.", signed: "Only with a token signed by a signing key." };
    const all = policies.of.oneOf.map((value) => ({ value, description: docs[value] }));
    return typeRef("PlaybackPolicy", { type: "string", enum: all }, types);
}

function settings(): Specs {
    const told = (name: string) => ({ type: "string", description: docOf("ProviderArgs", name) });
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
/** In words that apply to every language, without the features of dynamic resources. */
function neutral(doc: string): string {
    return doc
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .replace(/unless `importId` is given/g, "unless an existing object is imported")
        .replace(/ Properties that the service does not return are `undefined`\./, "");
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
