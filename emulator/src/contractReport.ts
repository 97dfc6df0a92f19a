/** A report of `npx pulumi-videograph probe`: how a real account behaved, as variants of the emulator. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const reportSchema = z.object({ version: z.literal(1), variants: z.record(z.string(), z.unknown()) });

/** The variants that the report sets. @throws when the file is not such a report. */
export function readContractReport(path: string): Record<string, unknown> {
    let json: unknown;
    try {
        json = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
        throw new Error(`--contract ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { data } = reportSchema.safeParse(json);
    if (data === undefined) throw new Error(`--contract ${path} is not a report of \`npx pulumi-videograph probe\``);
    return data.variants;
}
