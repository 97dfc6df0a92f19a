// Declares what plan.json says.
const pulumi = require("@pulumi/pulumi");
const { readFileSync } = require("node:fs");
const dynamic = require("pulumi-videograph");
const native = require("pulumi-videograph/native");

// The SDK ends a program whose resource has failed, and the others would not be declared.
process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => {});

const rawProvider = new native.Provider("raw");

/** As a generated SDK registers a resource. */
function raw(kind, name, args, opts) {
    const additionalSecretOutputs = kind === "Livestream" ? ["streamKey"] : [];
    const results = kind === "ContentLibrary" ? { contents: undefined, results: undefined } : {};
    const options = { ...opts, provider: rawProvider, additionalSecretOutputs };
    return new pulumi.CustomResource(`videograph:index:${kind}`, name, { ...results, ...args }, options);
}

function declare(face, kind, name, args, opts) {
    if (face === "raw") return raw(kind, name, args, opts);
    return new { dynamic, native }[face][kind](name, args, opts);
}

/** The dynamic class registers the entries of a library as a text: that is what a transform sees. */
function registered(face, { contents, ...rest }) {
    if (face !== "dynamic" || contents === undefined) return { ...rest, ...(contents && { contents }) };
    const catalogue = pulumi.output(contents).apply((known) =>
        Object.entries(known)
            .map(([key, entry]) => JSON.stringify({ key, ...entry }))
            .join("\n"),
    );
    return { ...rest, catalogue };
}

const text = readFileSync("plan.json", "utf8");
const { source } = JSON.parse(text);
const film = new dynamic.Content("film", source);
const { rows, got, lookups } = JSON.parse(text, (_, value) => {
    if (value === "$film") return film.id;
    return value !== null && typeof value === "object" && "$secret" in value ? pulumi.secret(value.$secret) : value;
});

for (const { face, kind, name, args, by, plain, import: id } of rows) {
    const set = ({ props, opts }) => ({ props: { ...props, ...registered(face, args) }, opts });
    const opts = { ...(id && { import: id }), ...(by && { [by]: [set] }) };
    const resource = declare(face, kind, name, plain ?? args, opts);
    // A library has no outputs of its inputs.
    const outputs = kind === "ContentLibrary" ? ["contents"] : Object.keys(args);
    for (const output of outputs) module.exports[`${name} ${output}`] = resource[output];
}

for (const [kind, id] of Object.entries(got)) {
    for (const face of [dynamic, native])
        module.exports[`${face === native} ${kind}`] = face[kind].get(`got ${kind} ${face === native}`, id).title;
    const outputs = { title: undefined, streamKey: undefined };
    module.exports[`raw ${kind}`] = raw(kind, `got ${kind} raw`, outputs, { id }).title;
}

const all = module.exports;
module.exports = async () => {
    for (const [name, args] of lookups) {
        for (const [face, look] of [
            ["dynamic", () => dynamic[name](args)],
            ["native", () => native[name](args)],
            ["raw", () => pulumi.runtime.invoke(`videograph:index:${name}`, args, { provider: rawProvider })],
        ])
            await look().then(
                () => console.log(`${face} ${name} has found something`),
                (error) => console.log(`${face} ${name} says: ${error.message}`),
            );
    }
    return all;
};
