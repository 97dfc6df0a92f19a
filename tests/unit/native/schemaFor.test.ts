/** The schema as a generator gets it that takes descriptions as they are. */
import assert from "node:assert/strict";
import { schemaFor } from "../../../provider/dist/native/schemaFor.js";

const ref = (path: string) => `{{% ref #/${path} %}}`;
const content = "resources/videograph:index:Content";
const example = (language: string) => `\`\`\`${language}\nlet title = "${language}"\n\`\`\`\n\n`;
const description = [
    `Changes to ${ref(`${content}/inputProperties/saveOriginalCopy`)}, ${ref(`${content}/properties/content`)}`,
    `, also of a ${ref(content)} by ${ref("functions/videograph:index:getContent")} or a ${ref("types/videograph:index:ContentSource")}.\n\n`,
    `{{% examples %}}\n\n## Example Usage\n\n{{% example %}}\n\n${["typescript", "csharp", "java"].map(example).join("")}`,
    `{{% /example %}}\n\n{{% /examples %}}\n\n## Import\n\n${example("sh").trim()}`,
].join("");
const property = { description, language: { csharp: { name: "Sources" } } };
const properties = { saveOriginalCopy: {}, content: property };
const schema = JSON.stringify({
    resources: { "videograph:index:Content": { description, properties, inputProperties: properties } },
    functions: { "videograph:index:getContent": { description: 'Named "{{% ref".' } },
    types: { "videograph:index:ContentSource": {} },
});
const rest = (language: string) =>
    `## Example Usage\n\n${example(language)}## Import\n\n\`\`\`sh\nlet title = "sh"\n\`\`\``;

describe("the schema for a language", () => {
    it("has the names of C# and of Java in place of references, and their examples alone", () => {
        for (const [runtime, names, code] of [
            ["dotnet", "SaveOriginalCopy, Sources, also of a Content by GetContent or a ContentSource", "csharp"],
            ["java", "saveOriginalCopy, content, also of a Content by getContent or a ContentSource", "java"],
        ] as const) {
            const own = JSON.parse(schemaFor(schema, runtime));
            const expected = `Changes to ${names}.\n\n${rest(code)}`;
            assert.equal(own.resources["videograph:index:Content"].description, expected);
            assert.equal(own.resources["videograph:index:Content"].inputProperties.content.description, expected);
        }
    });

    it("is the schema itself for those whose generators do that, and where none is known", () => {
        for (const runtime of ["python", "go", "nodejs", "yaml", "", undefined])
            assert.equal(schemaFor(schema, runtime), schema);
    });
});
