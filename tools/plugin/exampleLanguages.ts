/** How each language writes a small program. */
import { stringify } from "yaml";

/** A value of a program: `Ref` is an output of a resource before it, `Item` an object of one of the schema's types. */
export type Value = string | number | boolean | Value[] | Ref | Item | Pairs;
export class Ref {
    readonly variable: string;
    readonly property: string;
    constructor(variable: string, property: string) {
        this.variable = variable;
        this.property = property;
    }
}
export class Item {
    readonly type: string;
    readonly fields: Record<string, Value>;
    constructor(type: string, fields: Record<string, Value>) {
        this.type = type;
        this.fields = fields;
    }
}
export class Pairs {
    readonly pairs: Record<string, Value>;
    constructor(pairs: Record<string, Value>) {
        this.pairs = pairs;
    }
}

export interface Statement {
    variable: string;
    /** A resource's class, or a function's name. */
    token: string;
    args: Record<string, Value>;
}

export interface Program {
    title: string;
    statements: Statement[];
    /** What it exports: a name, and an output of the last statement. */
    exported: [name: string, property: string];
}

/** The text of each thing that a program has. `args` are lines, one for each argument. */
interface Language {
    plain?(value: string | number | boolean): string;
    reference(variable: string, property: string): string;
    /** `type`: that of an item which is an object. */
    list(items: string[], type?: string): string;
    map(entries: [name: string, text: string][], type?: string): string;
    object(type: string, fields: [name: string, text: string][]): string;
    argument(name: string, text: string, token: string): string;
    resource(variable: string, token: string, args: string): string;
    call(variable: string, token: string, args: string): string;
    exported(name: string, variable: string, property: string, isCall: boolean): string;
    /** The whole program, where a line `BODY` stands for its statements. */
    frame: string;
}

/** The program in every language. `goPackage` is the import path of Go's SDK. */
export function inLanguages(program: Program, goPackage: string): Record<string, string> {
    return {
        typescript: written(program, typescript),
        python: written(program, python),
        go: written(program, go).replace("GO_PACKAGE", goPackage).replaceAll("    ", "\t"),
        csharp: written(program, csharp),
        java: written(program, java),
        yaml: yaml(program),
    };
}

function written({ statements, exported: [name, property] }: Program, language: Language): string {
    const entries = (values: Record<string, Value>) =>
        Object.entries(values).map(([key, value]): [string, string] => [key, write(value)]);
    const typeOf = ([first]: Value[]) => (first instanceof Item ? first.type : undefined);
    const write = (value: Value): string => {
        if (value instanceof Ref) return language.reference(value.variable, value.property);
        if (value instanceof Item) return language.object(value.type, entries(value.fields));
        if (value instanceof Pairs) return language.map(entries(value.pairs), typeOf(Object.values(value.pairs)));
        if (Array.isArray(value)) return language.list(value.map(write), typeOf(value));
        return language.plain?.(value) ?? JSON.stringify(value);
    };
    const body = statements.map(({ variable, token, args }) => {
        const all = entries(args).map(([key, text]) => `    ${language.argument(key, text, token)}\n`);
        return language[isFunction(token) ? "call" : "resource"](variable, token, all.join(""));
    });
    const { variable = "", token = "" } = statements.at(-1) ?? {};
    body.push(language.exported(name, variable, property, isFunction(token)));
    return language.frame.replace(/^( *)BODY/m, (_, depth: string) => body.join("\n").replace(/^(?=.)/gm, depth));
}

function isFunction(token: string): boolean {
    return token.startsWith("get");
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
/** As Pulumi's generator for Python writes names: `streamUUID` is `stream_uuid`. */
const snake = (name: string) =>
    name
        .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
        .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
        .toLowerCase();
const each = (entries: [name: string, text: string][], one: (name: string, text: string) => string) =>
    entries.map(([name, text]) => one(name, text)).join(", ");

const typescript: Language = {
    reference: (variable, property) => `${variable}.${property}`,
    list: (items) => `[${items.join(", ")}]`,
    map: (entries) => `{ ${each(entries, (name, text) => `${name}: ${text}`)} }`,
    object: (_, fields) => `{ ${each(fields, (name, text) => `${name}: ${text}`)} }`,
    argument: (name, text) => `${name}: ${text},`,
    resource: (variable, token, args) => `const ${variable} = new videograph.${token}("${variable}", {\n${args}});`,
    call: (variable, token, args) => `const ${variable} = videograph.${token}Output({\n${args}});`,
    exported: (name, variable, property) => `export const ${name} = ${variable}.${property};`,
    frame: `import * as videograph from "pulumi-videograph/native";

BODY
`,
};

const python: Language = {
    plain: (value) => (typeof value === "boolean" ? capital(String(value)) : JSON.stringify(value)),
    reference: (variable, property) => `${variable}.${snake(property)}`,
    list: (items) => `[${items.join(", ")}]`,
    map: (entries) => `{${each(entries, (name, text) => `"${name}": ${text}`)}}`,
    object: (_, fields) => `{${each(fields, (name, text) => `"${snake(name)}": ${text}`)}}`,
    argument: (name, text) => `${snake(name)}=${text},`,
    resource: (variable, token, args) => `${variable} = videograph.${token}(\n    "${variable}",\n${args})`,
    call: (variable, token, args) => `${variable} = videograph.${snake(token)}_output(\n${args})`,
    exported: (name, variable, property) => `pulumi.export("${name}", ${variable}.${snake(property)})`,
    frame: `import pulumi
import pulumi_videograph as videograph

BODY
`,
};

const go: Language = {
    plain(value) {
        const type = typeof value === "number" ? (Number.isInteger(value) ? "int" : "float64") : typeof value;
        return `pulumi.${capital(type.replace("boolean", "bool"))}(${JSON.stringify(value)})`;
    },
    reference: (variable, property) => `${variable}.${property === "id" ? "ID()" : capital(property)}`,
    list: (items, type) => `${type === undefined ? "pulumi.String" : `videograph.${type}`}Array{${items.join(", ")}}`,
    map: (entries, type) =>
        `${type === undefined ? "pulumi.String" : `videograph.${type}`}Map{${each(entries, (name, text) => `"${name}": ${text}`)}}`,
    object: (type, fields) => `&videograph.${type}Args{${each(fields, (name, text) => `${capital(name)}: ${text}`)}}`,
    argument: (name, text) => `${capital(name)}: ${text},`,
    resource: (variable, token, args) =>
        `${variable}, err := videograph.New${token}(ctx, "${variable}", &videograph.${token}Args{\n${args}})\nif err != nil {\n    return err\n}`,
    call(variable, token, args) {
        // A function that is called as a resource's own `Get` has another name.
        const name = capital(token.replace(/^get(?=(Content|Livestream)$)/, "lookup"));
        return `${variable} := videograph.${name}Output(ctx, videograph.${name}OutputArgs{\n${args}})`;
    },
    exported: (name, variable, property, isCall) =>
        `ctx.Export("${name}", ${variable}.${capital(property)}${isCall ? "()" : ""})`,
    frame: `package main

import (
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

    "GO_PACKAGE"
)

func main() {
    pulumi.Run(func(ctx *pulumi.Context) error {
        BODY
        return nil
    })
}
`,
};

const csharp: Language = {
    reference: (variable, property) => `${variable}.${capital(property)}`,
    list: (items) => `{ ${items.join(", ")} }`,
    map: (entries) => `{ ${each(entries, (name, text) => `{ "${name}", ${text} }`)} }`,
    object: (type, fields) =>
        `new Videograph.Inputs.${type}Args { ${each(fields, (name, text) => `${capital(name)} = ${text}`)} }`,
    // As the schema says: a member cannot have the name of its class.
    argument: (name, text, token) => `${capital(name) === token ? "Sources" : capital(name)} = ${text},`,
    resource: (variable, token, args) =>
        `var ${variable} = new Videograph.${token}("${variable}", new Videograph.${token}Args\n{\n${args}});`,
    call: (variable, token, args) =>
        `var ${variable} = Videograph.${capital(token)}.Invoke(new Videograph.${capital(token)}InvokeArgs\n{\n${args}});`,
    exported(name, variable, property, isCall) {
        const value = isCall ? `Apply(result => result.${capital(property)})` : capital(property);
        return `return new Dictionary<string, object?> { ["${name}"] = ${variable}.${value} };`;
    },
    frame: `using System.Collections.Generic;
using Pulumi;
using Videograph = Community.Pulumi.Videograph;

return await Deployment.RunAsync(() =>
{
    BODY
});
`,
};

const java: Language = {
    reference: (variable, property) => `${variable}.${property}()`,
    list: (items) => items.join(", "),
    map: (entries) => `Map.of(${each(entries, (name, text) => `"${name}", ${text}`)})`,
    object: (type, fields) =>
        `${type}Args.builder()${fields.map(([name, text]) => `.${name}(${text})`).join("")}.build()`,
    argument: (name, text) => `.${name}(${text})`,
    resource: (variable, token, args) =>
        `var ${variable} = new ${token}("${variable}", ${token}Args.builder()\n${args}    .build());`,
    call: (variable, token, args) =>
        `var ${variable} = VideographFunctions.${token}(${capital(token)}Args.builder()\n${args}    .build());`,
    exported(name, variable, property, isCall) {
        const value = isCall ? `applyValue(result -> result.${property}())` : `${property}()`;
        return `ctx.export("${name}", ${variable}.${value});`;
    },
    frame: `package myproject;

import com.pulumi.Pulumi;
import community.pulumi.videograph.*;
import community.pulumi.videograph.inputs.*;
import java.util.*;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            BODY
        });
    }
}
`,
};

function yaml({ statements, exported: [name, property] }: Program): string {
    const write = (value: Value): unknown => {
        if (value instanceof Ref) return `\${${value.variable}.${value.property}}`;
        if (value instanceof Pairs) return all(value.pairs);
        if (value instanceof Item) return all(value.fields);
        return Array.isArray(value) ? value.map(write) : value;
    };
    const all = (args: Record<string, Value>) =>
        Object.fromEntries(Object.entries(args).map(([key, value]) => [key, write(value)]));
    const parts = statements.map(({ variable, token, args }): [part: string, declared: object] => {
        const type = `videograph:${token}`;
        return isFunction(token)
            ? ["variables", { [variable]: { "fn::invoke": { function: type, arguments: all(args) } } }]
            : ["resources", { [variable]: { type, properties: all(args) } }];
    });
    const program: Record<string, object> = {};
    for (const [part, declared] of parts) program[part] = { ...program[part], ...declared };
    return stringify({ ...program, outputs: { [name]: `\${${statements.at(-1)?.variable}.${property}}` } });
}
