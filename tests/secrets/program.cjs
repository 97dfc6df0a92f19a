// Declares what plan.json says: a resource for each row, with secrets where the row wants them.
const pulumi = require("@pulumi/pulumi");
const { face, source, rows, got, lookups } = require("./plan.json");
const videograph = require(face === "dynamic" ? "pulumi-videograph" : "pulumi-videograph/native");

// The SDK ends a program whose resource has failed, and the others would not be declared.
process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => {});

const provider = face === "raw" ? new videograph.Provider("raw") : undefined;

/** As a generated SDK registers a resource. */
function raw(kind, name, args, opts) {
    const additionalSecretOutputs = kind === "Livestream" ? ["streamKey"] : [];
    const results = kind === "ContentLibrary" ? { contents: undefined, results: undefined } : {};
    const props = { ...results, ...args };
    return new pulumi.CustomResource(`videograph:index:${kind}`, name, props, {
        ...opts,
        provider,
        additionalSecretOutputs,
    });
}

function declare(kind, name, args, opts) {
    return face === "raw" ? raw(kind, name, args, opts) : new videograph[kind](name, args, opts);
}

function inner(value) {
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
    return typeof value === "string" ? pulumi.secret(value) : value;
}

/** `how`: "whole" or "inner", for the inputs of an object. */
function hidden(args, how) {
    const hide = how === "inner" ? inner : pulumi.secret;
    return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, hide(value)]));
}

/** The arguments with their secrets, wherever the row has the object's inputs. */
function withSecrets({ args, place, how }) {
    if (how === undefined) return args;
    if (place === "entry") return { ...args, contents: { one: hidden(args.contents.one, how) } };
    if (place === "defaults") return { ...args, defaults: hidden(args.defaults, how) };
    return hidden(args, how);
}

/** The dynamic class registers the map of a library as a text: that is what a transform sees. */
function registered(args) {
    const { contents, ...rest } = args;
    if (face !== "dynamic" || contents === undefined) return args;
    const text = pulumi.output(contents).apply((known) =>
        Object.entries(known)
            .map(([key, entry]) => JSON.stringify({ key, ...entry }))
            .join("\n"),
    );
    return { ...rest, catalogue: text };
}

const film = source && declare("Content", "source", source);
for (const row of rows) {
    const { kind, name, by, plain } = row;
    const args = withSecrets(row);
    if ("contentId" in args && kind === "Clip") args.contentId = film.id;
    const opts = { ...(row.import && { import: row.import }) };
    if (by === "transforms")
        opts.transforms = [({ props, opts }) => ({ props: { ...props, ...registered(args) }, opts })];
    if (by === "transformations")
        opts.transformations = [({ props, opts }) => ({ props: { ...props, ...registered(args) }, opts })];
    if (plain && "contentId" in plain) plain.contentId = film.id;
    const resource = declare(kind, name, by === undefined ? args : plain, opts);
    // A library has no outputs of its inputs.
    const outputs = kind === "ContentLibrary" ? ["contents"] : Object.keys(args);
    for (const output of outputs) module.exports[`${name} ${output}`] = resource[output];
}

for (const [kind, id] of Object.entries(got ?? {})) {
    const opts = { provider };
    const one =
        face === "raw"
            ? raw(kind, `got ${kind}`, { title: undefined, streamKey: undefined }, { id })
            : videograph[kind].get(`got ${kind}`, id, opts);
    module.exports[`got ${kind}`] = one.title;
}

if (lookups !== undefined)
    module.exports = async () => {
        for (const [name, args] of lookups) {
            await videograph[name](args).then(
                () => console.log(`${name} has found something`),
                (error) => console.log(`${name} says: ${error.message}`),
            );
        }
    };
