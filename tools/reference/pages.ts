/**
 * The pages of docs/reference/, one for each resource and each function, in the order of a reader's questions: what is it, what do I
 * write, what do I get. From the docstrings and types of what programs import.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { type Definition, returnedFields } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";

export const repository = join(import.meta.dirname, "..", "..");
const generated = "<!-- Written by `npm run docs` from the docstrings in provider/src. -->";
/** Of `customTimeouts`. */
export const timeouts: Readonly<Record<string, string>> = {
    Content: "60 minutes for create and update, 5 minutes for delete",
    Clip: "60 minutes for create, with the wait for its source, and update, 5 minutes for delete",
    Livestream: "60 minutes for create and update, 60 seconds for delete",
    ContentReadiness: "60 minutes for create and update",
    ContentLibrary: "60 minutes for create and update",
};

type Member = ts.PropertySignature | ts.PropertyDeclaration;
type Resource = ts.ClassDeclaration | ts.InterfaceDeclaration;
type Declaration = Resource | ts.VariableStatement;

const exported = ["program/*.ts", "api/signingKey.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: join(repository, "provider", "src") }))
    .sort()
    .map((file) => join(repository, "provider", "src", file))
    .flatMap((file) => {
        const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true);
        return source.statements.filter(isExported);
    });
/** Classes that are constants, by name: `ResourceClass`, or one that extends it with `get`. An interface of the same name has the docstrings. */
const classes = new Map(
    exported
        .filter(ts.isVariableStatement)
        .map((one) => [nameOf(one), /^\w+Class/.exec(constant(one)?.type?.getText() ?? "")?.[0]] as const)
        .filter(([, kind]) => kind !== undefined),
);
const declarations = new Map(
    exported
        .filter((one) => !ts.isVariableStatement(one) || !classes.has(nameOf(one)))
        .map((one) => [nameOf(one), one] as const),
);
const resources = [...declarations.values()].filter(isResource);
const functions = [...declarations.values()].filter(
    (one): one is ts.VariableStatement => ts.isVariableStatement(one) && isLookup(one),
);

/** Text by file name, without the index. */
export function pages(): ReadonlyMap<string, string> {
    return new Map([
        ...resources.map((one) => [fileOf(nameOf(one)), resourcePage(one)] as const),
        ...functions.map((one) => [fileOf(nameOf(one)), functionPage(one)] as const),
    ]);
}

function resourcePage(resource: Resource): string {
    const name = nameOf(resource);
    const inputs = membersOf(declared(`${name}Args`));
    const inputNames = new Set(inputs.map(memberName));
    const isProvider = name === "Provider";
    // An output with the name of an input says what it is.
    const outputs = membersOf(resource).filter((one) => !inputNames.has(memberName(one)) || prose(one) !== "");
    const objectClass = declared("ObjectClass");
    const [getter] = ts.isInterfaceDeclaration(objectClass) ? objectClass.members : [];
    const options = isProvider ? "pulumi.ResourceOptions" : "pulumi.CustomResourceOptions";
    const outputsIntroduction = "All inputs are outputs too, and so is `id`. Besides them:";
    const getForm = `\`videograph.${name}.get(name: string, id: string, opts?: ${options}): ${name}\``;
    const types = supportingTypes(isProvider ? inputs : [...inputs, ...outputs]);
    return page([
        `# ${name}`,
        prose(resource),
        ...sections("## Examples", tagged(resource, "example")),
        "## Constructor",
        `\`new videograph.${name}(name: string, args${isProvider ? "?" : ""}: ${name}Args, opts?: ${options})\``,
        "## Inputs",
        "Each may be given as a plain value or as an Output.",
        table("Input", inputs),
        ...(isProvider ? [] : ["## Outputs", outputsIntroduction, table("Output", outputs)]),
        ...(classes.has(name) && classes.get(name) !== "ResourceClass" && getter
            ? [`## ${name}.get`, getForm, prose(getter)]
            : []),
        ...(isProvider ? [] : inPulumi(name)),
        ...sections("## Supporting types", types),
    ]);
}

function functionPage(lookup: ts.VariableStatement): string {
    const name = nameOf(lookup);
    const call = constant(lookup)?.initializer;
    const [args, result] = call && ts.isCallExpression(call) ? (call.typeArguments ?? []) : [];
    if (args === undefined || result === undefined) throw new Error(`${name} has no types of arguments and result.`);
    const inputs = membersOf(declared(args.getText()));
    const optional = inputs.every(isOptional) ? "?" : "";
    const [returns = ""] = tagged(lookup, "returns");
    return page([
        `# ${name}`,
        prose(lookup),
        "## Two forms",
        `\`videograph.${name}(args${optional}, opts?)\` accepts plain values and returns a Promise.`,
        `\`videograph.${name}Output(args${optional}, opts?)\` is the Output form. ${prose(declared(`${name}Output`))}`,
        "## Arguments",
        table("Argument", inputs),
        "As the second argument, options:",
        table("Option", membersOf(declared("LookupOptions"))),
        "## Result",
        `${shown(result)}: ${returns.charAt(0).toLowerCase()}${returns.slice(1)}`,
        ...supportingTypes([result]),
        "## Errors",
        ...tagged(lookup, "throws"),
    ]);
}

/** What the engine and the CLI call a resource, and how long it may take. */
function inPulumi(name: string): string[] {
    const token = `The type token is \`pulumi-nodejs:dynamic/videograph:${name}\``;
    const native = `with the [native types](../installation.md#dynamic-or-native-types) \`videograph:index:${name}\``;
    const options = `Defaults of [\`customTimeouts\`](../guides/waiting-and-failures.md#how-long): ${timeouts[name]}.`;
    return ["## In Pulumi", `${token}; ${native}.`, options];
}

/** A heading and a table for each interface in these nodes, and for those that they name in turn. */
function supportingTypes(nodes: readonly ts.Node[]): string[] {
    const found = new Set<ts.InterfaceDeclaration>();
    const visit = (node: ts.Node): void => {
        const named = ts.isTypeReferenceNode(node) ? declarations.get(node.typeName.getText()) : undefined;
        if (named !== undefined && ts.isInterfaceDeclaration(named) && !isResource(named) && !found.has(named)) {
            found.add(named);
            membersOf(named).forEach(visit);
        }
        ts.forEachChild(node, visit);
    };
    nodes.forEach(visit);
    return [...found].flatMap((one) => [`### ${nameOf(one)}`, prose(one), table("Property", membersOf(one))]);
}

function table(heading: string, members: readonly Member[]): string {
    const rows = members.map((one) => {
        const isRequired = heading !== "Output" && heading !== "Property" && !isOptional(one);
        return `| \`${memberName(one)}\`${isRequired ? " (required)" : ""} | ${cell(shown(one.type))} | ${cell(prose(one))} |`;
    });
    return [`| ${heading} | Type | |`, "| --- | --- | --- |", ...rows].join("\n");
}

/** A type as inline Markdown: interfaces are links to headings of the same page, resources to their pages. */
function shown(type: ts.TypeNode | undefined): string {
    const text = unwrapped(type);
    const linked = text.replace(/\b[A-Z]\w+\b/g, (name) => {
        const one = declarations.get(name);
        if (one === undefined) return name;
        return `[${name}](${isResource(one) ? fileOf(name) : `#${name.toLowerCase()}`})`;
    });
    return linked === text ? `\`${text}\`` : linked;
}

/** The type of a value without Pulumi's wrapper, and without `undefined`, which is the same as leaving the value out. */
function unwrapped(type: ts.TypeNode | undefined): string {
    const innermost = /\b(?:Input|Output|Unwrap)<((?:[^<>]|<[^<>]*>)*)>(\[\])?/;
    let text = (type?.getText() ?? "unknown").replaceAll("pulumi.", "");
    while (innermost.test(text))
        text = text.replace(innermost, (_, inner: string, list = "") =>
            list !== "" && inner.includes(" | ") ? `(${inner})[]` : inner + list,
        );
    return text.replaceAll(" | undefined", "").replaceAll("; }", " }");
}

/** The properties that a reader sees, those of what it extends last. */
function membersOf(one: Declaration): Member[] {
    if (ts.isVariableStatement(one)) return [];
    const inherited = ts.isInterfaceDeclaration(one) ? (one.heritageClauses ?? []).flatMap(({ types }) => types) : [];
    const own = [...one.members].filter(
        (member): member is Member =>
            (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) &&
            ts.getJSDocTags(member).every(({ tagName }) => tagName.text !== "internal"),
    );
    const names = new Set(own.map(memberName));
    return [...own, ...inherited.flatMap(inheritedMembers).filter((one) => !names.has(memberName(one)))];
}

/** `extends Base`, `extends Partial<Base>`, `extends Omit<Base, "name">` or `extends ReturnedInputs<Base, "name">`. Those of the SDK's class and the inputs among the outputs are not said again. */
function inheritedMembers({ expression, typeArguments }: ts.ExpressionWithTypeArguments): Member[] {
    const [base = expression, omitted] = typeArguments ?? [];
    const definition = expression.getText() === "ReturnedInputs" ? definitions[base.getText()] : undefined;
    if (definition !== undefined) return shownInputs(declared(base.getText()), definition);
    const isInputs = expression.getText() === "Outputs" && /(Args|Inputs)$/.test(base.getText());
    if (isInputs || base.getText() === "pulumi.CustomResource") return [];
    return membersOf(declared(base.getText())).filter((one) => `"${memberName(one)}"` !== omitted?.getText());
}

const definitions: Readonly<Record<string, Definition>> = {
    ContentInputs: contentDefinition,
    LivestreamArgs: livestreamDefinition,
};

/** Inputs as a function returns them: without the sentences about how they are changed, and with any text. */
function shownInputs(args: Declaration, definition: Definition): Member[] {
    const returned = returnedFields(definition);
    const members = membersOf(args).filter((one) => memberName(one) in returned);
    const lines = members.map((one) => {
        const type = unwrapped(one.type).replace(/\(?"\w+"(?: \| "\w+")*\)?/g, "string");
        return `/** ${firstSentence(docstring(one))} */ ${memberName(one)}: ${type};`;
    });
    const text = `interface Shown {\n${lines.join("\n")}\n}`;
    const [shown] = ts.createSourceFile("shown.ts", text, ts.ScriptTarget.ES2023, true).statements;
    return shown !== undefined && ts.isInterfaceDeclaration(shown) ? shown.members.filter(ts.isPropertySignature) : [];
}

function declared(name: string): Declaration {
    // `ContentArgs` is made of `ContentInputs`, which has the docstrings.
    const found = declarations.get(name) ?? declarations.get(name.replace(/Args$/, "Inputs"));
    if (found === undefined) throw new Error(`provider/src/program/ does not export ${name}.`);
    return found;
}

function isExported(statement: ts.Statement): statement is Declaration {
    return (
        (ts.isClassDeclaration(statement) ||
            ts.isInterfaceDeclaration(statement) ||
            ts.isVariableStatement(statement)) &&
        (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    );
}

function constant({ declarationList }: ts.VariableStatement): ts.VariableDeclaration | undefined {
    return declarationList.declarations[0];
}

function isResource(one: Declaration): one is Resource {
    return ts.isClassDeclaration(one) || (ts.isInterfaceDeclaration(one) && classes.has(nameOf(one)));
}

function isLookup(one: ts.VariableStatement): boolean {
    const call = constant(one)?.initializer;
    return call !== undefined && ts.isCallExpression(call) && call.expression.getText() === "lookup";
}

function nameOf(one: Declaration): string {
    const named = ts.isVariableStatement(one) ? constant(one) : one;
    return named?.name?.getText() ?? "";
}

function memberName(one: Member): string {
    return one.name.getText();
}

function isOptional(one: Member): boolean {
    return ts.isPropertySignature(one) && one.questionToken !== undefined;
}

function fileOf(name: string): string {
    return `${name.charAt(0).toLowerCase()}${name.slice(1)}.md`;
}

/** The docstring of a class, an interface or a member, without its program, each paragraph as one line. */
export function docOf(name: string, member?: string): string {
    const one = declared(name);
    const node = member === undefined ? one : membersOf(one).find((each) => memberName(each) === member);
    if (node === undefined) throw new Error(`${name} has no ${member}.`);
    return docstring(node)
        .replace(/```[\s\S]*?```(\n\n|$)/g, "")
        .trim()
        .replace(/(?<!\n)\n(?!\n)/g, " ");
}

/** What a function returns. */
export function returnsOf(name: string): string {
    const tag = ts.getJSDocTags(declared(name)).find(({ tagName }) => tagName.text === "returns");
    return (ts.getTextOfJSDocComment(tag?.comment) ?? "").replace(/\s*\n\s*/g, " ");
}

function prose(node: ts.Node): string {
    return linked(docstring(node));
}

function docstring(node: ts.Node): string {
    return ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)?.comment) ?? "";
}

function tagged(node: ts.Node, tag: string): string[] {
    const tags = ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === tag);
    return tags.map(({ comment }) => linked(ts.getTextOfJSDocComment(comment)));
}

/** `Content` leads to a page and `Content.get` to its heading; a name without a page is not linked. */
function linked(text = ""): string {
    return text.trim().replace(/\{@link ([\w.]+)\}/g, (_, name: string) => {
        const [owner = "", member] = name.split(".");
        const one = declarations.get(owner.replace(/Output$/, ""));
        if (one === undefined) throw new Error(`{@link ${name}} leads nowhere.`);
        if (ts.isInterfaceDeclaration(one) && !isResource(one)) return `\`${name}\``;
        return `[${name}](${fileOf(nameOf(one))}${member === undefined ? "" : `#${owner}${member}`.toLowerCase()})`;
    });
}

function sections(heading: string, blocks: readonly string[]): string[] {
    return blocks.length === 0 ? [] : [heading, ...blocks];
}

function page(blocks: readonly string[]): string {
    return `${[generated, ...blocks.filter((block) => block !== "")].join("\n\n")}\n`;
}

/** One line, with the bars that would end the cell escaped. */
function cell(text: string): string {
    return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

function firstSentence(text: string): string {
    return /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
