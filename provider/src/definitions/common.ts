/** The inputs that the kinds of objects have in common. */
import { text, words } from "./definition";

export const title = { type: words, required: true, change: "inPlace" } as const;
export const description = { type: text, change: "inPlace", empty: "" } as const;
export const tags = { type: { kind: "list", of: words }, change: "inPlace", empty: [] } as const;
export const metadata = { type: { kind: "map" }, change: "inPlace", empty: {} } as const;
export const importId = { type: words, change: "local", quotable: true } as const;
