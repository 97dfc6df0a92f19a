/** The inputs that the kinds of objects have in common. */
import * as z from "zod/mini";
import { inPlace, local } from "./definition";
import { id, list, map, nonBlank, text } from "./schemas";

export const common = () => ({
    description: inPlace(z.optional(text()), { empty: "" }),
    tags: inPlace(z.optional(list(nonBlank())), { empty: [] }),
    metadata: inPlace(z.optional(map()), { empty: {} }),
    importId: local(z.optional(id()), { quotable: true }),
});
