/** The OpenAPI document that the build writes (tools/emulator/openApi), as an emulator serves it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(__dirname, "openapi.json");

/** The document of an emulator at `serverUrl`. */
export function openApiDocument(serverUrl: string): Record<string, unknown> {
    return { ...JSON.parse(readFileSync(file, "utf8")), servers: [{ url: serverUrl }] };
}
