/** docs/guides/troubleshooting.md has every message that the source can show, and none that it cannot. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readPage, repository } from "./markdown.ts";
import { messagesOfTheSource } from "./messages.ts";

/** Texts inside errors that nobody is shown. */
const internal = ["pulumi-nodejs", "the request was cancelled"];

/** Put together from several places of the source, so that no single text there has them. */
const composed = [
    "<resource> has a problem: <property> <what is wrong>",
    "region is required: set it here, in videograph:region or in VIDEOGRAPH_REGION",
    "metadata.managed_by is reserved",
    "<properties>: this needs a replacement, and a resource with importId cannot be replaced.",
    "importId cannot be changed to another id",
    "The Videograph credentials are not complete: <settings> missing.",
    "<object> answers 404, but was recorded with other credentials or another base URL",
    "the answer is not JSON",
    "the answer is empty",
    "the proxy answered <status> instead of connecting",
    "the proxy refused the connection",
    "Content <id> has the status Failed: <reason>. Fix the source (it must be publicly reachable, and an MP4, MOV or M4V video)",
    "Content <id> has Failed: it will be replaced.",
    "Livestream <id> was created, but could not be read afterwards",
    "<object> was adopted: a new one is created from the declared inputs, and the adopted one is deleted.",
    "waitForReady is false: <object> is deleted as soon as the new one is created, before that one is Ready.",
    "Interrupted before content <id> was Ready.",
];

describe("The guide to messages", () => {
    const { text } = readPage("docs/guides/troubleshooting.md");
    const [own = "", pulumis = ""] = text.split("\n## Pulumi's own\n");
    const quoted = [...own.matchAll(/^### `(.+)`$/gm)].map(([, quote = ""]) => quote);
    const messages = messagesOfTheSource().filter((message) => !internal.includes(message.text));

    it("has every message of the source", () => {
        assert.ok(messages.length > 40);
        const missing = messages.filter((message) => !quoted.some((quote) => covers(quote, message.text)));
        assert.deepEqual(
            missing.map(({ file, text }) => `${file}: ${text}`),
            [],
        );
    });

    it("has no message that is not in the source", () => {
        const stale = quoted.filter(
            (quote) => !composed.includes(quote) && !messages.some((message) => covers(quote, message.text)),
        );
        assert.deepEqual(stale, []);
        assert.ok(pulumis.includes("### "));
    });

    it("has those that are put together as the source puts them", () => {
        const folder = join(repository, "provider", "src");
        const files = globSync("{program,session,resources,api,lifecycle,dynamic}/**/*.ts", { cwd: folder });
        const source = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
        const parts = composed.slice(1).flatMap((quote) => quote.split(/<[^>]+>|managed_by|: set it here/));
        // The names of inputs come from the definitions.
        const words = parts.map((part) => part.replace(/^metadata\.| has the status |^\. |^region /g, "").trim());
        const missing = words.filter((part) => part.length > 12 && !source.includes(part));
        assert.deepEqual(missing, []);
    });
});

/** Whether the message says what is quoted, whatever is filled in. */
function covers(quote: string, message: string): boolean {
    const literals = quote.split(/<[^>]+>/);
    const pattern = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
    if (new RegExp(pattern, "s").test(message)) return true;
    // A message that goes on from another one is told by its own words.
    const last = literals.at(-1)?.replace(/^\. /, "") ?? "";
    return message.startsWith("<> ") && last.length > 20 && message.includes(last);
}
