/** The drawing in place of a thumbnail: it shows the title. */
import { createHash } from "node:crypto";

/** Name of the thumbnail next to a video's playlist. */
export const thumbnailFile = "thumbnail.svg";

/** The longest title that fits on a picture, in characters. */
const maxTitleLength = 30;

/** The picture: the title, above the place of a player's buttons, on a color from the id. */
export function thumbnail(id: string, title: string, second: number | null): string {
    const hue = createHash("sha256").update(id).digest().readUInt16BE(0) % 360;
    const short = title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title;
    const caption = second === null ? short : `${short} (at ${second} s)`;
    const text = caption.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360">
<rect width="640" height="360" fill="hsl(${hue} 45% 35%)"/>
<text x="32" y="64" fill="white" font-family="sans-serif" font-size="34">${text}</text>
</svg>
`;
}
