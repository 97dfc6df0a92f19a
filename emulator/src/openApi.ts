/** The OpenAPI document that comes with the package, as an emulator serves it. It is made by tools/emulator/openApi. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Variants } from "./variants";

const file = join(__dirname, "..", "openapi.json");
const defaultReasonKey = "errorMessage";

/** The document of an emulator at `serverUrl`. `failureReasonKey` is a field of a content. */
export function openApiDocument(
    serverUrl: string,
    { failureReasonKey }: Pick<Variants, "failureReasonKey"> = { failureReasonKey: defaultReasonKey },
): Record<string, unknown> {
    const document = JSON.parse(readFileSync(file, "utf8"));
    const { Content: content } = document.components.schemas;
    const { [defaultReasonKey]: reason, ...others } = content.properties;
    content.properties = failureReasonKey === null ? others : { [failureReasonKey]: reason, ...others };
    return { ...document, servers: [{ url: serverUrl }] };
}
