/** Every message that the provider's source can show, with `<>` for what is filled in. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repository } from "./markdown.ts";

/** Where the messages of resources and lookups are made. The command line has its own page. */
const sources = ["*.ts", "{program,session,resources,api,lifecycle,dynamic}/**/*.ts"];

export interface Message {
    readonly file: string;
    readonly text: string;
}

export function messagesOfTheSource(): Message[] {
    const files = globSync(sources, { cwd: join(repository, "provider", "src") });
    return files.flatMap((file) => {
        const text = readFileSync(join(repository, "provider", "src", file), "utf8");
        const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
        const found: Message[] = [];
        const visit = (node: ts.Node) => {
            for (const expression of shownBy(node).flatMap(branches)) {
                const message = textOf(expression);
                // What only puts other messages together says nothing of its own.
                if (message !== undefined && longestLiteral(message) >= 12) found.push({ file, text: message });
            }
            ts.forEachChild(node, visit);
        };
        visit(source);
        return found;
    });
}

/** The expressions in a node that end in front of a person. */
function shownBy(node: ts.Node): ts.Expression[] {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
        return isErrorClass(node.expression.text) ? [...(node.arguments ?? [])] : [];
    }
    if (ts.isNewExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        return node.expression.name.text === "RunError" ? [...(node.arguments ?? [])] : [];
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        return ["malformed", "refuse"].includes(node.expression.text) ? [...node.arguments] : [];
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return [...node.arguments];
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        return ["warn", "info"].includes(node.expression.name.text) ? [...node.arguments] : [];
    }
    // The table of what HTTP statuses mean.
    return ts.isPropertyAssignment(node) && node.name.getText() === "what" ? [node.initializer] : [];
}

/** Each of the texts that a condition chooses from. */
function branches(node: ts.Expression): ts.Expression[] {
    return ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse].flatMap(branches) : [node];
}

function isErrorClass(name: string): boolean {
    return /Error$|Failure$|^Refusal$|^WaitTimeout$|^Vanished$/.test(name);
}

/** Undefined when it is no text. */
function textOf(node: ts.Expression): string | undefined {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
        return node.head.text + node.templateSpans.map(({ literal }) => `<>${literal.text}`).join("");
    }
    if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
        const parts = [textOf(node.left), textOf(node.right)];
        return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? "<>").join("");
    }
    return undefined;
}

function longestLiteral(message: string): number {
    return Math.max(...message.split("<>").map(({ length }) => length));
}
