/** The diagrams of the pages agree with the texts, limits and measurements that they draw. */
import assert from "node:assert/strict";
import { acceptanceMs } from "../../provider/dist/api/limits.js";
import { readPage } from "./markdown.ts";

/** The diagram of a page, and the page without it. */
function diagramOf(path: string): { diagram: string; text: string } {
    const { blocks, text } = readPage(path);
    const [diagram, ...others] = blocks.filter(({ language }) => language === "mermaid");
    assert.ok(diagram && others.length === 0, path);
    return { diagram: diagram.text, text: text.replace(diagram.text, "") };
}

describe("The diagrams", () => {
    it("of a content's life has the statuses and the time of its page", () => {
        const { diagram, text } = diagramOf("docs/guides/waiting-and-failures.md");
        const statuses = new Set([...diagram.matchAll(/(\w+) -->/g)].map(([, status = ""]) => status));
        assert.deepEqual([...statuses].sort(), ["Failed", "Preparing", "Ready"]);
        for (const status of statuses) assert.match(text, new RegExp(`\\b${status}\\b`));
        const minutes = /after (\d+) minutes/.exec(diagram)?.[1];
        assert.ok(minutes && text.includes(`${minutes} minutes for a create`));
    });

    it("of a lost response names the time of the limits and of its page", () => {
        const { diagram, text } = diagramOf("docs/guides/interrupted-runs.md");
        const time = `${acceptanceMs / 1000} seconds`;
        assert.ok(diagram.includes(`at most ${time}`));
        assert.ok(text.includes(time));
    });

    it("of scale shows the row of the table that the benchmark printed", () => {
        const { diagram, text } = diagramOf("docs/scale.md");
        const row = /^\| first `up`, s(.*)$/m
            .exec(text)?.[1]
            ?.split("|")
            .map((cell) => cell.trim());
        const bars = /bar \[(.*)\]/.exec(diagram)?.[1]?.split(", ");
        assert.deepEqual(bars, row?.slice(1, 4));
        const names = [...(/x-axis \[(.*)\]/.exec(diagram)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, name]) => name);
        const head = /^\|\s+\| (engine floor, 1,000.*)$/m
            .exec(text)?.[1]
            ?.split("|")
            .map((cell) => cell.trim());
        assert.deepEqual(
            names.map((name) => `${name}, 1,000`),
            head?.slice(0, 3),
        );
    });
});
