/** What the schema says that no definition does: texts, ContentReadiness and the lookups. */
import type { Definition } from "../../provider/dist/inputs/definition.js";
import { packageName } from "../../provider/dist/native/tokens.js";
import { clipDefinition } from "../../provider/dist/resources/clip/definition.js";
import { contentDefinition } from "../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../provider/dist/resources/livestream/definition.js";

const wins = "A provider's own argument wins over the environment variable, which wins over the stack configuration.";

export const settingDocs = {
    readme: "Videos and live streams of the Videograph platform as Pulumi resources. Generated from the schema of the resource plugin `videograph`.",
    provider:
        "One environment of the Videograph platform. A program that uses a single environment needs no provider of its own: the stack configuration or the environment variables configure the default one.",
    accessTokenId: `The access token id. A token belongs to exactly one environment of the service. Environment variable: \`VIDEOGRAPH_ACCESS_TOKEN_ID\`. ${wins}`,
    secretKey:
        "The secret key of the access token; always kept as a secret. Environment variable: `VIDEOGRAPH_SECRET_KEY`.",
    baseUrl:
        "The base URL. Default: `https://api.videograph.ai`. `http:` is refused unless the host is this machine. Environment variable: `VIDEOGRAPH_BASE_URL`.",
    region: "The default for the region of a Livestream. Environment variable: `VIDEOGRAPH_REGION`.",
    trustNotFound:
        "Whether a 404 always means that an object was deleted, even under other credentials than it was recorded with. Environment variable: `VIDEOGRAPH_TRUST_NOT_FOUND`.",
};

/** The inputs that are changed in place, for a sentence. */
function inPlace({ inputs }: Definition): string {
    const names = Object.keys(inputs).filter((name) => inputs[name]?.change === "inPlace");
    return `${names
        .slice(0, -1)
        .map((name) => `\`${name}\``)
        .join(", ")} and \`${names.at(-1)}\``;
}

export const resourceDocs = {
    Content: [
        "An on-demand video, made by the service from the URL of a source. `pulumi up` ends when it is Ready, and fails with the service's reason when it has Failed.",
        `${inPlace(contentDefinition)} are changed in place, all of them with one request; a subtitle that is added or changed, and a changed \`thumbnail\`, with one request each. Any other changed property that was sent to the service replaces the content: the new one is created, then the old one is deleted. Inputs you do not set are not managed.`,
        "The `customTimeouts` resource option sets how long creating (60 minutes by default), updating (60 minutes) and deleting (5 minutes) may take. A create that takes longer keeps the content, and the next `pulumi up` goes on waiting. A content that has Failed stays in the state; the next `pulumi up` replaces it.",
        "## Import",
        "```sh\n$ pulumi import videograph:index:Content trailer <contentId>\n```\n",
    ].join("\n\n"),
    Clip: [
        "A part of a content, from one second to another: a content of its own. The create waits until the content that it is cut from is Ready, then until the clip is. It creates nothing when that content has Failed, was deleted or is too short.",
        `${inPlace(clipDefinition)} are changed in place, all of them with one request. Another content or other times replace the clip. Inputs you do not set are not managed.`,
        "The `customTimeouts` resource option sets how long creating, with both waits (60 minutes by default), updating (60 minutes) and deleting (5 minutes) may take.",
        "## Import",
        "The service does not show what a clip was cut from. Declare it, or leave it out.\n\n```sh\n$ pulumi import videograph:index:Clip teaser <contentId>\n```\n",
    ].join("\n\n"),
    Livestream: [
        "A live stream: an address and a key for an encoder, and a playlist for viewers.",
        `${inPlace(livestreamDefinition)} are changed in place, all of them with one request. Any other changed property replaces the livestream, which then has another stream key. Its \`status\` moves with the broadcast and never causes an update.`,
        "The service goes on deleting after it has answered. A delete is followed until the livestream is really gone, for `customTimeouts.delete` (60 seconds by default) at most.",
        "## Import",
        "```sh\n$ pulumi import videograph:index:Livestream stage <streamUUID>\n```\n",
    ].join("\n\n"),
};

const contentIds = {
    type: "array",
    items: { type: "string" },
    description:
        "The ids of the contents to wait for. Contents of any stack of the environment will do. Changed in place: new ones are waited for.",
};

export const contentReadinessParts = {
    resource: {
        description:
            "One wait for many contents. Pulumi creates only a few resources at a time (four for each core of the machine), and a create that waits holds a place: declare the contents of a big library with `waitForReady: false`, and one ContentReadiness that waits for all of them together.\n\nIt fails with the list of the contents that have Failed. The `customTimeouts` for create and update (60 minutes by default) bound the wait; the next `pulumi up` goes on with it. Deleting and refreshing it send nothing to the service.",
        properties: {
            contentIds,
            contents: {
                type: "array",
                items: { $ref: `#/types/${packageName}:index:ReadyContent` },
                description: "The contents that were waited for, in the order of `contentIds`.",
            },
        },
        required: ["contentIds", "contents"],
        inputProperties: { contentIds },
        requiredInputs: ["contentIds"],
    },
    types: {
        [`${packageName}:index:ReadyContent`]: {
            description: "A content that was waited for.",
            type: "object" as const,
            properties: {
                contentId: { type: "string", description: "The content's id." },
                status: {
                    type: "string",
                    description: "`Ready`; after a wait that failed also another one, or `unknown`.",
                },
                playbackUrl: { type: "string", description: "The URL of the HLS playlist." },
                duration: { type: "number", description: "The playing time in milliseconds." },
            },
            required: ["contentId", "status"],
        },
    },
};

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
    description:
        "A library of contents as one resource, for hundreds and thousands of them: the engine writes its whole state at every step of every resource, so that a thousand resources take a minute however fast they are made. Each content of a library is created, changed, waited for and deleted exactly as a Content is.\n\nThe preview says on the row of the library which contents are created, updated, replaced and deleted. An update that would delete or replace more than `maxDeletes` of them is refused, and so is one that would empty the library.\n\nIf a content fails, all others go on, and the update fails at its end with the keys and their reasons. What was done is recorded; the next `pulumi up` continues with the rest. The `customTimeouts` for create and update (60 minutes by default) bound the whole operation, and the one for delete (5 minutes) each deletion.",
};

const signingKey = `${packageName}:index:SigningKey`;

export const lookupParts = {
    policies: { public: "Anyone who has the URL.", signed: "Only with a token signed by a signing key." } as Record<
        string,
        string
    >,
    types: {
        [signingKey]: {
            description: "A signing key, without its private part.",
            type: "object" as const,
            properties: {
                id: { type: "integer", description: "The key's number." },
                productTypeId: { type: "integer", description: "The purpose of the key: 1 Video, 2 Data, 3 System." },
                environmentId: { type: "integer", description: "The number of its environment." },
                signingKeyId: {
                    type: "string",
                    description: "The public identifier that signed playback tokens name.",
                },
                createdOn: {
                    type: "number",
                    description: "When it was created, in milliseconds since the Unix epoch.",
                },
                createdBy: { type: "string", description: "Who created it: an e-mail address." },
            },
            required: ["id", "productTypeId", "environmentId", "signingKeyId", "createdOn", "createdBy"],
        },
    } as Record<string, object>,
};
