/** A Stryker plugin: texts of several words are messages. They have tests of their own, and no code depends on them. */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

interface Literal {
    node: { type: string; value?: unknown; quasis?: { value: { raw: string } }[] };
}

const words = /[a-z,;:.'")}] [a-z("'$]/i;

const ignorer = {
    shouldIgnore({ node }: Literal): string | undefined {
        const texts =
            node.type === "StringLiteral"
                ? [node.value]
                : node.type === "TemplateLiteral"
                  ? (node.quasis ?? []).map(({ value }) => value.raw)
                  : [];
        return texts.some((text) => typeof text === "string" && words.test(text)) ? "a message" : undefined;
    },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "messages", ignorer as never)];
