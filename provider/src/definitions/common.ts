/** The inputs that the kinds of objects have in common. */
import { id, nonBlank, text } from "./definition";

export const title = { type: nonBlank, required: true, change: "inPlace" } as const;
export const description = { type: text, change: "inPlace", empty: "" } as const;
export const tags = { type: { kind: "list", of: nonBlank }, change: "inPlace", empty: [] } as const;
export const metadata = { type: { kind: "map" }, change: "inPlace", empty: {} } as const;
export const importId = { type: id, change: "local", quotable: true } as const;
