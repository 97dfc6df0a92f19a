/** How each language writes an example. */
import { stringify } from "yaml";
import { Item, isFunction, Pairs, type Program, Ref, type Statement, type Value } from "./examples.ts";

type Write = (value: Value) => string;

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
/** As Pulumi's generator for Python writes names: `streamUUID` is `stream_uuid`. */
const snake = (name: string) =>
    name
        .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
        .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
        .toLowerCase();
const lines = (...parts: string[]) => `${parts.join("\n")}\n`;
const indent = (text: string, depth: string) => text.replaceAll("\n", `\n${depth}`);

/** Each field on a line of its own. */
function fields(args: Record<string, Value>, field: (name: string, value: Value) => string): string {
    return Object.entries(args)
        .map(([name, value]) => `    ${indent(field(name, value), "    ")}\n`)
        .join("");
}

export function typescript({ statements, exported }: Program): string {
    const write: Write = (value) => {
        if (value instanceof Ref) return `${value.variable}.${value.property}`;
        if (value instanceof Item) return `{ ${pairs(value.fields)} }`;
        if (value instanceof Pairs) return `{ ${pairs(value.pairs)} }`;
        return Array.isArray(value) ? `[${value.map(write).join(", ")}]` : JSON.stringify(value);
    };
    const pairs = (record: Record<string, Value>) =>
        Object.entries(record)
            .map(([name, value]) => `${name}: ${write(value)}`)
            .join(", ");
    const statement = (one: Statement) => {
        const args = `{\n${fields(one.args, (name, value) => `${name}: ${write(value)},`)}}`;
        return isFunction(one)
            ? `const ${one.variable} = videograph.${one.token}Output(${args});`
            : `const ${one.variable} = new videograph.${one.token}("${one.variable}", ${args});`;
    };
    const last = statements.at(-1)?.variable;
    return lines(
        'import * as videograph from "pulumi-videograph/native";',
        "",
        ...statements.map(statement),
        `export const ${exported[0]} = ${last}.${exported[1]};`,
    );
}

export function python({ statements, exported }: Program): string {
    const write: Write = (value) => {
        if (value instanceof Ref) return `${value.variable}.${snake(value.property)}`;
        if (value instanceof Item) return `{${pairs(value.fields, snake)}}`;
        if (value instanceof Pairs) return `{${pairs(value.pairs, (name) => name)}}`;
        if (typeof value === "boolean") return capital(String(value));
        return Array.isArray(value) ? `[${value.map(write).join(", ")}]` : JSON.stringify(value);
    };
    const pairs = (record: Record<string, Value>, named: (name: string) => string) =>
        Object.entries(record)
            .map(([name, value]) => `"${named(name)}": ${write(value)}`)
            .join(", ");
    const statement = (one: Statement) => {
        const args = fields(one.args, (name, value) => `${snake(name)}=${write(value)},`);
        return isFunction(one)
            ? `${one.variable} = videograph.${snake(one.token)}_output(\n${args})`
            : `${one.variable} = videograph.${one.token}(\n    "${one.variable}",\n${args})`;
    };
    const last = statements.at(-1)?.variable;
    return lines(
        "import pulumi",
        "import pulumi_videograph as videograph",
        "",
        ...statements.map(statement),
        `pulumi.export("${exported[0]}", ${last}.${snake(exported[1])})`,
    );
}

export function go({ statements, exported }: Program, goPackage: string): string {
    const write: Write = (value) => {
        if (value instanceof Ref)
            return value.property === "id" ? `${value.variable}.ID()` : `${value.variable}.${capital(value.property)}`;
        if (value instanceof Item) {
            const inner = Object.entries(value.fields).map(([name, field]) => `${capital(name)}: ${write(field)}`);
            return `&videograph.${value.type}Args{${inner.join(", ")}}`;
        }
        if (value instanceof Pairs) {
            const inner = Object.entries(value.pairs).map(([name, text]) => `"${name}": ${write(text)}`);
            const [first] = Object.values(value.pairs);
            return `${first instanceof Item ? `videograph.${first.type}Map` : "pulumi.StringMap"}{${inner.join(", ")}}`;
        }
        if (Array.isArray(value)) {
            const [first] = value;
            const type = first instanceof Item ? `videograph.${first.type}Array` : "pulumi.StringArray";
            return `${type}{${value.map(write).join(", ")}}`;
        }
        if (typeof value === "string") return `pulumi.String(${JSON.stringify(value)})`;
        if (typeof value === "boolean") return `pulumi.Bool(${value})`;
        return `pulumi.${Number.isInteger(value) ? "Int" : "Float64"}(${value})`;
    };
    const statement = (one: Statement) => {
        const args = fields(one.args, (name, value) => `${capital(name)}: ${write(value)},`);
        if (isFunction(one))
            return `${one.variable} := videograph.${lookupName(one.token)}Output(ctx, videograph.${lookupName(one.token)}OutputArgs{\n${args}})`;
        const isUsed = statements.some(({ args: other }) =>
            JSON.stringify(other).includes(`"variable":"${one.variable}"`),
        );
        const variable = isUsed || one === statements.at(-1) ? one.variable : "_";
        return `${variable}, err := videograph.New${one.token}(ctx, "${one.variable}", &videograph.${one.token}Args{\n${args}})\nif err != nil {\n    return err\n}`;
    };
    // A function that is called as a resource's own `Get` has another name.
    const lookupName = (token: string) =>
        ["getContent", "getLivestream"].includes(token) ? `Lookup${token.slice(3)}` : capital(token);
    const last = statements.at(-1)?.variable;
    const body = [
        ...statements.map(statement),
        `ctx.Export("${exported[0]}", ${last}.${capital(exported[1])}${statements.some(isFunction) ? "()" : ""})`,
        "return nil",
    ];
    return lines(
        "package main",
        "",
        "import (",
        '    "github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
        "",
        `    "${goPackage}"`,
        ")",
        "",
        "func main() {",
        "    pulumi.Run(func(ctx *pulumi.Context) error {",
        ...body.map((line) => `        ${indent(line, "        ")}`),
        "    })",
        "}",
    ).replaceAll("    ", "\t");
}

/** As the schema says: a member cannot have the name of its class. */
const csharpName = (name: string, token: string) =>
    token === "Content" && name === "content" ? "Sources" : capital(name);

export function csharp({ statements, exported }: Program): string {
    const write: Write = (value) => {
        if (value instanceof Ref) return `${value.variable}.${capital(value.property)}`;
        if (value instanceof Item) {
            const inner = Object.entries(value.fields).map(([name, field]) => `${capital(name)} = ${write(field)}`);
            return `new Videograph.Inputs.${value.type}Args { ${inner.join(", ")} }`;
        }
        if (value instanceof Pairs)
            return `{ ${Object.entries(value.pairs)
                .map(([name, text]) => `{ "${name}", ${write(text)} }`)
                .join(", ")} }`;
        return Array.isArray(value) ? `{ ${value.map(write).join(", ")} }` : JSON.stringify(value);
    };
    const statement = (one: Statement) => {
        const args = fields(one.args, (name, value) => `${csharpName(name, one.token)} = ${write(value)},`);
        const token = capital(one.token);
        return isFunction(one)
            ? `var ${one.variable} = Videograph.${token}.Invoke(new Videograph.${token}InvokeArgs\n{\n${args}});`
            : `var ${one.variable} = new Videograph.${token}("${one.variable}", new Videograph.${token}Args\n{\n${args}});`;
    };
    const last = statements.at(-1);
    const isLookup = last !== undefined && isFunction(last);
    const value = isLookup
        ? `${last.variable}.Apply(result => result.${capital(exported[1])})`
        : `${last?.variable}.${capital(exported[1])}`;
    const body = [
        ...statements.map(statement),
        `return new Dictionary<string, object?> { ["${exported[0]}"] = ${value} };`,
    ];
    return lines(
        "using System.Collections.Generic;",
        "using Pulumi;",
        "using Videograph = Community.Pulumi.Videograph;",
        "",
        "return await Deployment.RunAsync(() =>",
        "{",
        ...body.map((line) => `    ${indent(line, "    ")}`),
        "});",
    );
}

export function java({ statements, exported }: Program): string {
    const imports = new Set<string>();
    const write: Write = (value) => {
        if (value instanceof Ref) return `${value.variable}.${value.property}()`;
        if (value instanceof Item) {
            imports.add(`community.pulumi.videograph.inputs.${value.type}Args`);
            const inner = Object.entries(value.fields).map(([name, field]) => `.${name}(${write(field)})`);
            return `${value.type}Args.builder()${inner.join("")}.build()`;
        }
        if (value instanceof Pairs) {
            imports.add("java.util.Map");
            return `Map.of(${Object.entries(value.pairs)
                .flatMap(([name, field]) => [JSON.stringify(name), write(field)])
                .join(", ")})`;
        }
        return Array.isArray(value) ? value.map(write).join(", ") : JSON.stringify(value);
    };
    const statement = (one: Statement) => {
        const chain = Object.entries(one.args).map(([name, value]) => `\n    .${name}(${write(value)})`);
        if (isFunction(one)) {
            imports.add("community.pulumi.videograph.VideographFunctions");
            imports.add(`community.pulumi.videograph.inputs.${capital(one.token)}Args`);
            return `var ${one.variable} = VideographFunctions.${one.token}(${capital(one.token)}Args.builder()${chain.join("")}\n    .build());`;
        }
        imports.add(`community.pulumi.videograph.${one.token}`);
        imports.add(`community.pulumi.videograph.${one.token}Args`);
        return `var ${one.variable} = new ${one.token}("${one.variable}", ${one.token}Args.builder()${chain.join("")}\n    .build());`;
    };
    const last = statements.at(-1);
    const isLookup = last !== undefined && isFunction(last);
    const value = isLookup
        ? `${last.variable}.applyValue(result -> result.${exported[1]}())`
        : `${last?.variable}.${exported[1]}()`;
    const body = [...statements.map(statement), `ctx.export("${exported[0]}", ${value});`];
    return lines(
        "package myproject;",
        "",
        "import com.pulumi.Pulumi;",
        ...[...imports].sort().map((name) => `import ${name};`),
        "",
        "public class App {",
        "    public static void main(String[] args) {",
        "        Pulumi.run(ctx -> {",
        ...body.map((line) => `            ${indent(line, "            ")}`),
        "        });",
        "    }",
        "}",
    );
}

export function yaml({ statements, exported }: Program): string {
    const write = (value: Value): unknown => {
        if (value instanceof Ref) return `\${${value.variable}.${value.property}}`;
        if (value instanceof Pairs) return all(value.pairs);
        if (value instanceof Item) return all(value.fields);
        return Array.isArray(value) ? value.map(write) : value;
    };
    const all = (args: Record<string, Value>) =>
        Object.fromEntries(Object.entries(args).map(([name, value]) => [name, write(value)]));
    const resources = statements
        .filter((one) => !isFunction(one))
        .map((one) => [one.variable, { type: `videograph:${one.token}`, properties: all(one.args) }]);
    const variables = statements
        .filter(isFunction)
        .map((one) => [
            one.variable,
            { "fn::invoke": { function: `videograph:${one.token}`, arguments: all(one.args) } },
        ]);
    const last = statements.at(-1)?.variable;
    return stringify({
        ...(resources.length > 0 && { resources: Object.fromEntries(resources) }),
        ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
        outputs: { [exported[0]]: `\${${last}.${exported[1]}}` },
    });
}
