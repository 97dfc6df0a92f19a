/** A dynamic provider as the Pulumi documentation shows how to write one: closures, fetch, a fixed pause. */
const pulumi = require("@pulumi/pulumi");
const { declareAll } = require("./videos.js");

async function call(method, path, body) {
    const { VIDEOGRAPH_BASE_URL, VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY } = process.env;
    const credentials = Buffer.from(`${VIDEOGRAPH_ACCESS_TOKEN_ID}:${VIDEOGRAPH_SECRET_KEY}`).toString("base64");
    const response = await fetch(`${VIDEOGRAPH_BASE_URL}/video/services/api/v1${path}`, {
        method,
        headers: { Authorization: `Basic ${credentials}`, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}`);
    return (await response.json()).data;
}

const provider = {
    async create(inputs) {
        const { contentId } = await call("POST", "/contents", {
            title: inputs.title,
            content: inputs.content,
            playback_policy: inputs.playbackPolicy,
            description: inputs.description,
            tags: inputs.tags,
            metadata: Object.entries(inputs.metadata).map(([key, value]) => ({ key, value })),
        });
        for (;;) {
            const { status, playbackUrl } = await call("GET", `/contents/${contentId}`);
            if (status === "Ready") return { id: contentId, outs: { ...inputs, status, playbackUrl } };
            if (status === "Failed") throw new Error(`Content ${contentId} failed`);
            await new Promise((resolve) => setTimeout(resolve, 5000));
        }
    },
    async read(id, props) {
        const { status, playbackUrl } = await call("GET", `/contents/${id}`);
        return { id, props: { ...props, status, playbackUrl } };
    },
    async delete(id) {
        await call("DELETE", `/contents/${id}`);
    },
};

class Video extends pulumi.dynamic.Resource {
    constructor(name, args) {
        super(provider, name, { ...args, status: undefined, playbackUrl: undefined });
    }
}

declareAll((name, args) => new Video(name, args));
