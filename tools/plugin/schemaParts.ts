/** What the schema says that no definition does: texts, most of them those of the classes, ContentReadiness and the lookups. */
import { packageName } from "../../provider/dist/native/tokens.js";
import { docOf, timeouts } from "../reference/pages.ts";

const readme =
    "Videos and live streams of the Videograph platform as Pulumi resources. Generated from the schema of the resource plugin `videograph`.";

export const settingDocs = {
    readme,
    provider: docOf("Provider"),
    accessTokenId: docOf("ProviderArgs", "accessTokenId"),
    secretKey: docOf("ProviderArgs", "secretKey"),
    baseUrl: docOf("ProviderArgs", "baseUrl"),
    region: docOf("ProviderArgs", "region"),
    trustNotFound:
        "Whether a 404 always means that an object was deleted, even under other credentials than it was recorded with. Environment variable: `VIDEOGRAPH_TRUST_NOT_FOUND`.",
};

const resourceDoc = (kind: string) =>
    `${docOf(kind)}\n\nThe \`customTimeouts\` resource option sets how long it may take. Defaults: ${timeouts[kind]}.`;
const importing = (kind: string, name: string, id: string) =>
    `## Import\n\n\`\`\`sh\n$ pulumi import videograph:index:${kind} ${name} <${id}>\n\`\`\`\n`;

export const resourceDocs = {
    Content: `${resourceDoc("Content")}\n\n${importing("Content", "trailer", "contentId")}`,
    Clip: `${resourceDoc("Clip")}\n\n${importing("Clip", "teaser", "contentId")}
The service does not show what a clip was cut from. Declare it, or leave it out.`,
    Livestream: `${resourceDoc("Livestream")}\n\n${importing("Livestream", "stage", "streamUUID")}`,
};

const contentIds = {
    type: "array",
    items: { type: "string" },
    description: docOf("ContentReadinessArgs", "contentIds"),
};

export const contentReadinessParts = {
    resource: {
        description: resourceDoc("ContentReadiness"),
        properties: {
            contentIds,
            contents: {
                type: "array",
                items: { $ref: `#/types/${packageName}:index:ReadyContent` },
                description: docOf("ContentReadiness", "contents"),
            },
        },
        required: ["contentIds", "contents"],
        inputProperties: { contentIds },
        requiredInputs: ["contentIds"],
    },
    types: {
        [`${packageName}:index:ReadyContent`]: objectType(
            "ReadyContent",
            { contentId: "string", status: "string", playbackUrl: "string", duration: "number" },
            ["contentId", "status"],
        ),
    },
};

/** An interface of the classes as a type of the schema. */
function objectType(name: string, fields: Readonly<Record<string, string>>, required = Object.keys(fields)) {
    const properties = Object.entries(fields).map(([key, type]) => [key, { type, description: docOf(name, key) }]);
    return {
        description: docOf(name),
        type: "object" as const,
        properties: Object.fromEntries(properties) as Record<string, { type: string; description: string }>,
        required,
    };
}

const libraryEntry = (name: string) => `${packageName}:index:Library${name}`;

export const contentLibraryParts = {
    types: {
        entry: libraryEntry("Entry"),
        defaults: libraryEntry("Defaults"),
        content: libraryEntry("Content"),
    },
    docs: {
        entry: "A content of a library: what a Content takes. A library always waits until it is Ready.",
        defaults: "Defaults for the contents of a library.",
        content: "A content as its library shows it.",
    },
    description: resourceDoc("ContentLibrary"),
};

export const lookupParts = {
    policies: { public: "Anyone who has the URL.", signed: "Only with a token signed by a signing key." } as Record<
        string,
        string
    >,
    types: {
        [`${packageName}:index:SigningKey`]: objectType("SigningKey", {
            ...{ id: "integer", productTypeId: "integer", environmentId: "integer" },
            ...{ signingKeyId: "string", createdOn: "number", createdBy: "string" },
        }),
    },
};
