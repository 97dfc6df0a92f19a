/** The package's schema, which Pulumi's generators and `pulumi package` read, from the resources' definitions and the classes' docstrings. */
import type { Definition, Field, Type } from "../../provider/dist/inputs/definition.js";
import { type LookupName, listInputs, lookups } from "../../provider/dist/lookups/definitions.js";
import { lookupToken, nativeTypeOf, packageName } from "../../provider/dist/native/tokens.js";
import { clipDefinition } from "../../provider/dist/resources/clip/definition.js";
import { contentDefinition } from "../../provider/dist/resources/content/definition.js";
import { entryDefinition, libraryDocs } from "../../provider/dist/resources/contentLibrary/definition.js";
import { livestreamDefinition } from "../../provider/dist/resources/livestream/definition.js";
import { downloadUrl } from "../../provider/dist/session/pluginSource.js";
import { type ResourceKind, typeOf } from "../../provider/dist/typeTokens.js";
import { lookedUp, resultDocs } from "../generate/lookups.ts";
import { examplesOf } from "./examples.ts";
import { contentLibraryParts, contentReadinessParts, lookupParts, resourceDocs, settingDocs } from "./schemaParts.ts";

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
    enum?: { value: string }[];
}

export interface Release {
    version: string;
    /** The URL of the repository whose releases hold the plugin. */
    repository: string;
}

/** The schema of one version. */
export function packageSchema({ version, repository }: Release): object {
    const types: Record<string, ObjectSpec> = {};
    const page = repository.replace(/^git\+/, "").replace(/\.git$/, "");
    const goPackage = goPackageOf(page);
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
            description: neutral(settingDocs.provider),
            type: "object",
            properties: settings(),
            inputProperties: settings(),
        },
        resources: {
            [nativeTypeOf("Content")]: resource(contentDefinition, types, goPackage),
            [nativeTypeOf("Clip")]: resource(clipDefinition, types, goPackage),
            [nativeTypeOf("Livestream")]: resource(livestreamDefinition, types, goPackage),
            [nativeTypeOf("ContentReadiness")]: {
                ...contentReadinessParts.resource,
                description: shown(contentReadinessParts.resource.description, "ContentReadiness", goPackage),
                ...aliased("ContentReadiness"),
            },
            [nativeTypeOf("ContentLibrary")]: library(types, goPackage),
        },
        functions: functions(types, goPackage),
        types: { ...types, ...contentReadinessParts.types, ...lookupParts.types },
        language: languages(page),
    };
}

/** A description with its example. How an object is imported comes last. */
function shown(description: string, name: string, goPackage: string): string {
    const [text = "", imports] = neutral(description).split("\n\n## Import");
    return [text, examplesOf(name, goPackage), ...(imports === undefined ? [] : [`## Import${imports}`])].join("\n\n");
}

function resource(definition: Definition, types: Record<string, ObjectSpec>, goPackage: string): object {
    const { importId: _, ...inputs } = definition.inputs;
    const properties: Record<string, Spec> = {};
    const inputProperties: Record<string, Spec> = {};
    for (const [name, input] of Object.entries(inputs)) {
        const spec = { ...property(input, types), ...inCsharp(name) };
        properties[name] = spec;
        inputProperties[name] = input.change === "createOnly" ? { ...spec, willReplaceOnChanges: true } : spec;
    }
    for (const [name, output] of Object.entries(definition.outputs)) {
        properties[name] = { ...property(output, types), ...(output.secret && { secret: true }) };
    }
    const always = Object.entries(inputs).filter(([, { required, setting }]) => required || setting);
    // `waitForReady: false` ends a create before the service has shown everything.
    const isSure = (name: string) => inputs.waitForReady === undefined || ["status", "createdOn"].includes(name);
    const computed = Object.entries(definition.outputs).filter(([name, { optional }]) => !optional && isSure(name));
    return {
        description: shown(resourceDocs[definition.name], definition.name, goPackage),
        properties,
        required: [...always, ...computed].map(([name]) => name),
        inputProperties,
        requiredInputs: Object.keys(inputs).filter((name) => inputs[name]?.required),
        // No list tells clips from other contents.
        ...(definition.name !== "Clip" && { listInputs: argumentsOf(listInputs[definition.name], types) }),
        ...aliased(definition.name),
    };
}

/** Of a content, and of what all contents of a library have. */
function library(types: Record<string, ObjectSpec>, goPackage: string): object {
    const { types: tokens, docs, description } = contentLibraryParts;
    const fields = (of: Readonly<Record<string, Field>>) =>
        Object.fromEntries(Object.entries(of).map(([name, field]) => [name, property(field, types)]));
    const { title: _, content: __, importId: ___, ...defaults } = entryDefinition.inputs;
    const contentId = { type: "string", description: "The content's id." };
    const outputs = { contentId, ...fields(entryDefinition.outputs) };
    types[tokens.entry] = {
        description: docs.entry,
        type: "object",
        properties: fields(entryDefinition.inputs),
        required: ["title"],
    };
    types[tokens.defaults] = { description: docs.defaults, type: "object", properties: fields(defaults) };
    types[tokens.content] = {
        description: docs.content,
        type: "object",
        properties: outputs,
        required: ["contentId", "status"],
    };
    const byKey = (token: string, doc: string): Spec => ({
        ...{ type: "object", additionalProperties: { $ref: `#/types/${token}` } },
        description: neutral(doc),
    });
    return {
        description: shown(description, "ContentLibrary", goPackage),
        properties: {
            contents: byKey(tokens.content, libraryDocs.contentsOut),
            results: { type: "string", description: libraryDocs.results },
        },
        inputProperties: {
            contents: byKey(tokens.entry, libraryDocs.contents),
            catalogue: { type: "string", description: libraryDocs.catalogue },
            defaults: { $ref: `#/types/${tokens.defaults}`, description: libraryDocs.defaults },
            maxDeletes: { type: "integer", description: libraryDocs.maxDeletes },
        },
        ...aliased("ContentLibrary"),
    };
}

/** Without it, stacks of dynamic resources would create everything again. It can never be changed. */
function aliased(kind: ResourceKind): object {
    return { aliases: [{ type: typeOf(kind) }] };
}

function property({ doc, type }: Field, types: Record<string, ObjectSpec>): Spec {
    return { description: neutral(doc), ...typeSpec(type, types) };
}

/** C# refuses a member with the name of its class. */
const csharpNames: Readonly<Record<string, string>> = { content: "Sources" };

function inCsharp(name: string): Spec {
    const other = csharpNames[name];
    return other === undefined ? {} : { language: { csharp: { name: other } } };
}

function typeSpec(type: Type, types: Record<string, ObjectSpec>): Spec {
    switch (type.kind) {
        case "string":
            return type.oneOf === undefined ? { type: "string" } : enumSpec(type.oneOf, types);
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
            return objectSpec(type, types);
    }
}

function objectSpec({ name, doc, fields }: Extract<Type, { kind: "object" }>, types: Record<string, ObjectSpec>): Spec {
    const token = typeToken(name);
    types[token] = {
        description: neutral(doc),
        type: "object",
        properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, property(field, types)])),
        required: Object.keys(fields).filter((key) => fields[key]?.required),
    };
    return { $ref: `#/types/${token}` };
}

/** There is one enumeration: who may play something. */
function enumSpec(values: readonly string[], types: Record<string, ObjectSpec>): Spec {
    const token = typeToken("PlaybackPolicy");
    types[token] = {
        description: "Who may play it.",
        type: "string",
        enum: values.map((value) => ({ value, description: lookupParts.policies[value] })),
    } as ObjectSpec;
    return { $ref: `#/types/${token}` };
}

function functions(types: Record<string, ObjectSpec>, goPackage: string): object {
    const content = resultOf(contentDefinition, types);
    const livestream = resultOf(livestreamDefinition, types);
    const { streamKey: _, ...withoutKey } = livestream.properties ?? {};
    types[typeToken("ContentResult")] = { description: resultDocs.ContentResult, ...content };
    types[typeToken("LivestreamItem")] = {
        description: resultDocs.LivestreamItem,
        ...livestream,
        properties: withoutKey,
    };
    return Object.fromEntries(
        Object.entries(lookups).map(([name, { doc, args, result }]) => {
            const single = result.type === "ContentResult" ? content : livestream;
            const outputs = result.list === undefined ? { description: result.doc, ...single } : listOf(result);
            const inputs = argumentsOf(args, types);
            const missing = inputs.required === undefined ? "" : "\n\nAn id that does not exist is an error.";
            const description = shown(neutral(doc) + missing, name, goPackage);
            return [lookupToken(name as LookupName), { description, inputs, outputs }];
        }),
    );
}

function argumentsOf(args: Readonly<Record<string, Field>>, types: Record<string, ObjectSpec>): ObjectSpec {
    const required = Object.keys(args).filter((name) => args[name]?.required);
    return {
        type: "object",
        properties: Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, property(arg, types)])),
        ...(required.length > 0 && { required }),
    };
}

function listOf({ list = "", type, doc }: { list?: string; type: string; doc: string }): ObjectSpec {
    const items = { $ref: `#/types/${typeToken(type)}` };
    return { type: "object", properties: { [list]: { type: "array", items, description: doc } }, required: [list] };
}

function typeToken(name: string): string {
    return `${packageName}:index:${name}`;
}

/** An object as a lookup shows it. What the service leaves out is missing, so nothing but the id is certain. */
function resultOf(definition: Definition, types: Record<string, ObjectSpec>): ObjectSpec {
    const { idName, name } = definition;
    return {
        type: "object",
        properties: {
            [idName]: { type: "string", description: `The ${name.toLowerCase()}'s id.` },
            ...Object.fromEntries(
                lookedUp(definition).map(([key, field]) => [
                    key,
                    { ...property(field, types), ...plainPolicy(field.type) },
                ]),
            ),
        },
        required: [idName],
    };
}

/** A lookup shows whatever the service has, which may be more than the policies of today. */
function plainPolicy(type: Type): Spec {
    const isPolicies = type.kind === "list" && type.of.kind === "string" && type.of.oneOf !== undefined;
    return isPolicies ? { type: "array", items: { type: "string" } } : {};
}

function settings(): Record<string, Spec> {
    return {
        accessTokenId: { type: "string", description: settingDocs.accessTokenId },
        secretKey: { type: "string", description: settingDocs.secretKey, secret: true },
        baseUrl: { type: "string", description: settingDocs.baseUrl },
        region: { type: "string", description: settingDocs.region },
        trustNotFound: { type: "boolean", description: settingDocs.trustNotFound },
    };
}

/** In words that apply to every language, without the features of dynamic resources. */
function neutral(doc: string): string {
    return doc
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .replace(/unless `importId` is given/g, "unless an existing object is imported");
}

/** The import path of Go's SDK. */
function goPackageOf(page: string): string {
    return `${page.replace("https://", "")}/sdk/go/videograph`;
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
            readme: settingDocs.readme,
            requires: { pulumi: ">=3.142.0,<4.0.0" },
            respectSchemaVersion: true,
        },
        go: {
            importBasePath: goPackageOf(page),
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
