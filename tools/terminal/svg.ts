/** A picture of a terminal as SVG: text that can be selected and searched, in colours that suit light and dark pages. */
import type { Line, Piece } from "./pseudoTerminal.ts";

const cell = { width: 8.4, height: 18 };
const margin = 16;
const background = "#1e1e2e";
const foreground = "#d9dbe4";

/** The sixteen named colours of a terminal. */
const named = [
    ["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de"],
    ["#7f849c", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#ffffff"],
].flat();

export function svgOf(lines: readonly Line[], description: string): string {
    const longest = Math.max(40, ...lines.map((line) => lengthOf(line)));
    const width = Math.ceil(longest * cell.width + 2 * margin);
    const height = Math.ceil(lines.length * cell.height + 2 * margin);
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
        `<title>${escaped(description)}</title>`,
        `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
        `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${foreground}" xml:space="preserve">`,
        ...lines.flatMap((line, row) => {
            const y = margin + (row + 0.78) * cell.height;
            return lengthOf(line) === 0
                ? []
                : [`<text x="${margin}" y="${y.toFixed(1)}">${line.map(span).join("")}</text>`];
        }),
        "</g>",
        "</svg>",
        "",
    ].join("\n");
}

function lengthOf(line: Line): number {
    return line
        .map(({ text }) => text)
        .join("")
        .trimEnd().length;
}

function span({ text, colour, bold }: Piece): string {
    const attributes = [
        ...(colour === undefined ? [] : [`fill="${hex(colour)}"`]),
        ...(bold ? ['font-weight="bold"'] : []),
    ];
    // A page that collapses white space would otherwise pull the columns together.
    const kept = escaped(text).replaceAll(" ", "\u00a0");
    return attributes.length === 0 ? kept : `<tspan ${attributes.join(" ")}>${kept}</tspan>`;
}

function hex(colour: number): string {
    const known = named[colour];
    if (known !== undefined) return known;
    if (colour > 255) return `#${colour.toString(16).padStart(6, "0")}`;
    if (colour >= 232) return `#${((colour - 232) * 10 + 8).toString(16).padStart(2, "0").repeat(3)}`;
    const cube = colour - 16;
    const parts = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
    return `#${parts.map((part) => (part === 0 ? 0 : part * 40 + 55).toString(16).padStart(2, "0")).join("")}`;
}

function escaped(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
