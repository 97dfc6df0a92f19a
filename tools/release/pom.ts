/**
 * Writes the pom.xml of the Java SDK, from the built plugin's schema:
 *
 *     node tools/release/pom.ts sdk/java/pom.xml
 *
 * The generator of Java SDKs writes a Gradle build without a group for everybody but Pulumi. Maven Central gives the owner of a
 * GitHub account the group `io.github.not--published`, and requires everything that is written here.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PublishedSchema, pomOf } from "./javaPom.ts";

const [destination] = process.argv.slice(2);
const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin");

try {
    if (destination === undefined) throw new Error("usage: node tools/release/pom.ts <file>");
    const schema = JSON.parse(readFileSync(join(plugin, "schema.json"), "utf8")) as PublishedSchema;
    writeFileSync(destination, pomOf(schema));
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
