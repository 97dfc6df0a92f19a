/** The properties of a ContentLibrary. */
import type { Definition } from "../../inputs/definition";
import { contentDefinition } from "../content/definition";

const { waitForReady: _, ...inputs } = contentDefinition.inputs;

/** An entry: what a Content takes. A library always waits. */
export const entryDefinition = { ...contentDefinition, inputs } satisfies Definition;
