/** What a change of the program means for an existing content. */
import { content } from "../../provider/dist/resources/content.js";
import type { Properties } from "./machine.ts";

/** The difference as `replace: content`, and what the row shows of it. */
export function differenceOf(olds: Properties, news: Properties, oldInputs?: Properties) {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const row = { urn: "", progress: say, info: say, warn: say };
    const difference = content.diff({ id: "id-1", olds, oldInputs, news }, row);
    const because = difference.kind === "none" ? "" : `: ${difference.because.join(", ")}`;
    return { is: `${difference.kind}${because}`, said: said.join("\n") };
}
